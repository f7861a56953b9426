/** The question before a restore shows what it does, and keeps up with the draft and the releases. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { invalidateProject } from "@/lib/query";
import { holdTimers } from "@/testing/clock";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import {
  aPreview,
  colleaguePublishes,
  comparisons,
  detail,
  LIST,
  listed,
  PREVIEW,
  pro,
  staleMessage,
} from "@/testing/releases";
import { chooseDraft, openQuestion, openReleases } from "@/testing/releases-part";
import { answer, offline, refusal, server } from "@/testing/server";

/** How long what has just taken the place of something else rests. */
const SETTLE_MS = 1_000;

/** The line of the question about what becomes of edits. */
const ofEdits = (dialog: Awaited<ReturnType<typeof openQuestion>>["dialog"]) =>
  dialog.getByText(/edits? (is|are) unpublished/).closest("li");

test("a restore after a newer release shows what would change now, and the next click restores that", async () => {
  const { user } = openReleases(pro, { search: "?release=2" });
  const calls = colleaguePublishes(4);
  const aSecondLater = holdTimers(SETTLE_MS);
  await user.click(await screen.findByRole("button", { name: "Restore this release" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 2?" }));
  expect(await dialog.findByText(/Apps get release 4 at once/)).toBeVisible();
  expect(dialog.queryByText(staleMessage)).not.toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "Restore release 2" }));

  expect(await dialog.findByText(/Apps get release 5 at once/)).toBeVisible();
  expect(dialog.getByRole("alert")).toHaveTextContent(staleMessage);
  expect(dialog.getByText("title").closest("li")?.querySelector("del")).toHaveTextContent("Text of 4");
  const again = dialog.getByRole("button", { name: "Restore release 2" });
  await user.click(again);
  again.focus();
  await user.keyboard("{Enter}");
  expect(again).toHaveAttribute("aria-disabled", "true");
  expect(calls).toHaveLength(1);
  aSecondLater();
  expect(again).not.toHaveAttribute("aria-disabled");
  await user.click(again);

  expect(await screen.findByText("Release 2 was restored: it is release 5 now.")).toBeInTheDocument();
  expect(calls).toEqual([
    { number: "2", expected: 3 },
    { number: "2", expected: 4 },
  ]);
});

test("an open question stays as it is when a newer release is published, and restores nothing until the change was looked at", async () => {
  const { user, queryClient, dialog, confirm } = await openQuestion();
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  server.use(offline("post", `${LIST}/2/restore`));
  await user.click(confirm);
  expect(await dialog.findByText("You are offline. Nothing was restored.")).toBeVisible();
  isOnline.mockRestore();
  const calls = colleaguePublishes(4);
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, release: 4 })));
  await invalidateProject(queryClient, PROJECT_ID);

  const told = await dialog.findByText("Release 4 was published while this dialog was open.");
  expect(told.closest('[role="alert"]')).not.toBeNull();
  expect(dialog.getByText(/Apps get release 4 at once/)).toBeVisible();
  expect(dialog.getByText("title").closest("li")?.querySelector("del")).toHaveTextContent("Text of 3");
  expect(confirm).toHaveAttribute("aria-disabled", "true");
  confirm.focus();
  await user.keyboard("{Enter}");
  await user.click(confirm);

  const aSecondLater = holdTimers(SETTLE_MS);
  await user.click(dialog.getByRole("button", { name: "Show what would change now" }));
  expect(await dialog.findByText(/Apps get release 5 at once/)).toBeVisible();
  expect(dialog.getByText("title").closest("li")?.querySelector("del")).toHaveTextContent("Text of 4");
  expect(dialog.queryByRole("alert")).not.toBeInTheDocument();
  expect(confirm).not.toHaveFocus();
  expect(confirm).toHaveAttribute("aria-disabled", "true");
  aSecondLater();
  expect(confirm).not.toHaveAttribute("aria-disabled");
  expect(calls).toEqual([]);
  await user.click(confirm);

  expect(await screen.findByText("Release 2 was restored: it is release 5 now.")).toBeInTheDocument();
  expect(calls).toEqual([{ number: "2", expected: 4 }]);
});

test("the question stays until it has what would change now, and can ask for that again", async () => {
  const { user, queryClient, dialog, confirm } = await openQuestion();
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, release: 4 })));
  await invalidateProject(queryClient, PROJECT_ID);
  const show = await dialog.findByRole("button", { name: "Show what would change now" });
  server.use(answer("get", `${LIST}/2/diff`, "", { status: 500 }));

  await user.click(show);
  expect(await dialog.findByText("Failed to compare the releases.")).toBeVisible();
  expect(dialog.getByText(/Apps get release 4 at once/)).toBeVisible();
  expect(confirm).toHaveAttribute("aria-disabled", "true");
  server.use(comparisons);
  await user.click(show);

  expect(await dialog.findByText(/Apps get release 5 at once/)).toBeVisible();
  expect(dialog.queryByRole("alert")).not.toBeInTheDocument();
});

test("by default the draft stays as it is, and the question shows what the next publish does", async () => {
  const asked: string[] = [];
  const unpublished = { total: 2, screens: { home: 1 }, colors: 1, stores: 0 };
  const { dialog } = await openQuestion({ unpublished }, [
    http.get(`*${PREVIEW}`, ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(aPreview({ waiting: 2, staying: 7 }));
    }),
  ]);

  expect(dialog.getByRole("radio", { name: "Apps" })).toBeChecked();
  expect(
    dialog.getByText("The draft stays as it is. 2 changes (1 in home, 1 in Colours) stay unpublished."),
  ).toBeVisible();
  expect(
    await dialog.findByText(
      "The draft then differs from what apps have by 7 changes. The next publish gives them to apps, unless you leave them out or discard them.",
    ),
  ).toBeVisible();
  expect(asked).toEqual(["?draft=false"]);
});

test("with the draft the question shows how many edits stay or leave, and what can't come back", async () => {
  const left = 'The screen "promo" was left out: your plan allows 5.';
  const unpublished = { total: 1276, screens: { home: 1, promo: 1270 }, colors: 1, stores: 3 };
  const question = await openQuestion({ unpublished }, [
    answer("get", PREVIEW, aPreview({ waiting: 1276, staying: 1271, keptEdits: 3, leftOut: [left] })),
  ]);
  const { dialog } = question;
  await chooseDraft(question);

  expect(await dialog.findByText(left)).toBeVisible();
  expect(await dialog.findByText("3 leave the draft")).toBeVisible();
  expect(ofEdits(dialog)).toHaveTextContent(
    "1,276 edits are unpublished (1 in home, 1,270 in promo, 1 in Colours, 3 in Data Stores, 1 in the list of languages). 3 leave the draft and stay in the histories of screens, colours and items. The undo returns them. 2 are undone: deletions of items, Data Stores, screens and languages, and changes to the name and the published fields of a Data Store. The undo returns them. 1,271 stay in the draft: what apps never had.",
  );
});

test("an edit that arrives while the question is open is counted, and marked as new", async () => {
  const question = await openQuestion({ unpublished: { total: 1, screens: { home: 1 }, colors: 0, stores: 0 } }, [
    answer("get", PREVIEW, aPreview({ waiting: 1, keptEdits: 1 })),
  ]);
  const { queryClient, dialog } = question;
  await chooseDraft(question);
  expect(await dialog.findByText("1 leaves the draft")).toBeVisible();
  const unpublished = { total: 2, screens: { home: 2 }, colors: 0, stores: 0 };
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, unpublished })),
    answer("get", PREVIEW, aPreview({ waiting: 2, keptEdits: 2 })),
  );
  await invalidateProject(queryClient, PROJECT_ID);

  expect(await dialog.findByText("2 leave the draft")).toBeVisible();
  expect(ofEdits(dialog)).toHaveTextContent("2 edits are unpublished (in home); when you opened this it was 1.");
});

test("edits that can't be counted are described in general, and the restore stays possible", async () => {
  const question = await openQuestion({ unpublished: { total: 1, screens: { home: 1 }, colors: 0, stores: 0 } }, [
    refusal("get", PREVIEW, 503, { message: "The database is not available right now. Please try again." }),
  ]);
  const { dialog, confirm } = question;
  expect(await dialog.findByText(/^The next publish gives apps all that differs/)).toBeVisible();
  await chooseDraft(question);

  expect(await dialog.findByText(/Edits to what was published before leave the draft/)).toBeVisible();
  expect(confirm).not.toHaveAttribute("aria-disabled");
});

test("the question shows that a scheduled publish still happens", async () => {
  const now = new Date();
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9);

  const { dialog } = await openQuestion({ scheduledFor: tomorrow.toISOString() });

  expect(
    dialog.getByText("The scheduled publish of tomorrow 9:00 AM stays: it publishes what the draft holds then."),
  ).toBeVisible();
});

test("a question that is closed without an answer returns the focus, each time", async () => {
  const { user, opener, confirm } = await openQuestion();
  await waitFor(() => expect(confirm).toHaveFocus());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(opener).toHaveFocus());

  await user.click(opener);
  await waitFor(() => expect(screen.getByRole("button", { name: "Restore release 2" })).toHaveFocus());
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(opener).toHaveFocus());
});

test("the Back button closes the question", async () => {
  const { user, router } = openReleases();
  const list = await listed();
  await user.click(list.getByRole("link", { name: /^Release 1/ }));
  await user.click((await detail(1)).getByRole("button", { name: "Restore this release" }));
  await screen.findByRole("dialog", { name: "Restore release 1?" });

  await act(() => router.navigate(-1));

  expect(await detail(3)).toBeDefined();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});
