/** A restore in the whole dashboard. */
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http, type RequestHandler } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { heard } from "@/testing/browser";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { aPreview, aRelease, colleaguePublishes, detail, LIST, listed, PREVIEW, pro, third } from "@/testing/releases";
import { openReleases } from "@/testing/releases-page";
import { answer, server } from "@/testing/server";

/** Opens the question about release 2, from its page. */
async function openQuestion(project: Partial<Project> = {}, answers: readonly RequestHandler[] = []) {
  const opened = openReleases({ ...pro, ...project }, { search: "?release=2" });
  server.use(...answers);
  const opener = await screen.findByRole("button", { name: "Restore this release" });
  await opened.user.click(opener);
  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 2?" }));
  return { ...opened, opener, dialog, confirm: await dialog.findByRole("button", { name: "Restore release 2" }) };
}

/** The line of the question about what becomes of edits. */
const ofEdits = (dialog: Awaited<ReturnType<typeof openQuestion>>["dialog"]) =>
  dialog.getByText(/edits? (is|are) unpublished/).closest("li");

// spec: release-4
test("a restore shows what happens and what differs from now, happens, and can be undone", async () => {
  const calls: [string, unknown][] = [];
  const texts = heard("translationsUpdated");
  const projects = heard("projectUpdated");
  const { user, router } = openReleases({
    ...pro,
    unpublished: { total: 2, screens: { home: 1 }, colors: 0, stores: 1 },
  });
  server.use(answer("get", PREVIEW, aPreview({ waiting: 2, keptEdits: 2 })));
  const restored = [aRelease(4, { kind: "restore", restored: 1, isCurrent: true }), { ...third, isCurrent: false }];
  server.use(
    http.post(`*${LIST}/:number/restore`, async ({ params, request }) => {
      calls.push([String(params["number"]), await request.json()]);
      const release = 3 + calls.length;
      if (release === 5) restored.unshift(aRelease(5, { kind: "restore", restored: 3, isCurrent: true }));
      server.use(
        answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, release })),
        answer("get", LIST, { releases: restored, nextCursor: null }),
      );
      return HttpResponse.json({
        message: "Release 1 is live again, as release 4.",
        release,
        published: true,
        keptEdits: calls.length === 1 ? 2 : 1,
        keptAt: "2026-11-20T12:00:00.000Z",
        returnedEdits: calls.length === 1 ? 0 : 2,
        leftOut: calls.length === 1 ? ["The screen promo could not come back: the plan has 5 screens."] : [],
      });
    }),
  );
  await user.click((await listed()).getByRole("link", { name: /^Release 1/ }));
  await user.click((await detail(1)).getByRole("button", { name: "Restore this release" }));

  const dialog = within(await screen.findByRole("dialog", { name: "Restore release 1?" }));
  await user.click(await dialog.findByRole("radio", { name: "Apps and the draft" }));
  expect(
    await dialog.findByText(/Apps get release 4 at once.*of release 1: 1 change.*Images stay as they are/),
  ).toBeVisible();
  expect(await dialog.findByText("2 leave the draft")).toBeVisible();
  expect(ofEdits(dialog)).toHaveTextContent(
    /^2 edits are unpublished \(1 in home, 1 in Data Stores\)\. 2 leave the draft and stay in the histories of screens, colours and items\. The undo returns them\.$/,
  );
  expect(
    dialog.getByText(/undo it or restore release 3\. Only the undo returns edits that left the draft/),
  ).toBeVisible();
  expect(dialog.getByText("title").closest("li")?.querySelector("del")).toHaveTextContent("Text of 3");
  expect(calls).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Restore release 1" }));

  expect(
    await screen.findByText(
      "Release 1 is live again, as release 4. 2 edits that were unpublished left the draft; they stay in the histories.",
    ),
  ).toBeInTheDocument();
  expect(await detail(4)).toBeDefined();
  expect(router.state.location.search).toBe("?release=4");
  expect(screen.getByText("The screen promo could not come back: the plan has 5 screens.")).toBeVisible();
  expect([texts, projects]).toEqual([[{ projectId: PROJECT_ID, screen: "__ALL__" }], [{ projectId: PROJECT_ID }]]);

  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(
    await screen.findByText(
      "Apps are back on what release 3 had. 2 edits are in the draft again. 1 edit made since then stays in its history.",
    ),
  ).toBeInTheDocument();
  expect(calls).toEqual([
    ["1", { expected: 3, draft: true }],
    ["3", { expected: 4, draft: true, undo: { release: 1, keptAt: "2026-11-20T12:00:00.000Z" } }],
  ]);
  expect(await detail(5)).toBeDefined();
  expect(router.state.location.search).toBe("?release=5");
  await waitFor(() => expect(screen.queryByText(/could not come back/)).not.toBeInTheDocument());
});

test("after a restore, and after its undo, the focus is on the page", async () => {
  const { user, confirm } = await openQuestion();
  colleaguePublishes(3);
  await user.click(confirm);
  const undo = await screen.findByRole("button", { name: "Undo" });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Restore this release" })).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());

  colleaguePublishes(4);
  await user.click(undo);
  expect(await screen.findByText("Apps are back on what release 3 had.")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});
