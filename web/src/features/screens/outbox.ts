/**
 * Edits of texts on their way to the server.
 *
 * An edit stays here, and in local storage, until the server has acknowledged it or the person has given it up. Neither
 * a lost connection nor a closed tab loses a text. Edits of one key are sent in order, since each names the revision
 * that the edit before it made. An edit never overwrites a text that its author has not seen.
 */
import type { QueryClient } from "@tanstack/react-query";
import { ApiError, api, messageOf, take } from "@/lib/api";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { authorIn } from "@/lib/stale-revision";
import type { Edit, EditStatus } from "./edit";
import { EditStorage } from "./edit-storage";
import { pendingText } from "./filters";
import { type KeyRecord, putCurrent, putRecord, recordsIn } from "./queries";

const RETRY_MS = 4_000;
const SAVED_SHOWN_MS = 2_000;

const idOf = (keyId: string, language: string) => `${keyId}/${language}`;

const editOf = (record: KeyRecord, language: string, base: string, text: string, status: EditStatus): Edit => ({
  screen: record.tabName,
  keyId: record._id,
  keyName: record.key,
  language,
  base,
  text,
  known: record.values,
  status,
});

export class Outbox {
  readonly #projectId: string;
  readonly #client: QueryClient;
  readonly #storage: EditStorage;
  readonly #listeners = new Set<() => void>();
  readonly #busyKeys = new Set<string>();
  #edits: ReadonlyMap<string, Edit> = new Map();
  #retries: ReturnType<typeof setInterval> | undefined;

  constructor(projectId: string, client: QueryClient) {
    this.#projectId = projectId;
    this.#client = client;
    this.#storage = new EditStorage(projectId);
  }

  /** Takes up what an earlier visit left unsent. Returns the function that stops. */
  start = (): (() => void) => {
    const left = this.#storage.read().filter((edit) => !this.#edits.has(idOf(edit.keyId, edit.language)));
    for (const edit of left) this.#put(edit);
    const letGo = this.#storage.takeUpTyping((typed) => {
      const present = this.find(typed.keyId, typed.language);
      // What was written here since must not be lost to it: it stays stored for the next visit.
      if (present !== undefined && !left.includes(present)) return false;
      this.#put(typed);
      return true;
    });
    this.#retries = setInterval(this.retry, RETRY_MS);
    window.addEventListener("online", this.retry);
    this.retry();
    return () => {
      letGo();
      clearInterval(this.#retries);
      window.removeEventListener("online", this.retry);
    };
  };

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** All edits; the same map until one changes. */
  all = (): ReadonlyMap<string, Edit> => this.#edits;

  find(keyId: string, language: string): Edit | undefined {
    return this.#edits.get(idOf(keyId, language));
  }

  /** The text as the person wrote it last, until the server has it. */
  textOf(record: KeyRecord, language: string): string {
    return pendingText(this.find(record._id, language), record, language);
  }

  /** Takes a finished edit. `seen` is the text that the editor opened with. */
  save(record: KeyRecord, language: string, seen: string, text: string): void {
    this.#storage.forgetTyping();
    const before = this.find(record._id, language);
    if (before === undefined && text === seen) return;
    if (before !== undefined && before.text === text && before.status !== "refused") return;
    // While an earlier edit of the cell is not acknowledged, what its author saw first is what counts.
    const base = before === undefined || before.status === "saved" ? seen : before.base;
    this.#put(editOf(record, language, base, text, "saving"));
    void this.#pump(record._id);
  }

  /** Keeps a text that is still being typed, so that a crash does not take it. */
  keepTyping(record: KeyRecord, language: string, seen: string, text: string): void {
    this.#storage.keepTyping(editOf(record, language, seen, text, "refused"));
  }

  forgetTyping(): void {
    this.#storage.forgetTyping();
  }

  /** Sends a refused edit again. */
  again(edit: Edit): void {
    this.#put({ ...edit, status: "saving", message: undefined });
    void this.#pump(edit.keyId);
  }

  /** Settles a conflict: sends one's own text although somebody else wrote a different text. */
  keepMine(edit: Edit): void {
    this.#put({ ...edit, base: edit.theirs ?? "", theirs: undefined, by: undefined, status: "saving" });
    void this.#pump(edit.keyId);
  }

  /** Gives an edit up; what the server has is shown again. */
  discard(edit: Edit): void {
    this.#remove(edit);
  }

  /** Sends everything that waits for a connection. */
  retry = (): void => {
    for (const edit of this.#edits.values()) if (edit.status === "waiting") void this.#pump(edit.keyId);
  };

  #put(edit: Edit): void {
    this.#change((edits) => edits.set(idOf(edit.keyId, edit.language), edit));
  }

  #remove(edit: Edit): void {
    this.#change((edits) => edits.delete(idOf(edit.keyId, edit.language)));
  }

  #change(change: (edits: Map<string, Edit>) => void): void {
    const edits = new Map(this.#edits);
    change(edits);
    this.#edits = edits;
    this.#storage.write([...edits.values()].filter((edit) => edit.status !== "saved"));
    for (const listener of this.#listeners) listener();
  }

  /** Whether the edit is still the last one of its cell. */
  #isLatest(edit: Edit): boolean {
    return this.find(edit.keyId, edit.language)?.text === edit.text;
  }

  async #pump(keyId: string): Promise<void> {
    if (this.#busyKeys.has(keyId)) return;
    this.#busyKeys.add(keyId);
    try {
      for (;;) {
        const next = [...this.#edits.values()].find(
          (edit) => edit.keyId === keyId && (edit.status === "saving" || edit.status === "waiting"),
        );
        if (next === undefined) return;
        const outcome = await trackWrite(this.#projectId, this.#deliver(next));
        if (outcome === "unreachable") return;
      }
    } finally {
      this.#busyKeys.delete(keyId);
    }
  }

  /** Brings one edit to an end. Never throws. */
  async #deliver(edit: Edit): Promise<"settled" | "unreachable"> {
    try {
      const record = await this.#recordOf(edit);
      if (record === undefined) {
        this.#settle(edit, { status: "refused", isGone: true });
        return "settled";
      }
      const present = record.values[edit.language] ?? "";
      if (present === edit.text) this.#acknowledge(edit);
      else if (present !== edit.base) this.#settle(edit, { status: "conflict", theirs: present });
      else await this.#send(edit, record);
      return "settled";
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
        // The message for all fields together names this field by its path, which means nothing to a person.
        const message = error.fields[`values.${edit.language}`] ?? messageOf(error, "Failed to update key");
        this.#settle(edit, { status: "refused", message, isGone: error.status === 404 });
        return "settled";
      }
      for (const one of this.#edits.values()) {
        if (one.keyId === edit.keyId && one.status === "saving") this.#put({ ...one, status: "waiting" });
      }
      return "unreachable";
    }
  }

  async #recordOf(edit: Edit): Promise<KeyRecord | undefined> {
    const records = await recordsIn(this.#client, this.#projectId, edit.screen, edit.language);
    return records.find((record) => record._id === edit.keyId);
  }

  async #send(edit: Edit, record: KeyRecord): Promise<void> {
    try {
      const path = { projectId: this.#projectId, tabName: edit.screen, key: record.key };
      const body = { key: record.key, values: { [edit.language]: edit.text }, revision: record.revision };
      const answer = await take(api.PUT("/api/translations/{projectId}/{tabName}/{key}", { params: { path }, body }));
      putRecord(this.#client, this.#projectId, edit.screen, answer);
      this.#acknowledge(edit);
    } catch (error) {
      if (putCurrent(this.#client, this.#projectId, edit.screen, error) === undefined) throw error;
      // The edit stays `saving`: it is looked at again with the current record, and is sent or becomes a conflict.
      this.#settle(edit, { status: "saving", by: authorIn(error) });
    }
  }

  #acknowledge(edit: Edit): void {
    refreshProjectSoon(this.#client, this.#projectId);
    if (!this.#isLatest(edit)) {
      const newer = this.find(edit.keyId, edit.language);
      if (newer !== undefined) this.#put({ ...newer, base: edit.text });
      return;
    }
    const saved: Edit = { ...edit, status: "saved", message: undefined, theirs: undefined };
    this.#put(saved);
    setTimeout(() => {
      if (this.find(edit.keyId, edit.language) === saved) this.#remove(saved);
    }, SAVED_SHOWN_MS);
  }

  #settle(edit: Edit, outcome: Pick<Edit, "status" | "message" | "theirs" | "by" | "isGone">): void {
    const latest = this.find(edit.keyId, edit.language);
    if (latest !== undefined) this.#put({ ...latest, ...outcome });
  }
}
