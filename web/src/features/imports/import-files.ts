/**
 * The files of an import. They are sent in order, each by itself, and stay here with what the server read. The import begins with
 * the first file.
 */
import { ApiError, api, messageOf, NetworkError, take } from "@/lib/api";
import { IMPORT_FILE_BYTES, IMPORT_FILES } from "@/lib/limits.gen";
import { upload } from "@/lib/upload";
import type { ImportFile } from "./queries";

/** What a person chose in place of what the server found. An empty namespace is the default namespace. */
export interface Choice {
  readonly format?: string;
  readonly language?: string;
  readonly namespace?: string;
  /** The API identifier of the Data Store whose items the file has. */
  readonly store?: string;
  /** The field that finds the item of a row, in place of its `_id`. */
  readonly match?: string;
}

export interface GivenFile {
  readonly id: number;
  /** The path in a folder that was given, or the name. */
  readonly path: string;
  /** Null after a reload: the browser forgets files. */
  readonly file: File | null;
  readonly choice: Choice;
  readonly state: "waiting" | "sending" | "read" | "failed";
  /** How much was sent, from 0 to 1. */
  readonly share: number;
  /** What the server read. */
  readonly read: ImportFile | null;
  /** Why the file could not be read, sent or removed. */
  readonly problem: string | null;
}

export interface ImportState {
  readonly importId: string | null;
  readonly files: readonly GivenFile[];
}

const MEGABYTE = 1_000_000;
const UNREACHABLE = "The file was not sent: the server can't be reached, or the file is not there any more.";

export class ImportFiles {
  readonly #projectId: string;
  readonly #listeners = new Set<() => void>();
  /** The files whose answer was lost: they may have arrived. */
  readonly #doubtful = new Set<number>();
  #state: ImportState = { importId: null, files: [] };
  #lastId = 0;
  #isSending = false;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  state = (): ImportState => this.#state;

  /** Sends these files; what is over the limit of files is left out. Returns how many were left out. */
  add(given: readonly { path: string; file: File }[], choice: Choice = {}): number {
    const room = Math.max(IMPORT_FILES - this.#state.files.length, 0);
    const taken = given.slice(0, room).map(({ path, file }) => ({ ...this.#given(path, file), choice }));
    this.#set({ files: [...this.#state.files, ...taken] });
    void this.#send();
    return given.length - taken.length;
  }

  /** Goes on with an import whose files the server has. */
  resume(importId: string, files: readonly ImportFile[]): void {
    const known = files.map((read) => ({ ...this.#given(read.name, null), state: "read" as const, share: 1, read }));
    this.#set({ importId, files: known });
  }

  /** Sends a file again with what a person chose; what the server has of it is removed before. */
  async change(id: number, choice: Choice): Promise<void> {
    const given = this.#find(id);
    if (given?.file == null) return;
    if (await this.#removeRead(given)) {
      this.#update(id, { choice, read: null, state: "waiting", problem: null, share: 0 });
      await this.#send();
    }
  }

  /** Sends a file again. */
  retry(id: number): void {
    this.#update(id, { state: "waiting", problem: null, share: 0 });
    void this.#send();
  }

  async remove(id: number): Promise<void> {
    const given = this.#find(id);
    if (given !== undefined && (await this.#removeRead(given)))
      this.#set({ files: this.#state.files.filter((one) => one.id !== id) });
  }

  #given(path: string, file: File | null): GivenFile {
    this.#lastId += 1;
    return { id: this.#lastId, path, file, choice: {}, state: "waiting", share: 0, read: null, problem: null };
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (;;) {
      const next = this.#state.files.find(({ state }) => state === "waiting");
      if (next === undefined) break;
      await this.#sendOne(next);
    }
    this.#isSending = false;
  }

  async #sendOne({ id, path, file, choice }: GivenFile): Promise<void> {
    if (file === null) return;
    this.#update(id, { state: "sending" });
    try {
      if (file.size > IMPORT_FILE_BYTES) {
        const problem = `A file has at most ${IMPORT_FILE_BYTES / MEGABYTE} MB. Divide it into several files.`;
        this.#update(id, { state: "failed", problem });
        return;
      }
      const arrived = this.#doubtful.has(id) ? await this.#arrived(path) : undefined;
      const read = arrived ?? (await this.#upload(id, path, file, choice));
      this.#doubtful.delete(id);
      this.#update(id, { state: "read", read, share: 1 });
    } catch (error) {
      if (error instanceof NetworkError) this.#doubtful.add(id);
      this.#update(id, { state: "failed", problem: problemOf(error, path), share: 0 });
    }
  }

  /** A file that arrived although its answer was lost. */
  async #arrived(path: string): Promise<ImportFile | undefined> {
    const { importId, files } = this.#state;
    if (importId === null) return undefined;
    const params = { path: { projectId: this.#projectId, importId } };
    const { files: there } = await take(api.GET("/api/projects/{projectId}/imports/{importId}", { params }));
    const known = new Set(files.map(({ read }) => read?.number));
    return there.find(({ name, number }) => name === path && !known.has(number));
  }

  async #upload(id: number, path: string, file: File, choice: Choice): Promise<ImportFile> {
    const importId = this.#state.importId ?? (await this.#begin());
    const query = new URLSearchParams({ name: path, ...choice });
    const address = `/api/import-files/${encodeURIComponent(this.#projectId)}/${encodeURIComponent(importId)}?${query}`;
    return await upload<ImportFile>("POST", address, file, {
      projectId: this.#projectId,
      signal: new AbortController().signal,
      onProgress: (share) => this.#update(id, { share }),
    });
  }

  async #begin(): Promise<string> {
    const params = { path: { projectId: this.#projectId } };
    const begun = await take(api.POST("/api/projects/{projectId}/imports", { params, body: { screen: null } }));
    this.#set({ importId: begun._id });
    return begun._id;
  }

  /** Whether the server has nothing of the file any more. */
  async #removeRead({ id, read }: GivenFile): Promise<boolean> {
    const { importId } = this.#state;
    if (read === null || importId === null) return true;
    this.#update(id, { state: "sending", problem: null });
    const path = { projectId: this.#projectId, importId, fileNumber: read.number };
    try {
      await take(api.DELETE("/api/projects/{projectId}/imports/{importId}/files/{fileNumber}", { params: { path } }));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "file_not_found") return true;
      this.#update(id, {
        state: "read",
        problem: messageOf(error, "The file could not be removed. Please try again."),
      });
      return false;
    }
  }

  #find(id: number): GivenFile | undefined {
    return this.#state.files.find((one) => one.id === id);
  }

  #update(id: number, change: Partial<GivenFile>): void {
    this.#set({ files: this.#state.files.map((one) => (one.id === id ? { ...one, ...change } : one)) });
  }

  #set(change: Partial<ImportState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** The server's sentence, without the name of the file. */
function problemOf(error: unknown, path: string): string {
  const field = error instanceof ApiError ? Object.values(error.fields)[0] : undefined;
  const text = field ?? messageOf(error, "The file could not be read.", UNREACHABLE);
  return text.startsWith(`${path}: `) ? text.slice(path.length + 2) : text;
}
