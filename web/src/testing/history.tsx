/** The history of the screen home. */
import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { HistoryButton } from "@/features/history/history-button";
import type { Answer, Project } from "@/lib/api-types";
import type { KeyChange } from "@/lib/diff";
import { aKey, aProject, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

export type Version = Answer<"/api/translations/{projectId}/{tabName}/versions", "get">["versions"][number];

type Comparison = Answer<"/api/translations/{projectId}/{tabName}/versions/{versionId}", "get">;

export const KEYS = `/api/translations/${PROJECT_ID}/home`;

export const VERSIONS = `${KEYS}/versions`;

export const pro: Partial<Project> = { hasHistory: true, activeTier: "pro", tierName: "Pro Tier" };

export function aVersion(versionNumber: number, values: Partial<Version> = {}): Version {
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

export const newest = aVersion(3, { changes: 1 });

export const kept = aVersion(2, { kind: "draft", by: "Grace Hopper" });

export const first = aVersion(1, { changes: 12 });

export const aChange = (key: string, change: KeyChange["change"], old: string, next: string): KeyChange => ({
  key,
  change,
  by: "Ada Lovelace",
  at: "2026-11-19T10:00:00Z",
  values: [{ language: "en", old, new: next }],
});

export function aComparison(version: Version, values: Partial<Comparison> = {}): Comparison {
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

export async function opened<Opened extends { user: UserEvent }>(page: Opened) {
  await page.user.click(await screen.findByRole("button", { name: "History" }));
  return { ...page, panel: within(await screen.findByRole("dialog", { name: "History of home" })) };
}

export function showButton(project: Partial<Project>) {
  return openInProject(<HistoryButton project={aProject(project)} screen="home" unsaved={0} />, project);
}

export async function openHistory(project: Partial<Project> = pro, versions: Answered = three) {
  answerHistory(versions);
  return opened(showButton(project));
}

/** With the whole dashboard behind the panel. */
export async function openOnScreen(project: Partial<Project> = pro, versions: Answered = three) {
  answerHistory(versions);
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", KEYS, aScreen([aKey("cta_book", { en: "Reserve now" })])),
  );
  const page = openSignedIn(`/projects/${PROJECT_ID}/home`);
  await screen.findByRole("grid", { name: "Texts of home" });
  return opened(page);
}
