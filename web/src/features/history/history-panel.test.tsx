import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import type { KeyChange } from "@/lib/diff";
import { listen } from "@/lib/window-events";
import { aKey, aProject, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { openSignedIn } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";
import { HistoryButton } from "./history-button";

type Version = Answer<"/api/translations/{projectId}/{tabName}/versions", "get">["versions"][number];
type Comparison = Answer<"/api/translations/{projectId}/{tabName}/versions/{versionId}", "get">;

const KEYS = `/api/translations/${PROJECT_ID}/home`;
const VERSIONS = `${KEYS}/versions`;
const pro: Partial<Project> = { hasHistory: true, activeTier: "pro", tierName: "Pro Tier" };

function aVersion(versionNumber: number, values: Partial<Version> = {}): Version {
  return {
    id: `ver_${versionNumber}`,
    versionNumber,
    timestamp: "2026-11-19T10:00:00Z",
    kind: "release",
    by: "Ada Lovelace",
    changes: 3,
    release: versionNumber,
    restored: null,
    ...values,
  };
}

const newest = aVersion(3, { changes: 1 });
const kept = aVersion(2, { kind: "draft", by: "Grace Hopper" });
const first = aVersion(1, { changes: 12 });

const aChange = (key: string, change: KeyChange["change"], old: string, next: string): KeyChange => ({
  key,
  change,
  by: "Ada Lovelace",
  at: "2026-11-19T10:00:00Z",
  values: [{ language: "en", old, new: next }],
});

function aComparison(version: Version, values: Partial<Comparison> = {}): Comparison {
  return {
    version,
    against: "draft",
    token: "seen",
    total: 2,
    added: 0,
    changed: 1,
    removed: 1,
    keys: [aChange("cta_book", "changed", "Reserve now", "Book now"), aChange("cta_new", "removed", "Fresh", "")],
    missingLanguages: [],
    ...values,
  };
}

type Answered = Parameters<typeof answer>[2];
const three = { versions: [newest, kept, first], nextCursor: null };

function answerHistory(versions: Answered): void {
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", VERSIONS, versions),
    answer("get", `${VERSIONS}/ver_1`, aComparison(first)),
  );
}

async function opened<Opened extends { user: UserEvent }>(page: Opened) {
  await page.user.click(await screen.findByRole("button", { name: "History" }));
  return { ...page, panel: within(await screen.findByRole("dialog", { name: "History of home" })) };
}

function showButton(project: Partial<Project>) {
  return openInProject(<HistoryButton project={aProject(project)} screen="home" unsaved={0} />, project);
}

async function openHistory(project: Partial<Project> = pro, versions: Answered = three) {
  answerHistory(versions);
  return opened(showButton(project));
}

/** With the whole dashboard behind the panel. */
async function openOnScreen(project: Partial<Project> = pro, versions: Answered = three) {
  answerHistory(versions);
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", KEYS, aScreen([aKey("cta_book", { en: "Reserve now" })])),
  );
  const page = openSignedIn(`/projects/${PROJECT_ID}/home`);
  await screen.findByRole("grid", { name: "Texts of home" });
  return opened(page);
}

// spec: history-1
test("versions are listed newest first, with number, time, person and number of keys", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-19T13:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const { panel } = await openHistory();

  const list = await panel.findByRole("group", { name: "Versions, newest first" });
  const rows = within(list)
    .getAllByRole("radio")
    .map((radio) => radio.closest("label"));
  expect(rows[0]).toHaveTextContent(/^Version 3Release 3 ?3 hours ago.*Ada Lovelace.*1 key$/);
  expect(rows[1]).toHaveTextContent(/^Version 2.*Draft before roll back.*Grace Hopper.*3 keys$/);
  expect(rows[2]).toHaveTextContent(/^Version 1.*12 keys$/);
  expect(within(list).getAllByTitle(/Nov 19, 2026/)).toHaveLength(3);
});

test("the list distinguishes a restore from a publish, and a draft before a restore from a draft before a roll back", async () => {
  const versions = [
    aVersion(4, { kind: "draft", release: 8 }),
    aVersion(3, { release: 8, restored: 2 }),
    aVersion(2, { kind: "draft", release: 7, restored: 2 }),
    aVersion(1, { release: 2 }),
  ];
  const { panel } = await openHistory(pro, { versions, nextCursor: null });

  const list = await panel.findByRole("group", { name: "Versions, newest first" });
  const rows = within(list)
    .getAllByRole("radio")
    .map((radio) => radio.closest("label"));
  expect(rows[0]).toHaveTextContent(/^Version 4Draft before roll back/);
  expect(rows[1]).toHaveTextContent(/^Version 3Release 8 · restored release 2/);
  expect(rows[2]).toHaveTextContent(/^Version 2Draft before release 2 was restored/);
  expect(rows[3]).toHaveTextContent(/^Version 1Release 2/);
});

// spec: history-8
test("a chosen version shows what rolling back would change, without a person, and what the version changed itself", async () => {
  const asked: string[] = [];
  const { user, panel } = await openHistory();
  server.use(
    http.get(`*${VERSIONS}/ver_1`, ({ request }) => {
      const against = new URL(request.url).searchParams.get("against") === "previous" ? "previous" : "draft";
      asked.push(against);
      const keys = [aChange("title", "added", "", "Hello")];
      return HttpResponse.json(aComparison(first, against === "draft" ? {} : { against, total: 1, keys }));
    }),
  );

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  expect(await panel.findByText("Rolling back changes 2 keys of the draft.")).toBeVisible();
  const line = panel.getByText("cta_book").closest<HTMLElement>("li");
  expect(line?.querySelector("del")).toHaveTextContent("Reserve now");
  expect(line?.querySelector("ins")).toHaveTextContent("Book now");
  const effect = within(panel.getByRole("region", { name: "Version 1: If you roll back" }));
  expect(effect.queryByText(/Ada Lovelace|ago/)).toBeNull();

  await user.click(panel.getByRole("button", { name: "What it changed" }));
  expect(await panel.findByText("It changed 1 key.")).toBeVisible();
  expect(panel.getByText("title")).toBeVisible();
  const changed = within(panel.getByRole("region", { name: "Version 1: What it changed" }));
  expect(changed.getByText(/^Ada Lovelace,/)).toBeVisible();
  expect(asked).toEqual(expect.arrayContaining(["draft", "previous"]));
});

test("the arrow keys go through the versions", async () => {
  const { user, panel } = await openHistory();
  server.use(answer("get", `${VERSIONS}/:version`, aComparison(kept)));

  await user.click(await panel.findByRole("radio", { name: /^Version 3/ }));
  await user.keyboard("{ArrowDown}");

  expect(panel.getByRole("radio", { name: /^Version 2/ })).toBeChecked();
  expect(await panel.findByRole("region", { name: "Draft before roll back: If you roll back" })).toBeVisible();
});

test("a large difference shows its first keys, and how many more there are", async () => {
  const { user, panel } = await openHistory();
  server.use(answer("get", `${VERSIONS}/ver_1`, aComparison(first, { total: 1_202 })));

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));

  expect(await panel.findByText("and 1,200 more keys")).toBeVisible();
});

// spec: history-6, history-9
test("a roll back asks first, reads the screen again, informs the page, and can be undone", async () => {
  const rolledBack: string[] = [];
  const expected: unknown[] = [];
  const told: string[] = [];
  const stop = listen("translationsUpdated", ({ screen: name }) => told.push(name));
  let text = "Reserve now";
  const { user, panel } = await openOnScreen();
  server.use(
    answer("get", `${VERSIONS}/ver_1`, aComparison(first, { total: 3, added: 1 })),
    http.get(`*${KEYS}`, () => HttpResponse.json(aScreen([aKey("cta_book", { en: text })]))),
    http.post(`*${KEYS}/rollback/:version`, async ({ params, request }) => {
      expected.push(await request.json());
      const id = String(params["version"]);
      rolledBack.push(id);
      text = id === "ver_1" ? "Book now" : "Reserve now";
      const message = "Rolled back to version 1: 3 keys changed.";
      return HttpResponse.json({
        message,
        keys: [],
        changed: 3,
        token: `after ${id}`,
        kept: aVersion(id === "ver_1" ? 4 : 5, { kind: "draft" }),
      });
    }),
  );

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  await panel.findByText("Rolling back changes 3 keys of the draft.");
  await user.click(panel.getByRole("button", { name: "Roll back" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Roll back to version 1?" }));
  expect(
    dialog.getByText(/1 key gets its former texts, 1 key is removed and 1 key comes back.*“Draft before roll back”/),
  ).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Roll back" }));

  expect(await screen.findByText("Rolled back to version 1: 3 keys changed.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(await screen.findByRole("gridcell", { name: /English: Book now/ })).toBeVisible();
  expect(told).toEqual(["__UNPUBLISHED__"]);
  await waitFor(() => expect(screen.getByRole("button", { name: "History" })).toHaveFocus());

  await user.dblClick(screen.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("The roll back is undone.")).toBeInTheDocument();
  expect(await screen.findByRole("gridcell", { name: /English: Reserve now/ })).toBeVisible();
  expect(rolledBack).toEqual(["ver_1", "ver_4"]);
  expect(expected).toEqual([{ expected: "seen" }, { expected: "after ver_1" }]);
  stop();
});

const STALE = {
  message: "The draft changed since you looked. Please look at what would change now.",
  code: "stale_draft",
};

async function askToRollBack({ user, panel }: Awaited<ReturnType<typeof openHistory>>) {
  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  await panel.findByText("Rolling back changes 2 keys of the draft.");
  await user.click(panel.getByRole("button", { name: "Roll back" }));
  return within(await screen.findByRole("dialog", { name: "Roll back to version 1?" }));
}

test("a roll back of a draft that changed shows what would change now, and asks again", async () => {
  const expected: unknown[] = [];
  const opened = await openHistory();
  const { user } = opened;
  const dialog = await askToRollBack(opened);
  const keys = [aChange("footer", "removed", "A colleague's", "")];
  server.use(
    answer("get", `${VERSIONS}/ver_1`, aComparison(first, { token: "newer", total: 1, changed: 0, keys })),
    answer("post", `${KEYS}/rollback/ver_1`, STALE, { status: 409, onCall: (body) => expected.push(body) }),
  );
  await user.click(dialog.getByRole("button", { name: "Roll back" }));

  expect(await dialog.findByRole("alert")).toHaveTextContent(STALE.message);
  expect(dialog.getByText(/The draft of home is overwritten: 1 key is removed\./)).toBeVisible();
  const now = within(dialog.getByRole("region", { name: "What would change now" }));
  expect(now.getByText("footer")).toBeVisible();
  expect(now.getByText("A colleague's")).toBeVisible();
  expect(now.queryByText(/Ada Lovelace/)).toBeNull();
  expect(screen.queryByRole("button", { name: "Undo" })).not.toBeInTheDocument();

  const message = "Rolled back to version 1: 1 key changed.";
  const done = { message, keys: [], changed: 1, token: "after", kept: aVersion(4, { kind: "draft" }) };
  server.use(answer("post", `${KEYS}/rollback/ver_1`, done, { onCall: (body) => expected.push(body) }));
  await user.click(dialog.getByRole("button", { name: "Roll back" }));

  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(expected).toEqual([{ expected: "seen" }, { expected: "newer" }]);
});

test("an edit that arrives while the question is open is not overwritten, though the panel shows it", async () => {
  const expected: unknown[] = [];
  const opened = await openHistory();
  const dialog = await askToRollBack(opened);
  server.use(
    answer("get", `${VERSIONS}/ver_1`, aComparison(first, { token: "newer", total: 5, changed: 4 })),
    answer("post", `${KEYS}/rollback/ver_1`, STALE, { status: 409, onCall: (body) => expected.push(body) }),
  );
  await opened.queryClient.invalidateQueries();
  await screen.findByText("Rolling back changes 5 keys of the draft.");
  expect(dialog.getByText(/1 key gets its former texts and 1 key is removed\./)).toBeVisible();

  await opened.user.click(dialog.getByRole("button", { name: "Roll back" }));

  expect(await dialog.findByText(/4 keys get their former texts and 1 key is removed\./)).toBeVisible();
  expect(expected).toEqual([{ expected: "seen" }]);
});

test("the question closes if what would change now can't be read", async () => {
  const opened = await openHistory();
  const dialog = await askToRollBack(opened);
  server.use(refusal("post", `${KEYS}/rollback/ver_1`, 409, STALE), refusal("get", `${VERSIONS}/ver_1`, 404, STALE));

  await opened.user.click(dialog.getByRole("button", { name: "Roll back" }));

  expect(await screen.findByText(STALE.message)).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog", { name: /^Roll back to/ })).not.toBeInTheDocument());
});

test("an undo overwrites no edit that was made since, reports that, and opens the history", async () => {
  const opened = await openHistory();
  const { user } = opened;
  const dialog = await askToRollBack(opened);
  const message = "Rolled back to version 1: 2 keys changed.";
  const kept = aVersion(4, { kind: "draft" });
  server.use(
    answer("post", `${KEYS}/rollback/ver_1`, { message, keys: [], changed: 2, token: "after", kept }),
    answer("get", VERSIONS, { versions: [kept, newest, first], nextCursor: null }),
    refusal("post", `${KEYS}/rollback/ver_4`, 409, STALE),
  );
  await user.click(dialog.getByRole("button", { name: "Roll back" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

  await user.click(await screen.findByRole("button", { name: "Undo" }));

  const said = "Somebody edited home since: nothing was undone. Its history has the draft from before the roll back.";
  expect(await screen.findByText(said)).toBeInTheDocument();
  const panel = within(await screen.findByRole("dialog", { name: "History of home" }));
  expect(await panel.findByRole("radio", { name: /^Version 4.*Draft before roll back/ })).toBeInTheDocument();
  expect(screen.queryByText("The roll back is undone.")).not.toBeInTheDocument();
});

test("a roll back waits for the texts that are being saved", async () => {
  const calls: string[] = [];
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { user } = await openOnScreen();
  await user.keyboard("{Escape}");
  const saved = aKey("cta_book", { en: "Typed" }, { revision: 2 });
  server.use(
    answer("put", `${KEYS}/cta_book`, saved, { until: arrived, onCall: () => calls.push("edit") }),
    answer("get", `${VERSIONS}/ver_1`, aComparison(first), { onCall: () => calls.push("compare") }),
  );
  await user.click(await screen.findByRole("gridcell", { name: "cta_book, English: Reserve now" }));
  await user.clear(screen.getByRole("textbox", { name: "cta_book in English" }));
  await user.type(screen.getByRole("textbox", { name: "cta_book in English" }), "Typed{Enter}");
  await waitFor(() => expect(calls).toEqual(["edit"]));

  await user.click(screen.getByRole("button", { name: "History" }));
  await user.click(await screen.findByRole("radio", { name: /^Version 1/ }));
  expect(screen.getByText(/^1 text is not saved yet/)).toBeVisible();
  expect(calls).toEqual(["edit"]);
  arrive();

  await waitFor(() => expect(calls).toEqual(["edit", "compare"]));
});

// spec: history-12
test("a roll back that fails shows that, and offers no undo", async () => {
  const { user, panel } = await openHistory();
  server.use(offline("post", `${KEYS}/rollback/ver_1`));

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  await panel.findByText("Rolling back changes 2 keys of the draft.");
  await user.click(panel.getByRole("button", { name: "Roll back" }));
  await user.click(
    within(await screen.findByRole("dialog", { name: "Roll back to version 1?" })).getByRole("button", {
      name: "Roll back",
    }),
  );

  expect(await screen.findByText("Rollback failed")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Undo" })).not.toBeInTheDocument();
});

// spec: history-10
test("a version that is gone shows the server's message: 'Invalid version ID.'", async () => {
  const { user, panel } = await openHistory();
  server.use(refusal("post", `${KEYS}/rollback/ver_1`, 404, { message: "Invalid version ID." }));

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  await panel.findByText("Rolling back changes 2 keys of the draft.");
  await user.click(panel.getByRole("button", { name: "Roll back" }));
  await user.click(
    within(await screen.findByRole("dialog", { name: "Roll back to version 1?" })).getByRole("button", {
      name: "Roll back",
    }),
  );

  expect(await screen.findByText("Invalid version ID.")).toBeInTheDocument();
});

test("a draft that equals the version has nothing to roll back", async () => {
  const { user, panel } = await openHistory();
  const same = { total: 0, added: 0, changed: 0, removed: 0, keys: [] };
  server.use(answer("get", `${VERSIONS}/ver_1`, aComparison(first, same)));

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));

  expect(await panel.findByText("The draft of home is as this version already.")).toBeVisible();
  const button = panel.getByRole("button", { name: "Roll back" });
  expect(button).toHaveAccessibleDescription("The draft is as Version 1 already.");
  await user.click(button);
  expect(screen.queryByRole("dialog", { name: /^Roll back to/ })).not.toBeInTheDocument();
});

// spec: history-7
test("languages that the project no longer has are named before the roll back", async () => {
  const { user, panel } = await openHistory({ ...pro, languages: ["en"] });
  server.use(answer("get", `${VERSIONS}/ver_1`, aComparison(first, { missingLanguages: ["de"] })));

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));

  expect(await panel.findByText(/Texts in German don't come back: the project no longer has them\.$/)).toBeVisible();
});

test("older versions are fetched on request", async () => {
  const { user, panel } = await openHistory(pro, { versions: [newest], nextCursor: 3 });
  server.use(
    http.get(`*${VERSIONS}`, ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get("cursor") === "3"
          ? { versions: [kept, first], nextCursor: null }
          : { versions: [newest], nextCursor: 3 },
      ),
    ),
  );

  await user.click(await panel.findByRole("button", { name: "Older versions" }));

  expect(await panel.findByRole("radio", { name: /^Version 1/ })).toBeInTheDocument();
  expect(panel.queryByRole("button", { name: "Older versions" })).not.toBeInTheDocument();
});

// spec: history-13
test("a screen that was never published has no versions yet", async () => {
  const { panel } = await openHistory(pro, { versions: [], nextCursor: null });

  expect(await panel.findByText("No published versions yet")).toBeVisible();
});

// spec: history-11
test("a failure to fetch versions offers another try", async () => {
  server.use(answer("get", "/api/languages", { languages }), offline("get", VERSIONS));
  const { user } = showButton(pro);
  await user.click(await screen.findByRole("button", { name: "History" }));

  expect(await screen.findByText("Failed to fetch versions")).toBeVisible();
  server.use(answer("get", VERSIONS, { versions: [first], nextCursor: null }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("radio", { name: /^Version 1/ })).toBeInTheDocument();
});

// spec: history-2
test("without the pro tier the panel shows which tier has it and leads to the plan", async () => {
  const asked: string[] = [];
  const { user, panel } = await openOnScreen({}, {});
  server.use(answer("get", VERSIONS, {}, { onCall: () => asked.push("versions") }));

  expect(screen.getByRole("button", { name: "History", hidden: true })).toHaveAccessibleDescription(
    "Version history is part of the Pro Tier.",
  );
  expect(panel.getByText("Version history is part of the Pro Tier.")).toBeVisible();
  expect(panel.getByText(/This project is on Growth Tier; its versions are kept already\.$/)).toBeVisible();
  server.use(answer("get", "/api/plans", { creditPrice: "", durations: [1], plans: [] }));
  await user.click(panel.getByRole("button", { name: "See the Pro Tier" }));

  expect(await screen.findByRole("dialog", { name: /plan|tier/i })).toBeVisible();
  expect(asked).toEqual([]);
});

test("a person who may not choose a plan reads who may", async () => {
  const { panel } = await openHistory({ role: "editor", permissions: ["read", "edit", "publish"] }, {});

  expect(panel.getByText(/Only admins and the owner can activate a plan\.$/)).toBeVisible();
  expect(panel.queryByRole("button", { name: "See the Pro Tier" })).not.toBeInTheDocument();
});

test("a plan that has ended shows the offer of the plan, not a failure", async () => {
  server.use(
    answer("get", "/api/languages", { languages }),
    refusal("get", VERSIONS, 403, { message: "Version history is part of …", code: "tier_feature" }),
  );
  const { user } = showButton(pro);
  await user.click(await screen.findByRole("button", { name: "History" }));

  expect(await screen.findByText("Version history is part of the Pro Tier.")).toBeVisible();
});

// spec: history-14
test("a viewer looks at versions and does not roll back", async () => {
  const { user, panel } = await openHistory({ ...pro, role: "viewer", permissions: ["read"] });

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  await panel.findByText("Rolling back changes 2 keys of the draft.");
  const button = panel.getByRole("button", { name: "Roll back" });
  expect(button).toHaveAccessibleDescription(/^Viewers can't change content\./);
  await user.click(button);

  expect(screen.queryByRole("dialog", { name: /^Roll back to/ })).not.toBeInTheDocument();
});
