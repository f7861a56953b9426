import { act, screen } from "@testing-library/react";
import { http } from "msw";
import { expect, test } from "vitest";
import { invalidateProject } from "@/lib/query";
import { hurry } from "@/testing/clock";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { aDiff, aRelease, detail, LIST, pro, restoreButton, third } from "@/testing/releases";
import { openReleases } from "@/testing/releases-page";
import { answer, eventStream, server } from "@/testing/server";
import type { ReleaseDiff } from "./queries";

test("a comparison with the draft follows the edits of colleagues; a comparison of two releases is not read again", async () => {
  hurry();
  const stream = eventStream();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  const asDraft = (values: Partial<ReleaseDiff>) => aDiff(3, { against: "draft", total: 0, screens: [], ...values });
  const { user } = openReleases(pro, { search: "?release=3&against=draft" });
  server.use(answer("get", `${LIST}/3/diff`, asDraft({})));
  expect(await screen.findByText("The draft is as release 3.", {}, { timeout: 15_000 })).toBeVisible();

  server.use(answer("get", `${LIST}/3/diff`, asDraft({ total: 1, screens: aDiff(3).screens })));
  stream.say("change", { by: { _id: "usr_2", name: "Noor Aziz" }, screens: { home: { title: 4 } } }, "2");
  expect(await screen.findByText("Since release 3, with what is not published yet: 1 change.")).toBeVisible();

  let reads = 0;
  server.use(answer("get", `${LIST}/3/diff`, aDiff(3), { onCall: () => (reads += 1) }));
  await user.selectOptions(screen.getByLabelText("Compare with"), "previous");
  expect(await screen.findByText("It made 1 change.")).toBeVisible();
  const project = new Promise<void>((resolve) =>
    server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject(pro), { onCall: () => resolve() })),
  );
  stream.say("change", { by: { _id: "usr_2", name: "Noor Aziz" }, screens: { home: { title: 5 } } }, "3");
  await project;
  expect(reads).toBe(1);
});

// spec: release-6
test("without the pro tier the button leads to the tier", async () => {
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }));
  const { user } = openReleases({ release: 3 }, { search: "?release=2" });
  const button = await restoreButton();
  expect(button).toHaveAccessibleDescription("Version history is part of the Pro Tier.");

  await user.click(button);

  expect(await screen.findByRole("dialog")).not.toHaveAccessibleName(/Restore/);
});

test("a person who returns after a publish sees its release, not the state of an earlier visit", async () => {
  const { queryClient, router } = openReleases();
  server.use(answer("get", `/api/colors/${PROJECT_ID}`, { colors: [] }));
  await detail(3);
  await act(() => router.navigate(`/projects/${PROJECT_ID}/colors`));
  server.use(
    answer(
      "get",
      LIST,
      { releases: [aRelease(4, { isCurrent: true }), { ...third, isCurrent: false }], nextCursor: null },
      { afterMs: 60 },
    ),
  );
  await invalidateProject(queryClient, PROJECT_ID);

  await act(() => router.navigate(`/projects/${PROJECT_ID}/releases`));

  expect(await detail(4)).toBeDefined();
  expect(screen.queryByText("Release 4 is published.")).not.toBeInTheDocument();
});
