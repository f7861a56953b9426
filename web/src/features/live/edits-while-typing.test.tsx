/** A colleague's edit of what a person is typing or is about to roll back. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { changeOf, KEYS, keyAt, openHome } from "@/testing/live";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";

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
