/** The history of the colours of a project. */
import { screen, within } from "@testing-library/react";
import type { Answer, Project } from "@/lib/api-types";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

export type Version = Answer<"/api/colors/{projectId}/versions", "get">["versions"][number];

type Diff = Answer<"/api/colors/{projectId}/versions/{colorVersionId}", "get">;

type Change = Diff["colors"][number];

export const COLORS = `/api/colors/${PROJECT_ID}`;

export const LIST = `${COLORS}/versions`;

export const aVersion = (versionNumber: number, more: Partial<Version> = {}): Version => ({
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

export const effect = aDiff(aVersion(1), {
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

export const color = (value: string, revision: number) => ({
  colors: [{ key: "accent", value, nickname: "", revision, state: "changed", updatedAt: "2026-11-19T10:00:00Z" }],
});

export async function openHistory(project: Partial<Project> = {}) {
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
