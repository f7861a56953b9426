/** A roll back of a screen that does not happen, or asks again first. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aChange, aComparison, aVersion, first, KEYS, openHistory, pro, VERSIONS } from "@/testing/history";
import { askToRollBack, STALE } from "@/testing/roll-back";
import { answer, offline, refusal, server } from "@/testing/server";

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
