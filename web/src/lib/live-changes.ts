/**
 * Brings the page up to date with the changes that are heard of. Only the queries concerned are read again, once for
 * many changes. They are not read at all where the cache has the revision already, as after an edit of one's own.
 */
import type { Query, QueryClient } from "@tanstack/react-query";
import { type Change, changeOf, type LiveEvent, type Touched } from "./live-events";
import { noteTouched } from "./live-marks";
import { refreshProjectSoon } from "./project";
import { keys } from "./queries";
import { storedUser } from "./session";

/** The answer to one's own edit has this long to come before the edit is read again. */
const GATHER_MS = 150;
/** Pages of which only "something changed" is known are read again at most so often. */
const LOOSE_MS = 1_000;

const SCREEN = "/api/translations/{projectId}/{tabName}";
const DIFF = "/api/projects/{projectId}/diff";
const COLORS = "/api/colors/{projectId}";
/** Comparisons of what was published, with the draft where their key ends so. */
const COMPARED = ["/api/projects/{projectId}/releases", `${SCREEN}/versions`, `${COLORS}/versions`];
const WITH_DRAFT = "draft";
/** All of its addresses begin so: a part that says only that something of it changed. */
const STORES = "/api/stores/";
const BY_PART: Readonly<Record<string, string>> = {
  members: "/api/projects/{projectId}/members",
  keys: "/api/projects/{projectId}/publishable-keys",
  images: "/api/images/{projectId}",
  schedules: "/api/schedule/project/{projectId}",
};

export class LiveChanges {
  readonly #client: QueryClient;
  readonly #projectId: string;
  #waiting: Change[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = 0;
  #lastLoose = 0;

  constructor(client: QueryClient, projectId: string) {
    this.#client = client;
    this.#projectId = projectId;
    document.addEventListener("visibilitychange", this.#schedule);
  }

  take(event: LiveEvent): void {
    if (event.name === "change") this.#waiting.push(changeOf(event.data));
    else if (event.name === "reset") this.#waiting.push(changeOf({ everything: true }));
    else return;
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#schedule);
  }

  /** What nobody looks at waits until somebody does. */
  #schedule = (): void => {
    if (this.#waiting.length === 0 || document.visibilityState === "hidden") return;
    const isLoose = this.#waiting.every(
      ({ screens, parts }) => parts.has("jobs") || parts.has("stores") || hasNull(screens),
    );
    const wait = isLoose ? Math.max(GATHER_MS, this.#lastLoose + LOOSE_MS - Date.now()) : GATHER_MS;
    const dueAt = Date.now() + wait;
    if (this.#timer !== undefined && this.#dueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (isLoose) this.#lastLoose = Date.now();
      void this.#apply(this.#waiting.splice(0));
    }, wait);
  };

  async #apply(changes: readonly Change[]): Promise<void> {
    const parts = new Set(changes.flatMap((change) => [...change.parts]));
    this.#note(changes, false);
    void this.#client.invalidateQueries({ queryKey: keys.activity });
    if (parts.has("everything") || changes.some((change) => change.release !== null)) {
      void this.#client.invalidateQueries({ queryKey: keys.projects });
      await this.#client.invalidateQueries({ queryKey: keys.project(this.#projectId) });
    } else {
      refreshProjectSoon(this.#client, this.#projectId);
      await this.#client.invalidateQueries({ predicate: (query) => this.#isStale(query, changes, parts) });
    }
    this.#note(changes, true);
  }

  /** Of one's own edits one knows. */
  #note(changes: readonly Change[], isShown: boolean): void {
    const me = storedUser()?._id;
    for (const { by, screens } of changes) {
      if (by === null || by._id === me) continue;
      for (const [screen, touched] of Object.entries(screens)) {
        for (const key of Object.keys(touched ?? {})) noteTouched(this.#projectId, screen, key, by.name, isShown);
      }
    }
  }

  /** Whether what a query has is older than the changes. */
  #isStale({ queryKey, state }: Query, changes: readonly Change[], parts: ReadonlySet<string>): boolean {
    // A job's address names no project.
    if (parts.has("jobs") && queryKey.some((part) => typeof part === "string" && /\/jobs\b/.test(part))) return true;
    const [root, projectId, path, screen] = queryKey;
    if (root !== keys.project("")[0] || projectId !== this.#projectId) return false;
    if (typeof path === "string" && path.startsWith(STORES)) return parts.has("stores");
    const isWithDraft = COMPARED.some((one) => one === path) && queryKey.at(-1) === WITH_DRAFT;
    if (path === DIFF || isWithDraft) return changes.some(changesDraft);
    if (path === COLORS) return changes.some(({ colors }) => isBehind(state.data, "colors", colors));
    if (path !== SCREEN || typeof screen !== "string") return [...parts].some((part) => BY_PART[part] === path);
    return (
      parts.has("texts") ||
      changes.some(({ screens }) => {
        const touched = screens[screen];
        return touched === null || (touched !== undefined && isBehind(state.data, "keys", touched));
      })
    );
  }
}

/** Whether a list is behind these revisions; so is one that is not here yet. What is gone must not be in it. */
function isBehind(data: unknown, list: "keys" | "colors", touched: Touched): boolean {
  const items = typeof data === "object" && data !== null ? Reflect.get(data, list) : undefined;
  return Object.entries(touched).some(([name, revision]) => {
    if (!Array.isArray(items)) return true;
    const present = revisionIn(items, name);
    // A colour that got another name is told by the old one alone.
    if (revision === null) return list === "colors" || present !== undefined;
    return present === undefined || present < revision;
  });
}

function revisionIn(items: readonly { key?: unknown; revision?: unknown }[], name: string): number | undefined {
  const item = items.find(({ key }) => key === name);
  return typeof item?.revision === "number" ? item.revision : undefined;
}

/** Whether what waits to be published may be other than it was. */
const changesDraft = ({ screens, colors, parts }: Change) =>
  Object.keys(screens).length > 0 ||
  Object.keys(colors).length > 0 ||
  ["project", "texts", "stores"].some((part) => parts.has(part));

const hasNull = (screens: Change["screens"]) => Object.values(screens).some((touched) => touched === null);
