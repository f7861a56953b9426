/**
 * Text that was typed into a form and not saved, kept on the device so that it outlives the page and the session.
 *
 * Each visit to a form has an entry of its own in local storage, named after the person. So tabs don't overwrite each
 * other, and nobody else at the same browser sees the text. Texts end after seven days. Secrets are never written.
 */
import { endedSessionOf } from "./ended-session";
import { readStored, removeStored, storedKeys, writeStored } from "./storage";

const PREFIX = "keptText:";
const LIFE_MS = 7 * 86_400_000;
/** Characters of one text: an item with ten languages of rich text fits. */
const LONGEST = 250_000;
/** Characters of all texts: a browser has room for about five million, and the translation grid needs some. */
const LONGEST_TOGETHER = 1_000_000;
const MOST = 30;

/** A form of one person. `id` identifies the thing that it edits. */
export interface Place {
  readonly user: string;
  readonly project: string;
  readonly form: string;
  readonly id: string;
}

export interface LeftText {
  readonly visit: string;
  /** In milliseconds. */
  readonly at: number;
  readonly value: unknown;
}

/** Whether a field of this name holds a secret. */
export const isSecretName = (name: string): boolean => /password|passphrase|secret|token|api[-_ ]?key/i.test(name);

const SECRET_TEXT = /lv[ks]_[\w-]{16}/;

/** The value without secrets, as it can be written; undefined for a secret. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return SECRET_TEXT.test(value) ? undefined : value;
  if (Array.isArray(value)) return value.map(withoutSecrets).filter((entry) => entry !== undefined);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isSecretName(name))
      .map(([name, entry]) => [name, withoutSecrets(entry)]),
  );
}

const prefixOf = ({ user, project, form, id }: Place): string =>
  `${PREFIX}${[user, project, form, id].map(encodeURIComponent).join(":")}:`;

function read(key: string): LeftText | null {
  try {
    const entry: unknown = JSON.parse(readStored(key) ?? "null");
    if (typeof entry !== "object" || entry === null || !("at" in entry) || !("value" in entry)) return null;
    if (typeof entry.at !== "number" || Date.now() - entry.at >= LIFE_MS) return null;
    return { visit: key.slice(key.lastIndexOf(":") + 1), at: entry.at, value: entry.value };
  } catch {
    // An entry that can't be read is no text.
    return null;
  }
}

/** The keys of all texts on the device, the oldest first. Removes texts that are over. */
function keysByAge(): string[] {
  const found: { key: string; at: number }[] = [];
  for (const key of storedKeys(PREFIX)) {
    const left = read(key);
    if (left === null) removeStored(key);
    else found.push({ key, at: left.at });
  }
  return found.sort((one, other) => one.at - other.at).map(({ key }) => key);
}

/** Removes the texts of this device that are over. */
export function dropOldTexts(): void {
  keysByAge();
}

/** Removes the oldest texts while there are too many, or while they are too long together. */
function makeRoom(): void {
  const keys = keysByAge();
  let length = keys.reduce((sum, key) => sum + (readStored(key)?.length ?? 0), 0);
  for (let count = keys.length; count > MOST || length > LONGEST_TOGETHER; count -= 1) {
    const oldest = keys[keys.length - count] ?? "";
    length -= readStored(oldest)?.length ?? 0;
    removeStored(oldest);
  }
}

/** Replaces what this visit kept with what is in the form now. A text over 250,000 characters is not kept. */
export function keepText(place: Place, visit: string, value: unknown): void {
  const key = prefixOf(place) + visit;
  const entry = JSON.stringify({ at: Date.now(), value: withoutSecrets(value) });
  if (entry.length > LONGEST) {
    removeStored(key);
    return;
  }
  const isNew = readStored(key) === null;
  const isWritten = writeStored(key, entry);
  if (isWritten && isNew) makeRoom();
  if (isWritten) return;
  for (const oldest of keysByAge()) {
    if (oldest === key) continue;
    removeStored(oldest);
    if (writeStored(key, entry)) return;
  }
}

/** Forgets what one visit kept. Idempotent. */
export function forgetText(place: Place, visit: string): void {
  removeStored(prefixOf(place) + visit);
}

/** The texts that other visits left in this form, the newest first. */
export function leftTexts(place: Place, visit: string): LeftText[] {
  const left = storedKeys(prefixOf(place)).map(read);
  const others = left.filter((text): text is LeftText => text !== null && text.visit !== visit);
  return others.sort((one, other) => other.at - one.at);
}

const formKeys = (user: string): string[] => storedKeys(`${PREFIX}${encodeURIComponent(user)}:`);

/** The texts of the translation grid: see features/screens/edit-storage.ts. */
const gridKeys = (user: string): string[] => storedKeys(`typedText:${user}:`, `unsavedEdits:${user}:`);

/** Whether text of this person is kept on the device, of a form or of the translation grid. */
export function hasKeptText(user: string): boolean {
  return formKeys(user).some((key) => read(key) !== null) || gridKeys(user).length > 0;
}

/** Forgets all texts of a person, of forms and of the translation grid. */
export function forgetTextsOf(user: string): void {
  for (const key of [...formKeys(user), ...gridKeys(user)]) removeStored(key);
}

/** Whether text is kept of the person whose session ended in this tab. */
export function isTextKeptFromSession(): boolean {
  const user = endedSessionOf();
  return user !== null && hasKeptText(user);
}
