/** An open project follows what others change: through the page, with the stream in the test's hands. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { hurry } from "@/testing/clock";
import { aKey, aProject, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { requestsTo } from "@/testing/page";
import { answer, eventStream, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const KEYS = `/api/translations/${PROJECT_ID}/home`;
const EVENTS = `*/api/projects/${PROJECT_ID}/events`;
const jonas = { _id: "usr_jonas", name: "Jonas Weber" };

const keyAt = (text: string, revision: number) => aKey("cta_book", { en: "Book now", de: text }, { revision });
const changeOf = (revision: number | null, by = jonas) => ({ by, screens: { home: { cta_book: revision } } });

/** The screen `home` with one key, and a server whose text and stream the test holds. */
async function openHome(project: Partial<Project> = {}) {
  const stream = eventStream();
  const state = {
    record: keyAt("Buchen", 1),
    reads: 0,
    projectReads: 0,
    lastIds: [] as (string | null)[],
  };
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project), {
      onCall: () => {
        state.projectReads += 1;
      },
    }),
    answer("get", "/api/languages", { languages }),
    http.get(`*${KEYS}`, () => {
      state.reads += 1;
      return HttpResponse.json(aScreen([state.record]));
    }),
    http.get(
      EVENTS,
      ({ request }) => {
        state.lastIds.push(request.headers.get("Last-Event-ID"));
        return stream.response;
      },
      { once: true },
    ),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/home`);
  await screen.findByRole("gridcell", { name: "cta_book, German: Buchen" });
  await waitFor(() => expect(state.lastIds).toHaveLength(1));
  return { ...opened, stream, state };
}

// spec: live-1
test("a colleague's edit appears, and its row is marked for a moment", async () => {
  hurry();
  const { stream, state } = await openHome();

  state.record = keyAt("Jetzt buchen", 2);
  stream.say("change", changeOf(2), "7");

  const cell = await screen.findByRole("gridcell", { name: "cta_book, German: Jetzt buchen" });
  const row = cell.closest('[role="row"]');
  await waitFor(() => expect(row).toHaveAttribute("data-touched"));
  await waitFor(() => expect(row).not.toHaveAttribute("data-touched"));
});

// spec: live-2
test("many changes cause one read, and a revision that the page has already is not read again", async () => {
  hurry();
  const { stream, state } = await openHome();
  const { reads: before, projectReads } = state;

  stream.say("change", changeOf(1), "7");
  stream.say("change", { by: jonas, screens: { checkout: { pay: 3 } } }, "8");
  // The project's counts are read after everything else.
  await waitFor(() => expect(state.projectReads).toBe(projectReads + 1));
  expect(state.reads).toBe(before);

  state.record = keyAt("Los", 4);
  for (const [id, revision] of [2, 3, 4].entries()) stream.say("change", changeOf(revision), String(20 + id));
  await screen.findByRole("gridcell", { name: "cta_book, German: Los" });
  expect(state.reads).toBe(before + 1);
});

// spec: live-2
test("a person's own saved edit is not read again", async () => {
  hurry();
  const { stream, state, user } = await openHome();
  const { reads: before, projectReads } = state;
  const me = aUser();
  server.use(answer("put", `${KEYS}/cta_book`, keyAt("Jetzt", 2)));

  await user.click(screen.getByRole("gridcell", { name: "cta_book, German: Buchen" }));
  const field = screen.getByRole("textbox", { name: "cta_book in German" });
  await user.clear(field);
  await user.type(field, "Jetzt{Enter}");
  stream.say("change", changeOf(2, { _id: me._id, name: me.name }), "7");
  const cell = await screen.findByRole("gridcell", { name: "cta_book, German: Jetzt" });
  // The project's counts are read after everything else.
  await waitFor(() => expect(state.projectReads).toBe(projectReads + 1));

  expect(state.reads).toBe(before);
  expect(cell.closest('[role="row"]')).not.toHaveAttribute("data-touched");
});

test("the effect of a roll back follows the edits of colleagues", async () => {
  const release = { id: "ver_1", versionNumber: 1, timestamp: "2026-11-19T10:00:00Z", kind: "release" as const };
  const version = { ...release, by: "Ada Lovelace", changes: 3, release: 1 };
  const comparison = (changed: number) => ({
    ...{ version, against: "draft", token: `t${changed}`, total: changed, added: 0, changed, removed: 0 },
    ...{ keys: [], missingLanguages: [] },
  });
  const { stream, user } = await openHome({ hasHistory: true, activeTier: "pro", tierName: "Pro Tier" });
  server.use(
    answer("get", `${KEYS}/versions`, { versions: [version], nextCursor: null }),
    answer("get", `${KEYS}/versions/ver_1`, comparison(1)),
  );
  await user.click(screen.getByRole("button", { name: "History" }));
  await user.click(await screen.findByRole("radio", { name: /^Version 1/ }));
  expect(await screen.findByText("Rolling back changes 1 key of the draft.")).toBeVisible();

  server.use(answer("get", `${KEYS}/versions/ver_1`, comparison(2)));
  stream.say("change", changeOf(2), "7");

  expect(await screen.findByText("Rolling back changes 2 keys of the draft.")).toBeVisible();
});

// spec: live-3
test("a text that a person types stays, and a colleague's text of the same key is shown below it", async () => {
  const { stream, state, user } = await openHome();
  await user.click(screen.getByRole("gridcell", { name: "cta_book, German: Buchen" }));
  const field = screen.getByRole("textbox", { name: "cta_book in German" });
  await enter(user, field, " und zahlen");

  state.record = keyAt("Jetzt buchen", 2);
  stream.say("change", changeOf(2), "7");

  expect(await screen.findByText(/Jonas Weber changed this to/)).toHaveTextContent(
    "Jonas Weber changed this to “Jetzt buchen” while you were typing.",
  );
  expect(field).toHaveValue("Buchen und zahlen");
  expect(field).toHaveFocus();

  await user.click(screen.getByRole("button", { name: "Use theirs" }));
  expect(await screen.findByRole("gridcell", { name: "cta_book, German: Jetzt buchen" })).toHaveFocus();
  expect(screen.queryByRole("textbox", { name: "cta_book in German" })).not.toBeInTheDocument();
});

// spec: live-4
test("a person who goes on typing is asked which of the two texts stays", async () => {
  const { stream, state, user } = await openHome();
  await user.click(screen.getByRole("gridcell", { name: "cta_book, German: Buchen" }));
  await enter(user, screen.getByRole("textbox", { name: "cta_book in German" }), " und zahlen");
  state.record = keyAt("Jetzt buchen", 2);
  stream.say("change", changeOf(2), "7");
  await screen.findByText(/Jonas Weber changed this to/);

  await user.keyboard("{Enter}");

  const versions = within(await screen.findByRole("group", { name: "Two versions of cta_book" }));
  expect(versions.getByText("Buchen und zahlen")).toBeVisible();
  expect(versions.getByText("Jetzt buchen")).toBeVisible();
});

// spec: live-5
test("the head shows the other people: three by their initials, the others as a number", async () => {
  const { stream } = await openHome();
  const people = ["Jonas Weber", "Mai", "Ada Lovelace", "Noor Aziz", "Lin Okafor"].map((name) => ({
    _id: `usr_${name}`,
    name,
  }));

  stream.say("presence", { people: [{ _id: aUser()._id, name: aUser().name }, ...people], total: 6 });

  const list = within(await screen.findByRole("list", { name: "Also here" }));
  expect(list.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "JWJonas Weber",
    "MMai",
    "ALAda Lovelace",
    "+2Noor Aziz, Lin Okafor",
  ]);
  stream.say("presence", { people: [{ _id: aUser()._id, name: aUser().name }], total: 1 });
  await waitFor(() => expect(screen.queryByRole("list", { name: "Also here" })).not.toBeInTheDocument());
});

// spec: live-7
test("a lost connection resumes after the last event it got, and 'Reconnecting' is shown only after a while", async () => {
  hurry();
  const { stream, state } = await openHome();
  const next = eventStream();
  stream.say("change", { by: jonas, project: true }, "41");
  await waitFor(() => expect(state.projectReads).toBeGreaterThan(1));
  let mayAnswer = false;
  server.use(
    http.get(EVENTS, ({ request }) => {
      state.lastIds.push(request.headers.get("Last-Event-ID"));
      return mayAnswer ? next.response : HttpResponse.error();
    }),
  );

  act(() => stream.end());
  await waitFor(() => expect(state.lastIds.length).toBeGreaterThan(1));
  expect(screen.queryByText("Reconnecting…")).not.toBeInTheDocument();
  expect(await screen.findByText("Reconnecting…")).toBeVisible();
  mayAnswer = true;
  fireEvent(window, new Event("online"));

  await waitFor(() => expect(screen.queryByText("Reconnecting…")).not.toBeInTheDocument());
  expect(state.lastIds.slice(1)).not.toContain(null);
  expect(state.lastIds.at(-1)).toBe("41");
});

test("a stream that ends because the person lost the project leads out of it", async () => {
  const { stream, router } = await openHome();
  server.use(
    answer("get", "/api/projects", []),
    answer("get", `/api/projects/${PROJECT_ID}`, { message: "Project not found.", code: "not_found" }, { status: 404 }),
    answer(
      "get",
      `/api/projects/${PROJECT_ID}/events`,
      { message: "Project not found.", code: "not_found" },
      { status: 404 },
    ),
  );

  stream.say("bye", { spreadMs: 0 });
  act(() => stream.end());

  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

test("the page reads everything again after a gap that the stream can't fill", async () => {
  const { stream, state } = await openHome();

  state.record = keyAt("Später", 9);
  stream.say("reset", {});

  expect(await screen.findByRole("gridcell", { name: "cta_book, German: Später" })).toBeVisible();
});

test("a hidden page reads nothing until it is visible", async () => {
  const { stream, state } = await openHome();
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => visibility.mockRestore());
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const before = state.reads;

  state.record = keyAt("Später", 2);
  stream.say("change", changeOf(2), "7");
  stream.say("presence", { people: [jonas] });
  await screen.findByRole("list", { name: "Also here" });
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(state.reads).toBe(before);
  visibility.mockReturnValue("visible");
  fireEvent(document, new Event("visibilitychange"));

  expect(await screen.findByRole("gridcell", { name: "cta_book, German: Später" })).toBeVisible();
});

test("a hidden tab ends its stream, and resumes after the last event it got", async () => {
  const { stream, state } = await openHome();
  const next = eventStream();
  server.use(
    http.get(EVENTS, ({ request }) => {
      state.lastIds.push(request.headers.get("Last-Event-ID"));
      return next.response;
    }),
  );
  stream.say("change", changeOf(1), "41");
  stream.say("presence", { people: [jonas] });
  await screen.findByRole("list", { name: "Also here" });
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => visibility.mockRestore());
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());

  fireEvent(document, new Event("visibilitychange"));
  await act(() => vi.advanceTimersByTimeAsync(40_000));
  expect(state.lastIds).toHaveLength(1);
  expect(requestsTo("/events").map(({ signal }) => signal.aborted)).toEqual([true]);
  visibility.mockReturnValue("visible");
  fireEvent(document, new Event("visibilitychange"));

  await waitFor(() => expect(state.lastIds).toEqual([null, "41"]));
});
