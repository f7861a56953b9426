/** A restore and its undo, and the discard of what is not published. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { hurry } from "@/testing/clock";
import { aDiff as aReview, PROJECT_ID } from "@/testing/fixtures";
import {
  aChange,
  aDiff,
  aPreview,
  colleaguePublishes,
  LIST,
  nothingKept,
  PREVIEW,
  pro,
  restoreButton,
  staleMessage,
} from "@/testing/releases";
import { chooseDraft, openQuestion, openReleases, waiting } from "@/testing/releases-part";
import { answer, offline, refusal, server } from "@/testing/server";

const DIFF = `/api/projects/${PROJECT_ID}/diff`;

const onlookers: [string, Partial<Project>, string][] = [
  [
    "a viewer",
    { ...pro, role: "viewer", permissions: ["read"] },
    "Viewers can't publish. Ask an admin of this project for the editor role.",
  ],
  [
    "an editor without the pro tier",
    { release: 3, role: "editor", permissions: ["read", "edit", "publish"] },
    "Version history is part of the Pro Tier. Only admins and the owner can activate a plan.",
  ],
];

const discardButton = () => screen.findByRole("button", { name: "Discard all unpublished changes" });

test("a restore of apps alone is undone by restoring the former release", async () => {
  const calls: unknown[] = [];
  const { user, confirm } = await openQuestion();
  server.use(
    http.post(`*${LIST}/:number/restore`, async ({ params, request }) => {
      calls.push([params["number"], await request.json()]);
      const message = `Release ${params["number"]} was restored: it is release ${3 + calls.length} now.`;
      return HttpResponse.json({ message, release: 3 + calls.length, published: true, leftOut: [], ...nothingKept });
    }),
  );

  await user.click(confirm);
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  expect(await screen.findByText("Apps are back on what release 3 had.")).toBeInTheDocument();
  expect(calls).toEqual([
    ["2", { expected: 3, draft: false }],
    ["3", { expected: 4, draft: false }],
  ]);
});

test("edits that apps never had stay in the draft", async () => {
  const question = await openQuestion({ unpublished: { total: 2, screens: { home: 2 }, colors: 0, stores: 0 } }, [
    answer("get", PREVIEW, aPreview({ waiting: 2, staying: 2 })),
  ]);
  const { dialog } = question;
  await chooseDraft(question);

  expect(await dialog.findByText(/All of it stays in the draft, as apps never had it\./)).toBeVisible();
  expect(dialog.queryByText(/Only the undo returns/)).not.toBeInTheDocument();
});

test("an undo after a newer release restores nothing and asks first", async () => {
  hurry();
  const { user } = openReleases(pro, { search: "?release=2" });
  const calls = colleaguePublishes(3);
  await user.click(await screen.findByRole("button", { name: "Restore this release" }));
  const question = within(await screen.findByRole("dialog", { name: "Restore release 2?" }));
  await user.click(await question.findByRole("button", { name: "Restore release 2" }));
  const undo = await screen.findByRole("button", { name: "Undo" });
  const later = colleaguePublishes(5);

  await user.click(undo);

  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 3?" }));
  expect(await dialog.findByText(staleMessage)).toBeVisible();
  expect(await dialog.findByText(/Apps get release 6 at once/)).toBeVisible();
  expect(dialog.getByText("title").closest("li")?.querySelector("del")).toHaveTextContent("Text of 5");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Undo" })).not.toBeInTheDocument());
  const confirm = dialog.getByRole("button", { name: "Restore release 3" });
  await waitFor(() => expect(confirm).not.toHaveAttribute("aria-disabled"));
  await user.click(confirm);

  expect(await screen.findByText("Release 3 was restored: it is release 6 now.")).toBeInTheDocument();
  expect([...calls, ...later]).toEqual([
    { number: "2", expected: 3 },
    { number: "3", expected: 4 },
    { number: "3", expected: 5 },
  ]);
});

// spec: release-5
test("a release that differs in images alone has nothing to restore", async () => {
  const { user } = openReleases(pro, { search: "?release=2" });
  server.use(answer("get", `${LIST}/2/diff`, aDiff(2, { screens: [], imagesTotal: 1, total: 1 })));

  await user.click(await screen.findByRole("button", { name: "Restore this release" }));

  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 2?" }));
  expect(
    await dialog.findByText(/Apps have the texts, colours and data of release 2 already\. Images stay as they are/),
  ).toBeVisible();
  expect(dialog.queryByRole("button", { name: "Restore release 2" })).not.toBeInTheDocument();
});

// spec: release-7
test.each([
  [
    "a refusal",
    refusal("post", `${LIST}/2/restore`, 402, { message: "This project does not have an active plan." }),
    "This project does not have an active plan.",
  ],
  ["no message", answer("post", `${LIST}/2/restore`, {}, { status: 500 }), "Failed to restore the release."],
  ["no answer", offline("post", `${LIST}/2/restore`), "The release may not have been restored. Please try again."],
])("a restore that ends with %s shows that, and can be tried again", async (_, failing, text) => {
  const { user } = openReleases(pro, { search: "?release=2" });
  server.use(failing);
  await user.click(await screen.findByRole("button", { name: "Restore this release" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 2?" }));
  await user.click(await dialog.findByRole("button", { name: "Restore release 2" }));
  expect(await dialog.findByText(text)).toBeVisible();

  const outcome = { message: "Apps have it already.", release: 3, published: false, leftOut: [], ...nothingKept };
  server.use(answer("post", `${LIST}/2/restore`, outcome));
  await user.click(dialog.getByRole("button", { name: "Restore release 2" }));

  expect(await screen.findByText("Apps have it already.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Undo" })).not.toBeInTheDocument();
});

// spec: release-7
test("an offline restore shows that nothing was restored, until the connection returns", async () => {
  const { user } = openReleases(pro, { search: "?release=2" });
  server.use(offline("post", `${LIST}/2/restore`));
  await user.click(await screen.findByRole("button", { name: "Restore this release" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 2?" }));
  const confirm = await dialog.findByRole("button", { name: "Restore release 2" });
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);

  await user.click(confirm);

  expect(await dialog.findByText("You are offline. Nothing was restored.")).toBeVisible();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(dialog.queryByText("You are offline. Nothing was restored.")).not.toBeInTheDocument();
});

// spec: release-3
test.each(onlookers)("%s looks at releases and does not restore", async (_, project, reason) => {
  const { user } = openReleases(project, { search: "?release=2" });
  const button = await restoreButton();

  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(button).toHaveAccessibleDescription(reason);
  await user.click(button);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(await screen.findByText("It made 1 change.")).toBeVisible();
});

test("the live release offers no discard without unpublished changes", async () => {
  openReleases(pro, { search: "?release=3" });

  expect(await discardButton()).toHaveAccessibleDescription("There are no unpublished changes.");
});

test("on the live release all unpublished changes are discarded after a review, and can be brought back", async () => {
  const calls: unknown[] = [];
  const keptAt = "2026-11-20T12:00:00.000Z";
  const { user } = openReleases(waiting, { search: "?release=3" });
  const screens = [
    { screen: "home", change: "changed" as const, total: 2, keys: [aChange("a", "1", "2"), aChange("b", "1", "2")] },
  ];
  server.use(
    answer("get", DIFF, aReview({ total: 2, release: 3, screens })),
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/discard`,
      { message: "Discarded 2 changes.", discarded: 2, keptAt },
      { onCall: (body) => calls.push(body) },
    ),
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/discard/undo`,
      { message: "The discarded changes are back." },
      { onCall: (body) => calls.push(body) },
    ),
  );

  await user.click(await discardButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Discard all unpublished changes?" }));
  expect(
    await dialog.findByText("The draft gets back what release 3 has. Apps keep that release and get nothing new."),
  ).toBeVisible();
  expect(dialog.getByRole("region", { name: "home" })).toHaveTextContent("2 keys");
  await waitFor(() => expect(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus());
  expect(calls).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Discard 2 changes" }));

  expect(await screen.findByText("Discarded 2 changes.")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("The discarded changes are back.")).toBeInTheDocument();
  expect(calls).toEqual([{ changes: ["all"], expected: "token-1" }, { keptAt }]);
});
