import { expect, test } from "vitest";
import { changeOf } from "./live-events";
import { isOutdated } from "./live-refreshes";
import { keyOf } from "./query";

const project = { projectId: "prj_1" };
const SCREEN = "/api/translations/{projectId}/{tabName}";
const compared = (against: string) =>
  keyOf("/api/projects/{projectId}/releases/{releaseNumber}/diff", {
    path: { ...project, releaseNumber: 3 },
    query: { against },
  } as never);

const queries = {
  home: keyOf(SCREEN, { path: { ...project, tabName: "home" }, query: { lang: ["en"] } }),
  news: keyOf(SCREEN, { path: { ...project, tabName: "news" }, query: { lang: ["en"] } }),
  "home elsewhere": keyOf(SCREEN, { path: { projectId: "prj_2", tabName: "home" } }),
  colors: keyOf("/api/colors/{projectId}", { path: project }),
  images: keyOf("/api/images/{projectId}", { path: project }),
  items: keyOf("/api/stores/items/{itemId}", { path: { itemId: "sto_1" } }, project),
  "items elsewhere": keyOf("/api/stores/items/{itemId}", { path: { itemId: "sto_2" } }, { projectId: "prj_2" }),
  diff: keyOf("/api/projects/{projectId}/diff", { path: project }),
  "with the draft": compared("draft"),
  "of two releases": compared("previous"),
  job: keyOf("/api/jobs/{jobId}", { path: { jobId: "job_1" } }),
  members: keyOf("/api/projects/{projectId}/members", { path: project }),
  usage: keyOf("/api/projects/{projectId}/usage", { path: project }),
};

/** The queries that a change makes old, where they have this data. */
const outdatedBy = (change: object, data?: unknown) =>
  Object.entries(queries)
    .filter(([, queryKey]) => isOutdated({ queryKey, state: { data } as never }, "prj_1", [changeOf(change)]))
    .map(([name]) => name);

const draft = ["diff", "with the draft"];

test.each([
  ["a key", { screens: { home: { title: 7 } } }, ["home", ...draft]],
  ["any key of a screen", { screens: { home: null } }, ["home", ...draft]],
  ["all texts", { texts: true }, ["home", "news", ...draft]],
  ["a colour", { colors: { brand: 2 } }, ["colors", ...draft]],
  ["items", { stores: true }, ["items", ...draft]],
  ["images, which are no part of the draft", { images: true }, ["images"]],
  ["a job, whose address names no project", { jobs: true }, ["job"]],
  ["members", { members: true }, ["members"]],
])("%s: the queries concerned are old, and no query of a different project", (_, change, names) => {
  expect(outdatedBy(change)).toEqual(names);
});

test("what has the revision already is not old, and what is gone must not be there", () => {
  const data = { keys: [{ key: "title", revision: 7 }], colors: [] };

  expect(outdatedBy({ screens: { home: { title: 7 } } }, data)).not.toContain("home");
  expect(outdatedBy({ screens: { home: { title: 8 } } }, data)).toContain("home");
  expect(outdatedBy({ screens: { home: { title: null } } }, data)).toContain("home");
  expect(outdatedBy({ screens: { home: { other: null } } }, data)).not.toContain("home");
});
