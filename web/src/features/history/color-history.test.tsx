import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { heard } from "@/testing/browser";
import { aVersion, COLORS, color, effect, LIST, openHistory } from "@/testing/color-history";
import { PROJECT_ID } from "@/testing/fixtures";
import { answer, refusal, server } from "@/testing/server";

// spec: color-15
test("the versions of the colours are listed, and a chosen version shows what rolling back to it would change", async () => {
  const { user, panel } = await openHistory();
  server.use(answer("get", `${LIST}/ver_1`, effect));

  await user.click(await panel.findByRole("radio", { name: /Version 1.*Jonas Weber.*2 changed/ }));

  expect(await panel.findByText("Rolling back changes 3 colours of the draft.")).toBeVisible();
  const changes = panel.getAllByRole("listitem").map((item) => item.textContent);
  expect(changes[0]).toMatch(/^accentChanged#f0a04bSand→#c8371cVermilion$/);
  expect(changes[1]).toMatch(/^draftRemoved#505050$/);
  expect(changes[2]).toMatch(/^goneNew#303030$/);
});

// spec: color-17, color-18
test("a roll back overwrites the draft, informs the window, and can be undone", async () => {
  const events = heard("translationsUpdated");
  const { user, panel } = await openHistory();
  const expected: unknown[] = [];
  const kept = aVersion(3, { kind: "draft", changes: 3 });
  server.use(
    answer("get", `${LIST}/ver_1`, effect),
    answer(
      "post",
      `${COLORS}/rollback/ver_1`,
      {
        message: "Rolled back to version 1: 3 colours changed.",
        colors: [],
        changed: 3,
        token: "after",
        kept,
      },
      { onCall: (body) => expected.push(body) },
    ),
  );
  await user.click(await panel.findByRole("radio", { name: /Version 1/ }));
  await user.click(await panel.findByRole("button", { name: "Roll back" }));
  const question = within(await screen.findByRole("dialog", { name: "Roll back to version 1?" }));
  expect(
    question.getByText(/The draft of the colours is overwritten: 1 colour gets its former value, 1 colour is removed/),
  ).toBeVisible();

  server.use(answer("get", COLORS, color("#c8371c", 4)));
  await user.click(question.getByRole("button", { name: "Roll back" }));

  expect(await screen.findByText("Rolled back to version 1: 3 colours changed.")).toBeInTheDocument();
  expect(events).toEqual([{ projectId: PROJECT_ID, screen: "colors" }]);
  expect(await screen.findByText("#c8371c")).toBeInTheDocument();
  const undone: unknown[] = [];
  server.use(
    answer(
      "post",
      `${COLORS}/rollback/ver_3`,
      {
        message: "Rolled back to version 3: 3 colours changed.",
        colors: [],
        changed: 3,
        token: "before",
        kept: aVersion(4),
      },
      {
        onCall: (body, { url }) => {
          expected.push(body);
          undone.push(new URL(url).pathname);
        },
      },
    ),
  );
  await user.click(screen.getByRole("button", { name: "Undo" }));

  expect(await screen.findByText("The roll back is undone.")).toBeInTheDocument();
  expect(undone).toEqual([`${COLORS}/rollback/ver_3`]);
  expect(expected).toEqual([{ expected: "seen" }, { expected: "after" }]);
});

test("an undo overwrites no colour that was changed since, reports that, and opens the history", async () => {
  const { user, panel } = await openHistory();
  const kept = aVersion(3, { kind: "draft", changes: 3 });
  const message = "Rolled back to version 1: 3 colours changed.";
  server.use(
    answer("get", `${LIST}/ver_1`, effect),
    answer("post", `${COLORS}/rollback/ver_1`, { message, colors: [], changed: 3, token: "after", kept }),
    refusal("post", `${COLORS}/rollback/ver_3`, 409, { message: "The draft changed.", code: "stale_draft" }),
  );
  await user.click(await panel.findByRole("radio", { name: /Version 1/ }));
  await user.click(await panel.findByRole("button", { name: "Roll back" }));
  await user.click(
    within(await screen.findByRole("dialog", { name: "Roll back to version 1?" })).getByRole("button", {
      name: "Roll back",
    }),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  expect(
    await screen.findByText(
      "Somebody edited the colours since: nothing was undone. Their history has the draft from before the roll back.",
    ),
  ).toBeInTheDocument();
  expect(await screen.findByRole("dialog", { name: "History of the colours" })).toBeVisible();
});
