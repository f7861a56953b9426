/** Which queries a live change makes old. This table is the only place that knows; a query of a path outside it stays. */
import type { Query } from "@tanstack/react-query";
import type { Change, Part, Touched } from "./live-events";
import { type Named, namedBy, projectOf, type ReadPath } from "./query";

type Test = (changes: readonly Change[], query: Named, data: unknown) => boolean;

/** For a part whose changes name no entries. */
const hasPart =
  (part: Part): Test =>
  (changes) =>
    changes.some(({ parts }) => parts.has(part));

/** What is unpublished may be different. */
const changesDraft: Test = (changes) =>
  changes.some(
    ({ screens, colors, parts }) =>
      Object.keys(screens).length > 0 ||
      Object.keys(colors).length > 0 ||
      (["project", "texts", "stores"] as const).some((part) => parts.has(part)),
  );

/** A comparison of two releases never changes. */
const changesComparison: Test = (changes, query, data) =>
  query.params.query["against"] === "draft" && changesDraft(changes, query, data);

const changesScreen: Test = (changes, { params }, data) =>
  changes.some(({ screens, parts }) => {
    if (parts.has("texts")) return true;
    const touched = screens[String(params.path["tabName"])];
    return touched === null || (touched !== undefined && isBehind(data, "keys", touched));
  });

const changesColors: Test = (changes, _, data) => changes.some(({ colors }) => isBehind(data, "colors", colors));

const TESTS: { readonly [Path in ReadPath]?: Test } = {
  "/api/translations/{projectId}/{tabName}": changesScreen,
  "/api/translations/{projectId}/{tabName}/versions/{versionId}": changesComparison,
  "/api/colors/{projectId}": changesColors,
  "/api/colors/{projectId}/versions/{colorVersionId}": changesComparison,
  "/api/images/{projectId}": hasPart("images"),
  "/api/stores/{projectId}": hasPart("stores"),
  "/api/stores/{projectId}/{apiIdentifier}": hasPart("stores"),
  "/api/stores/items/{itemId}": hasPart("stores"),
  "/api/stores/items/{itemId}/versions/{versionId}": hasPart("stores"),
  "/api/projects/{projectId}/diff": changesDraft,
  "/api/projects/{projectId}/imports": changesDraft,
  "/api/projects/{projectId}/releases/{releaseNumber}/diff": changesComparison,
  "/api/projects/{projectId}/releases/{releaseNumber}/restore": changesDraft,
  "/api/projects/{projectId}/jobs": hasPart("jobs"),
  "/api/jobs/{jobId}": hasPart("jobs"),
  "/api/projects/{projectId}/members": hasPart("members"),
  "/api/projects/{projectId}/publishable-keys": hasPart("keys"),
  "/api/projects/{projectId}/tokens": hasPart("keys"),
  "/api/schedule/project/{projectId}": hasPart("schedules"),
};

/** Whether what a query has is older than these changes of a project. */
export function isOutdated(
  { queryKey, state }: Pick<Query, "queryKey" | "state">,
  projectId: string,
  changes: readonly Change[],
): boolean {
  const query = namedBy(queryKey);
  const test = Object.hasOwn(TESTS, String(query.path)) ? TESTS[query.path as ReadPath] : undefined;
  if (test === undefined) return false;
  const project = projectOf(query);
  // The address of a job names no project.
  return (project === undefined || project === projectId) && test(changes, query, state.data);
}

/** Whether a list is behind these revisions; so is a list that is not here yet. What is gone must not be in it. */
function isBehind(data: unknown, list: "keys" | "colors", touched: Touched): boolean {
  const items = typeof data === "object" && data !== null ? Reflect.get(data, list) : undefined;
  return Object.entries(touched).some(([name, revision]) => {
    if (!Array.isArray(items)) return true;
    const present = revisionIn(items, name);
    // The event of a renamed colour has only its old name.
    if (revision === null) return list === "colors" || present !== undefined;
    return present === undefined || present < revision;
  });
}

function revisionIn(items: readonly { key?: unknown; revision?: unknown }[], name: string): number | undefined {
  const item = items.find(({ key }) => key === name);
  return typeof item?.revision === "number" ? item.revision : undefined;
}
