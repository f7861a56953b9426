/** Unsent edits of one project in local storage, per person, so that they outlive the tab. */
import { hold, whenFree } from "@/lib/locks";
import { storedUser } from "@/lib/session";
import { readStored, removeStored, writeStored } from "@/lib/storage";
import type { Edit } from "./edit";

function isEdit(value: unknown): value is Edit {
  if (typeof value !== "object" || value === null) return false;
  const fields = ["screen", "keyId", "keyName", "language", "base", "text", "status"];
  return fields.every((field) => typeof Reflect.get(value, field) === "string");
}

/** A text that is being typed, and the tab in which it is. */
type TypedText = Edit & { readonly tab?: string };

const cellOf = (edit: Edit) => `${edit.keyId}/${edit.language}`;

function parsed(stored: string | null): TypedText[] {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(value) ? value.filter(isEdit) : [];
  } catch {
    // A broken entry counts as no entry.
    return [];
  }
}

export class EditStorage {
  readonly #projectId: string;
  /** Cells whose entry is this tab's; entries of others belong to another tab or visit and are left alone. */
  #own: ReadonlySet<string> = new Set();
  readonly #tab = `${Date.now()}-${Math.random()}`;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** What an earlier visit left: texts that were sent wait for a connection. */
  read(): Edit[] {
    const sent = parsed(readStored(this.#key("unsavedEdits")));
    return sent.map((edit): Edit => (edit.status === "saving" ? { ...edit, status: "waiting" } : edit));
  }

  /**
   * Offers what other tabs were typing, each once its tab is gone; `take` returns whether it took the text. What a living
   * tab types is its own. Returns the function that ends this, and this tab's own claim.
   */
  takeUpTyping(take: (typed: Edit) => boolean): () => void {
    const end = new AbortController();
    hold(lockOf(this.#tab), end.signal);
    for (const tab of new Set(this.#typed().map((typed) => typed.tab))) {
      whenFree(lockOf(tab), end.signal, () => {
        const kept = this.#typed().filter(({ tab: its, ...typed }) => its !== tab || !take(typed));
        this.#store("typedText", kept);
      });
    }
    return () => end.abort();
  }

  write(edits: readonly Edit[]): void {
    const mine = new Set(edits.map(cellOf));
    const stored = parsed(readStored(this.#key("unsavedEdits")));
    const foreign = stored.filter((edit) => !this.#own.has(cellOf(edit)) && !mine.has(cellOf(edit)));
    this.#store("unsavedEdits", [...foreign, ...edits]);
    // A cell whose edit has ended is nobody's: whoever writes to it next must not lose their entry to this tab.
    this.#own = mine;
  }

  keepTyping(edit: Edit): void {
    this.forgetTyping();
    if (edit.text !== edit.base) this.#store("typedText", [...this.#typed(), { ...edit, tab: this.#tab }]);
  }

  forgetTyping(): void {
    const others = this.#typed().filter((typed) => typed.tab !== this.#tab);
    this.#store("typedText", others);
  }

  #typed(): TypedText[] {
    return parsed(readStored(this.#key("typedText")));
  }

  /** Named after the person too: a colleague at the same browser must not send somebody else's words. */
  #key(name: string): string {
    return `${name}:${storedUser()?._id ?? ""}:${this.#projectId}`;
  }

  #store(name: string, edits: readonly TypedText[]): void {
    if (edits.length === 0) removeStored(this.#key(name));
    else writeStored(this.#key(name), JSON.stringify(edits));
  }
}

const lockOf = (tab = "") => `livery-typing:${tab}`;
