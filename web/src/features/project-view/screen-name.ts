/** Which names a new screen may have, as the server decides too. */
import { SCREEN_NAME_CHARACTERS } from "@/lib/limits.gen";

const RESERVED = new Set(["settings", "colors", "publish", "general"]);
const SCREEN_NAME = /^[a-z][a-z0-9_]*$/;
const EMPTY = "Screen name cannot be empty.";
const WRONG = "Use only lowercase letters, numbers, underscores. Must start with a letter.";
const TOO_LONG = `Use at most ${SCREEN_NAME_CHARACTERS} characters.`;

/** What a screen of this name is kept as: lower case, other characters as underscores, a leading digit behind an underscore. */
export function normalised(input: string): string {
  const name = input
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, "_");
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/** A name that may be used and is what `input` obviously means ('Home Page' → home_page); undefined if no such name is free. */
function correctionOf(input: string, existing: readonly string[]): string | undefined {
  const plain = input.normalize("NFD").replace(/\p{M}/gu, "");
  const name = normalised(plain).replace(/_+/g, "_").replace(/^_|_$/g, "");
  const isFree = !RESERVED.has(name) && !existing.includes(name);
  return SCREEN_NAME.test(name) && name.length <= SCREEN_NAME_CHARACTERS && isFree ? name : undefined;
}

/** The name under which a screen is kept, or why it can't be, and which name is likely meant. */
export function checkScreenName(
  input: string,
  existing: readonly string[],
): { name: string } | { error: string; suggestion?: string | undefined } {
  const lowered = input.trim().toLowerCase();
  if (lowered === "") return { error: EMPTY };
  const name = normalised(input);
  if (name !== lowered || !SCREEN_NAME.test(name)) return { error: WRONG, suggestion: correctionOf(input, existing) };
  if (name.length > SCREEN_NAME_CHARACTERS) return { error: TOO_LONG };
  if (RESERVED.has(name) || existing.includes(name)) {
    return { error: `Screen name "${name}" is reserved or already exists.` };
  }
  return { name };
}
