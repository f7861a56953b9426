import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http, type RequestHandler } from "msw";
import { expect, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { invalidateProject } from "@/lib/query";
import { onSmallScreen } from "@/testing/browser";
import { holdTimers, hurry } from "@/testing/clock";
import { renderInProject } from "@/testing/component";
import { aProject, aDiff as aReview, languages, PROJECT_ID } from "@/testing/fixtures";
import {
  aChange,
  aDiff,
  ago,
  aPreview,
  aRelease,
  colleaguePublishes,
  comparisons,
  detail,
  first,
  LIST,
  listed,
  nothingKept,
  PREVIEW,
  pro,
  restoreButton,
  second,
  staleMessage,
  third,
} from "@/testing/releases";
import { answer, offline, refusal, server } from "@/testing/server";
import { Discarding } from "../publishing/discarding";
import type { Release } from "./queries";
import { ReleasesPage } from "./releases-page";

const DIFF = `/api/projects/${PROJECT_ID}/diff`;

function openReleases(
  project: Partial<Project> = pro,
  { search = "", releases = [third, second, first] }: { search?: string; releases?: Release[] } = {},
) {
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", LIST, { releases, nextCursor: null }),
    answer("get", PREVIEW, aPreview()),
    comparisons,
  );
  const page = (
    <Discarding>
      <ReleasesPage />
    </Discarding>
  );
  return renderInProject(page, project, { at: `releases${search}`, pattern: "releases" });
}

// spec: release-1
test("the releases are listed newest first by day, each with its time, kind, person and number of changes", async () => {
  openReleases();
  const list = await listed();

  expect(list.getAllByRole("region").map((day) => day.getAttribute("aria-label"))).toEqual([
    "Today",
    "Yesterday",
    "Wednesday, Nov 19, 2025",
  ]);
  expect(list.getAllByRole("link").map((link) => link.textContent)).toEqual([
    expect.stringMatching(/^Release 3Live\d+:\d\d [AP]MPublished by Ada Lovelace1 change$/),
    expect.stringMatching(/^Release 2.*Scheduled by Grace Hopper12 changes$/),
    expect.stringMatching(/^Release 1.*Published by Ada Lovelace12 changes$/),
  ]);
});

// spec: release-1
test.each([
  ["images", null, "Images by"],
  ["item_rollback", null, "Item rolled back by"],
  ["restore", 7, "Restored release 7 by"],
] as const)("a release of the kind %s shows its kind", async (kind, restored, words) => {
  openReleases(pro, { releases: [aRelease(9, { kind, restored, isCurrent: true })] });

  expect((await listed()).getByRole("link")).toHaveTextContent(words);
});

// spec: release-2
test("the live release is shown first, and a chosen release shows what it changed", async () => {
  const { user, router } = openReleases();
  const list = await listed();
  expect((await detail(3)).getByRole("heading", { name: /^Release 3 ?Live$/ })).toBeVisible();
  expect(list.getByRole("link", { name: /^Release 3/ })).toHaveAttribute("aria-current", "true");

  await user.click(list.getByRole("link", { name: /^Release 2/ }));

  const shown = await detail(2);
  expect(await shown.findByText("It made 1 change.")).toBeVisible();
  const line = shown.getByText("title").closest("li");
  expect(line?.querySelector("del")).toHaveTextContent("Text of previous");
  expect(line?.querySelector("ins")).toHaveTextContent("Text of 2");
  expect(router.state.location.search).toBe("?release=2");
});

test("the arrow keys go through the list, and Enter chooses", async () => {
  const { user } = openReleases();
  const list = await listed();
  list.getByRole("link", { name: /^Release 3/ }).focus();

  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
  expect(list.getByRole("link", { name: /^Release 2/ })).toHaveFocus();
  await user.keyboard("{End}{Enter}");

  expect(await (await detail(1)).findByText("The first release: 1 change.")).toBeVisible();
});

// spec: release-2
test("a release is compared with any other release, and with the draft", async () => {
  const { user, router } = openReleases(pro, { search: "?release=3" });
  const picker = await (await detail(3)).findByLabelText("Compare with");

  await user.selectOptions(picker, "1");
  expect(await screen.findByText("From release 1 to release 3: 1 change.")).toBeVisible();
  expect(screen.getByText("title").closest("li")?.querySelector("del")).toHaveTextContent("Text of 1");
  expect(router.state.location.search).toBe("?release=3&against=1");

  await user.selectOptions(picker, "draft");
  expect(await screen.findByText("Since release 3, with what is not published yet: 1 change.")).toBeVisible();
});

// spec: release-8
test("an address leads to a release and its comparison, also to a release that is not listed yet", async () => {
  const asked: string[] = [];
  server.use(answer("get", LIST, {}));
  openReleases(pro, { search: "?release=12&against=9" });
  server.use(
    http.get(`*${LIST}`, ({ request }) => {
      const { searchParams } = new URL(request.url);
      const cursor = searchParams.get("cursor");
      if (cursor === null) return HttpResponse.json({ releases: [aRelease(99, { isCurrent: true })], nextCursor: 99 });
      asked.push(searchParams.toString());
      return HttpResponse.json({ releases: [aRelease(12)], nextCursor: 12 });
    }),
  );

  const shown = await detail(12);

  expect(await shown.findByText("From release 9 to release 12: 1 change.")).toBeVisible();
  expect(shown.getByLabelText("Compare with")).toHaveDisplayValue("Release 9");
  expect(asked).toEqual(["cursor=13&limit=1"]);
});

test.each(["?release=77", "?release=3&against=77"])("%s names no release, and the page shows that", async (search) => {
  openReleases(pro, { search });
  server.use(
    refusal("get", `${LIST}/:number/diff`, 404, { message: "There is no such release.", code: "release_not_found" }),
  );

  expect(await screen.findByText(/There is no (release 77|such release)\./)).toBeVisible();
  expect(await listed()).toBeDefined();
});

test("more releases are fetched on request", async () => {
  const { user } = openReleases();
  server.use(
    http.get(`*${LIST}`, ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get("cursor") === "2"
          ? { releases: [first], nextCursor: null }
          : { releases: [third, second], nextCursor: 2 },
      ),
    ),
  );
  await user.click(await screen.findByRole("button", { name: "Show more" }, { timeout: 15_000 }));

  expect(await (await listed()).findByRole("link", { name: /^Release 1/ })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
});

test("a comparison shows nicknames of colours, fields of stores, sizes of images, and the bounds of a long list", async () => {
  openReleases();
  const at = ago(0);
  const price = { _id: "fld_price", name: "price", type: "Number" as const, required: true, isTranslatable: false };
  server.use(
    answer(
      "get",
      `${LIST}/3/diff`,
      aDiff(3, {
        total: 1_503,
        screens: [{ screen: "home", change: "changed", total: 1_500, keys: [aChange("title", "", "مرحبا")] }],
        colors: [
          {
            key: "primary",
            change: "changed",
            by: "Ada Lovelace",
            at,
            old: "#0b5d5e",
            new: "#c8371c",
            oldNickname: "Sea",
            newNickname: "Vermilion",
          },
        ],
        colorsTotal: 1,
        stores: [
          {
            store: "trips",
            name: "Trips",
            change: "changed",
            total: 1,
            oldName: "Journeys",
            newName: "Trips",
            fields: [{ name: "price", change: "removed", old: price, new: null }],
            fieldsMoved: false,
            by: "Grace Hopper",
            at,
            items: [],
          },
        ],
        images: [
          {
            key: "logo",
            change: "changed",
            by: "Ada Lovelace",
            at,
            old: { hash: "a", width: 120, height: 60, bytes: 2_048 },
            new: { hash: "b", width: 240, height: 120, bytes: 4_096 },
          },
        ],
        imagesTotal: 1,
      }),
    ),
  );

  const shown = await detail(3);

  expect(await shown.findByText(/Of long lists the first 200 changes are shown/)).toBeVisible();
  expect(shown.getByRole("button", { name: "Show 1,499 more" })).toBeEnabled();
  expect(shown.getByRole("region", { name: "Colours" })).toHaveTextContent("#0b5d5eSea→#c8371cVermilion");
  expect(shown.getByRole("region", { name: "Data Store Trips" })).toHaveTextContent(
    /Name and fieldsChangedGrace Hopper, .*NameJourneysTripspriceremoved: Number, requiredIts values go with it\.$/,
  );
  expect(shown.getByRole("region", { name: "Images" })).toHaveTextContent("120 × 60, 2 KB240 × 120, 4 KB");
});

test("a long list is shown in full on request", async () => {
  const list = (count: number) => [
    {
      screen: "home",
      change: "changed" as const,
      total: 3,
      keys: ["a", "b", "c"].slice(0, count).map((key) => aChange(key, "", "x")),
    },
  ];
  const { user } = openReleases();
  server.use(
    http.get(`*${LIST}/3/diff`, ({ request }) => {
      const isWhole = new URL(request.url).searchParams.getAll("whole").includes("screen/home");
      return HttpResponse.json(aDiff(3, { total: 3, screens: list(isWhole ? 3 : 1) }));
    }),
  );
  const shown = await detail(3);

  await user.click(await shown.findByRole("button", { name: "Show 2 more" }));

  await waitFor(() => expect(shown.getByText("b").closest("li")).toHaveFocus());
  expect(shown.getByText("c")).toBeVisible();
  expect(shown.queryByText(/Of long lists/)).not.toBeInTheDocument();
});

/** How long what has just taken the place of something else rests. */
const SETTLE_MS = 1_000;

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

/** Opens the question about release 2, from its page. */
async function openQuestion(project: Partial<Project> = {}, answers: readonly RequestHandler[] = []) {
  const opened = openReleases({ ...pro, ...project }, { search: "?release=2" });
  server.use(...answers);
  const opener = await screen.findByRole("button", { name: "Restore this release" });
  await opened.user.click(opener);
  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 2?" }));
  return { ...opened, opener, dialog, confirm: await dialog.findByRole("button", { name: "Restore release 2" }) };
}

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

test("a change that has not happened has no date and no person", async () => {
  const { user, dialog } = await openQuestion();
  const lineIn = (part: { getByText: (text: string) => HTMLElement }) => part.getByText("title").closest("li");
  expect(lineIn(dialog)).not.toHaveTextContent(/just now|Ada Lovelace/);
  await user.keyboard("{Escape}");

  const picker = within(screen.getByRole("article")).getByLabelText("Compare with");
  await user.selectOptions(picker, "3");
  expect(await screen.findByText("From release 3 to release 2: 1 change.")).toBeVisible();
  expect(lineIn(screen)).not.toHaveTextContent(/just now|Ada Lovelace/);
  await user.selectOptions(picker, "draft");
  expect(await screen.findByText(/with what is not published yet/)).toBeVisible();
  expect(lineIn(screen)).toHaveTextContent("Ada Lovelace, just now");
});

/** The line of the question about what becomes of edits. */
const ofEdits = (dialog: Awaited<ReturnType<typeof openQuestion>>["dialog"]) =>
  dialog.getByText(/edits? (is|are) unpublished/).closest("li");

/** Chooses that the draft is restored, too. */
async function chooseDraft({ user, dialog }: Pick<Awaited<ReturnType<typeof openQuestion>>, "user" | "dialog">) {
  await user.click(dialog.getByRole("radio", { name: "Apps and the draft" }));
}

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

test("edits that apps never had stay in the draft", async () => {
  const question = await openQuestion({ unpublished: { total: 2, screens: { home: 2 }, colors: 0, stores: 0 } }, [
    answer("get", PREVIEW, aPreview({ waiting: 2, staying: 2 })),
  ]);
  const { dialog } = question;
  await chooseDraft(question);

  expect(await dialog.findByText(/All of it stays in the draft, as apps never had it\./)).toBeVisible();
  expect(dialog.queryByText(/Only the undo returns/)).not.toBeInTheDocument();
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

const discardButton = () => screen.findByRole("button", { name: "Discard all unpublished changes" });
const waiting = { ...pro, unpublished: { total: 3, screens: { home: 2 }, colors: 0, stores: 1 } };

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

test("a printed release has every change, folded and hidden changes too", async () => {
  const many = Array.from({ length: 60 }, (_, number) => aChange(`key_${number}`, "", "New"));
  const section = { screen: "home", change: "changed" as const, total: 61 };
  const { user } = openReleases(pro, { search: "?release=3" });
  const wholes: string[] = [];
  server.use(
    http.get(`*${LIST}/3/diff`, ({ request }) => {
      const whole = new URL(request.url).searchParams.getAll("whole");
      wholes.push(...whole);
      const keys = whole.length > 0 ? [...many, aChange("key_60", "", "Last")] : many;
      return HttpResponse.json(aDiff(3, { total: 61, screens: [{ ...section, keys }] }));
    }),
  );
  const seen: number[] = [];
  const print = vi.spyOn(window, "print").mockImplementation(() => {
    act(() => void window.dispatchEvent(new Event("beforeprint")));
    seen.push(screen.getAllByText(/^key_/).length);
    act(() => void window.dispatchEvent(new Event("afterprint")));
  });

  await user.click(await screen.findByRole("button", { name: "Print all changes" }));

  await waitFor(() => expect(seen).toEqual([61]));
  expect(wholes).toEqual(["screen/home"]);
  await waitFor(() => expect(screen.getAllByText(/^key_/)).toHaveLength(40));
  print.mockRestore();
});

test("the print dialog does not open on a different release", async () => {
  let arrive = () => {};
  const until = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const section = { screen: "home", change: "changed" as const, total: 61, keys: [aChange("title", "", "New")] };
  const { user, queryClient } = openReleases(pro, { search: "?release=3" });
  server.use(answer("get", `${LIST}/3/diff`, aDiff(3, { total: 61, screens: [section] })));
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  const button = await screen.findByRole("button", { name: "Print all changes" });
  await screen.findByText(/the numbers count all/);
  server.use(answer("get", `${LIST}/3/diff`, aDiff(3, { total: 61, screens: [section] }), { until }));
  await user.click(button);
  await user.click((await listed()).getByRole("link", { name: /^Release 2/ }));
  await detail(2);

  arrive();

  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(print).not.toHaveBeenCalled();
});

// spec: release-9
test("before the first publish the page explains what it will show", async () => {
  openReleases({ ...pro, release: 0, isPublished: false }, { releases: [] });

  expect(await screen.findByRole("heading", { name: "Nothing is published yet" }, { timeout: 15_000 })).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to the texts" })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/general`,
  );
});

// spec: release-9
test("releases that can't be read can be loaded again", async () => {
  const { user } = openReleases();
  server.use(answer("get", LIST, "", { status: 500 }));
  expect(await screen.findByText("Failed to fetch releases.")).toBeVisible();

  server.use(answer("get", LIST, { releases: [third], nextCursor: null }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await detail(3)).toBeDefined();
});

test("a comparison that fails can be tried again", async () => {
  const { user } = openReleases(pro, { search: "?release=2" });
  server.use(answer("get", `${LIST}/2/diff`, "", { status: 500 }));
  expect(await screen.findByText("Failed to compare the releases.")).toBeVisible();

  server.use(answer("get", `${LIST}/2/diff`, aDiff(2)));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("It made 1 change.")).toBeVisible();
});

// spec: release-9
test("on a small screen the list leads to a release and back, and the focus follows", async () => {
  onSmallScreen();
  const { user } = openReleases();
  const list = await listed();
  expect(screen.queryByRole("article")).not.toBeInTheDocument();

  await user.click(list.getByRole("link", { name: /^Release 2/ }));
  expect((await detail(2)).getByRole("heading", { name: "Release 2" })).toHaveFocus();
  expect(screen.queryByRole("navigation", { name: "Releases, newest first" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "All releases" }));

  expect((await listed()).getByRole("link", { name: /^Release 2/ })).toHaveFocus();
});

test("a colleague's publish appears in the list, and the open release stays open", async () => {
  const { user, queryClient, router } = openReleases();
  const list = await listed();
  const read = await detail(3);
  list.getByRole("link", { name: /^Release 3/ }).focus();
  const releases = [aRelease(4, { isCurrent: true }), { ...third, isCurrent: false }, second, first];
  server.use(
    answer("get", LIST, { releases, nextCursor: null }),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, release: 4 })),
  );

  await invalidateProject(queryClient, PROJECT_ID);

  expect(await list.findByRole("link", { name: /^Release 4 ?Live/ })).toBeVisible();
  expect(list.getByRole("link", { name: /^Release 3/ })).toHaveFocus();
  expect(list.getByRole("link", { name: /^Release 3/ })).toHaveAttribute("aria-current", "true");
  expect(read.getByRole("heading", { name: "Release 3" })).toBeVisible();
  expect(screen.getByRole("status")).toHaveTextContent("Release 4 is published.");

  await user.click(screen.getByRole("button", { name: "Show it" }));

  expect(await detail(4)).toBeDefined();
  expect(router.state.location.search).toBe("?release=4");
  expect(screen.queryByText("Release 4 is published.")).not.toBeInTheDocument();
  expect(screen.getByRole("main")).toHaveFocus();
});
