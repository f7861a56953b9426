/** The history of the colours that is not there, or fails. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { COLORS, color, effect, LIST, openHistory } from "@/testing/color-history";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, refusal, server } from "@/testing/server";

// spec: color-19
test("a history that can't be read can be loaded again", async () => {
  server.use(answer("get", LIST, "", { status: 500 }));
  const project = answer("get", `/api/projects/${PROJECT_ID}`, aProject({ hasHistory: true }));
  server.use(project, answer("get", "/api/languages", { languages: [] }), answer("get", COLORS, color("#f0a04b", 3)));
  const { user } = openSignedIn(`/projects/${PROJECT_ID}/colors`);
  await user.click(await screen.findByRole("button", { name: "History" }));

  expect(await screen.findByText("Failed to load color versions")).toBeVisible();
});

// spec: color-20
test("a roll back that fails without a message shows that it failed", async () => {
  const { user, panel } = await openHistory();
  server.use(answer("get", `${LIST}/ver_1`, effect), answer("post", `${COLORS}/rollback/ver_1`, "", { status: 500 }));
  await user.click(await panel.findByRole("radio", { name: /Version 1/ }));
  await user.click(await panel.findByRole("button", { name: "Roll back" }));

  await user.click(
    within(await screen.findByRole("dialog", { name: "Roll back to version 1?" })).getByRole("button", {
      name: "Roll back",
    }),
  );

  expect(await screen.findByText("Failed to rollback color version")).toBeInTheDocument();
});

// spec: color-15
test("without the pro tier the panel shows what is missing, and offers the plan", async () => {
  server.use(
    refusal("get", LIST, 403, { message: 'Version history is part of the "Pro Tier".', code: "tier_feature" }),
  );
  const { panel } = await openHistory({ hasHistory: false });

  expect(panel.getByText("Version history is part of the Pro Tier.")).toBeVisible();
  expect(panel.getByRole("button", { name: "See the Pro Tier" })).toBeVisible();
  await waitFor(() => expect(panel.queryByRole("radio")).not.toBeInTheDocument());
});
