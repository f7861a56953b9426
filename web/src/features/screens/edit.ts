/** A text that was changed in the editor, until the server has it or the person has given it up. */
/**
 * - `saving`: next to be sent, or under way
 * - `saved`: acknowledged a moment ago
 * - `waiting`: no connection; tried again by itself
 * - `refused`: the server refused the edit; `message` has the reason
 * - `conflict`: somebody else changed the text first; `theirs` is the text that they wrote
 */
export type EditStatus = "saving" | "saved" | "waiting" | "refused" | "conflict";

export interface Edit {
  readonly screen: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly language: string;
  /** The text that the author saw when they began. */
  readonly base: string;
  readonly text: string;
  /** The key's texts as its author knew them, to create the key again should it be deleted. */
  readonly known?: Readonly<Record<string, string>> | undefined;
  readonly status: EditStatus;
  readonly message?: string | undefined;
  readonly theirs?: string | undefined;
  /** Who wrote it, if the server named the person. */
  readonly by?: string | undefined;
  /** The key has been deleted: there is no row to show the text in. */
  readonly isGone?: boolean | undefined;
}
