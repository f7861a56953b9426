/** Rolling a screen back, and the undo. */
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { listen } from "@/lib/window-events";
import { aKey, aScreen } from "@/testing/fixtures";
import { aComparison, aVersion, first, KEYS, newest, openHistory, openOnScreen, VERSIONS } from "@/testing/history";
import { askToRollBack, STALE } from "@/testing/roll-back";
import { answer, refusal, server } from "@/testing/server";

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
