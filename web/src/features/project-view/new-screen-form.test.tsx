import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { projectQuery } from "@/lib/queries";
import { renderInProject } from "@/testing/component";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import { NewScreenForm } from "./new-screen-form";
import { screenLimitReason } from "./use-screens";

test("a refusal for lack of a plan disappears when the project has a plan, and the name stays", async () => {
  const { user, queryClient } = renderInProject((project) => <NewScreenForm project={project} />, {
    activeTier: "none",
    tierName: "No Active Plan",
    plan: "free",
    expiresAt: null,
  });
  await user.type(await screen.findByRole("textbox", { name: "New screen name" }), "second{Enter}");
  expect(await screen.findByText(/Please activate a paid tier/)).toBeVisible();

  act(() => void queryClient.setQueryData(projectQuery(PROJECT_ID).queryKey, aProject()));

  await waitFor(() => expect(screen.queryByText(/Please activate a paid tier/)).not.toBeInTheDocument());
  expect(screen.getByRole("textbox", { name: "New screen name" })).toHaveValue("second");
});

test("the name of a new screen is kept on the device until the screen is added", async () => {
  const openForm = async () => {
    const opened = renderInProject((project) => <NewScreenForm project={project} />);
    return { ...opened, field: await screen.findByRole("textbox", { name: "New screen name" }) };
  };
  const first = await openForm();
  await enter(first.user, first.field, "check_in");
  first.unmount();

  const { user, field, unmount } = await openForm();
  await user.click(await findOfferOfText());
  expect(field).toHaveValue("check_in");
  expect(field).toHaveFocus();
  server.use(answer("post", `/api/projects/${PROJECT_ID}/screens`, aProject(), { status: 201 }));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(field).toHaveValue(""));
  unmount();

  await openForm();
  expect(offerOfText()).not.toBeInTheDocument();
});

test("at the limit of the largest plan the reason shows what to do", () => {
  const pro = { activeTier: "pro", tierName: "Pro Tier", limits: { ...aProject().limits, screens: 1 } };

  expect(screenLimitReason(aProject({ ...pro, tabs: ["general", "home"] }), Date.now())).toBe(
    'Screen limit of 1 for your "Pro Tier" tier reached. It is the largest plan: delete a screen first.',
  );
});

test("the general screen does not count towards the limit", () => {
  const limits = { ...aProject().limits, screens: 2 };
  const reasonWith = (...tabs: string[]) => screenLimitReason(aProject({ limits, tabs }), Date.now());

  expect(reasonWith("general", "home")).toBeNull();
  expect(reasonWith("general", "home", "about")).toMatch(
    /^Screen limit of 2 .* Please upgrade in settings to add more\.$/,
  );
});
