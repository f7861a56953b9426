/**
 * Brings the page up to date with the changes that are heard of. Only the queries concerned are read again, once for
 * many changes. They are not read at all where the cache has the revision already, as after an edit of one's own.
 */
import type { QueryClient } from "@tanstack/react-query";
import { type Change, changeOf, type LiveEvent } from "./live-events";
import { noteTouched } from "./live-marks";
import { isOutdated } from "./live-refreshes";
import { refreshProjectSoon } from "./project";
import { invalidate, invalidateProject } from "./query";
import { storedUser } from "./session";

/** The answer to one's own edit has this long to come before the edit is read again. */
const GATHER_MS = 150;
/** Pages of which only "something changed" is known are read again at most so often. */
const LOOSE_MS = 1_000;

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
    this.#note(changes, false);
    void invalidate(this.#client, "/api/activity");
    if (changes.some(({ parts, release }) => parts.has("everything") || release !== null)) {
      void invalidate(this.#client, "/api/projects");
      await invalidateProject(this.#client, this.#projectId);
    } else {
      refreshProjectSoon(this.#client, this.#projectId);
      await this.#client.invalidateQueries({ predicate: (query) => isOutdated(query, this.#projectId, changes) });
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
}

const hasNull = (screens: Change["screens"]) => Object.values(screens).some((touched) => touched === null);
