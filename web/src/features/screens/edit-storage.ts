/** Unsent edits of one project in local storage, per person, so that they outlive the tab. */
import { storedUser } from "@/lib/session";
import { readStored, removeStored, writeStored } from "@/lib/storage";
import type { Edit } from "./outbox";

function isEdit(value: unknown): value is Edit {
  if (typeof value !== "object" || value === null) return false;
  const fields = ["screen", "keyId", "keyName", "language", "base", "text", "status"];
  return fields.every((field) => typeof Reflect.get(value, field) === "string");
}

const cellOf = (edit: Edit) => `${edit.keyId}/${edit.language}`;

function parsed(stored: string | null): Edit[] {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(value) ? value.filter(isEdit) : [];
  } catch {
    // A broken entry is as good as none.
    return [];
  }
}

export class EditStorage {
  readonly #projectId: string;
  /** Cells that this tab has had edits of; entries of others belong to another tab and are left alone. */
  readonly #own = new Set<string>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** What an earlier visit left: texts that were sent wait for a connection, one that was being typed waits for its author. */
  read(): Edit[] {
    const sent = parsed(readStored(this.#key("unsavedEdits")));
    const typed = parsed(readStored(this.#key("typedText")));
    return [...sent.map((edit): Edit => (edit.status === "saving" ? { ...edit, status: "waiting" } : edit)), ...typed];
  }

  write(edits: readonly Edit[]): void {
    for (const edit of edits) this.#own.add(cellOf(edit));
    const foreign = parsed(readStored(this.#key("unsavedEdits"))).filter((edit) => !this.#own.has(cellOf(edit)));
    this.#store("unsavedEdits", [...foreign, ...edits]);
  }

  keepTyping(edit: Edit): void {
    this.#store("typedText", edit.text === edit.base ? [] : [edit]);
  }

  forgetTyping(): void {
    removeStored(this.#key("typedText"));
  }

  /** Named after the person too: a colleague at the same browser must not send somebody else's words. */
  #key(name: string): string {
    return `${name}:${storedUser()?._id ?? ""}:${this.#projectId}`;
  }

  #store(name: string, edits: readonly Edit[]): void {
    if (edits.length === 0) removeStored(this.#key(name));
    else writeStored(this.#key(name), JSON.stringify(edits));
  }
}
