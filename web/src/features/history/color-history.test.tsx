import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import { heard } from "@/testing/browser";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, refusal, server } from "@/testing/server";

type Version = Answer<"/api/colors/{projectId}/versions", "get">["versions"][number];
type Diff = Answer<"/api/colors/{projectId}/versions/{colorVersionId}", "get">;
type Change = Diff["colors"][number];

const COLORS = `/api/colors/${PROJECT_ID}`;
const LIST = `${COLORS}/versions`;

const aVersion = (versionNumber: number, more: Partial<Version> = {}): Version => ({
  id: `ver_${versionNumber}`,
  versionNumber,
  timestamp: "2026-11-19T10:00:00Z",
  kind: "release",
  by: "Jonas Weber",
  changes: 2,
  release: versionNumber,
  restored: null,
  ...more,
});

const aChange = (key: string, values: Partial<Change>): Change => ({
  key,
  change: "changed",
  by: "Jonas Weber",
  at: "2026-11-19T10:00:00Z",
  old: "",
  new: "",
  oldNickname: "",
  newNickname: "",
  ...values,
});

const aDiff = (version: Version, values: Partial<Diff> = {}): Diff => ({
  version,
  against: "draft",
  token: "seen",
  total: 0,
  added: 0,
  changed: 0,
  removed: 0,
  colors: [],
  ...values,
});

const effect = aDiff(aVersion(1), {
  total: 3,
  added: 1,
  changed: 1,
  removed: 1,
  colors: [
    aChange("accent", { old: "#f0a04b", new: "#c8371c", oldNickname: "Sand", newNickname: "Vermilion" }),
    aChange("draft", { change: "removed", old: "#505050" }),
    aChange("gone", { change: "added", new: "#303030" }),
  ],
});

const color = (value: string, revision: number) => ({
  colors: [{ key: "accent", value, nickname: "", revision, state: "changed", updatedAt: "2026-11-19T10:00:00Z" }],
});

async function openHistory(project: Partial<Project> = {}) {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ hasHistory: true, ...project })),
    answer("get", "/api/languages", { languages: [] }),
    answer("get", COLORS, color("#f0a04b", 3)),
    answer("get", LIST, { versions: [aVersion(2), aVersion(1)], nextCursor: null }),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/colors`);
  await opened.user.click(await screen.findByRole("button", { name: "History" }));
  return { ...opened, panel: within(await screen.findByRole("dialog", { name: "History of the colours" })) };
}

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

// spec: color-19
test("a history that can't be read can be loaded again", async () => {
  server.use(answer("get", LIST, "", { status: 500 }));
  const project = answer("get", `/api/projects/${PROJECT_ID}`, aProject({ hasHistory: true }));
  server.use(project, answer("get", "/api/languages", { languages: [] }), answer("get", COLORS, color("#f0a04b", 3)));
  const { user } = openSignedIn(`/projects/${PROJECT_ID}/colors`);
  await user.click(await screen.findByRole("button", { name: "History" }));

  expect(await screen.findByText("Failed to load color versions")).toBeVisible();
});

// spec: color-20
test("a roll back that fails without a message shows that it failed", async () => {
  const { user, panel } = await openHistory();
  server.use(answer("get", `${LIST}/ver_1`, effect), answer("post", `${COLORS}/rollback/ver_1`, "", { status: 500 }));
  await user.click(await panel.findByRole("radio", { name: /Version 1/ }));
  await user.click(await panel.findByRole("button", { name: "Roll back" }));

  await user.click(
    within(await screen.findByRole("dialog", { name: "Roll back to version 1?" })).getByRole("button", {
      name: "Roll back",
    }),
  );

  expect(await screen.findByText("Failed to rollback color version")).toBeInTheDocument();
});

// spec: color-15
test("without the pro tier the panel shows what is missing, and offers the plan", async () => {
  server.use(
    refusal("get", LIST, 403, { message: 'Version history is part of the "Pro Tier".', code: "tier_feature" }),
  );
  const { panel } = await openHistory({ hasHistory: false });

  expect(panel.getByText("Version history is part of the Pro Tier.")).toBeVisible();
  expect(panel.getByRole("button", { name: "See the Pro Tier" })).toBeVisible();
  await waitFor(() => expect(panel.queryByRole("radio")).not.toBeInTheDocument());
});
