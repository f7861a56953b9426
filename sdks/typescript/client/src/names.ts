/** The names of other tools as Livery's screens and keys: `sdks/spec/names.md`, whose cases hold for this file. */

/** A screen and a key of it, both valid for Livery. */
export interface TextName {
  readonly screen: string;
  readonly key: string;
}

const words = (list: string) => new Set(list.split(" "));

const RESERVED_SCREENS = words(
  "settings colors publish stores images items search versions rollback rephrase create members releases diff content screens " +
    "languages events usage secret transfer keys stream manifest parts",
);
const OF_EVERY_OBJECT = words(
  "__proto__ constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf __defineGetter__ " +
    "__defineSetter__ __lookupGetter__ __lookupSetter__",
);
const GENERAL = "general";
const MAX_SCREEN = 64;
const MAX_KEY = 128;
const HASH = 8;
/** The dots of a sentence have white space in front or behind, or are at its end. */
const SCREEN_AND_KEY = /^([^.\s]+)\.(\S.*)$/s;
const NAMESPACE_AND_KEY = /^([^.]*)\.(.*)$/s;

const plain = (part: string) => part.replace(/[^A-Za-z0-9_]+/g, "_");

function screenOf(part: string): string {
  const mapped = plain(part)
    .toLowerCase()
    .replace(/^(?=[^a-z])/, "s_");
  return RESERVED_SCREENS.has(mapped) || OF_EVERY_OBJECT.has(mapped) ? `${mapped}_` : mapped;
}

/** The FNV-1a hash of the UTF-16 code units of a text: 32 bits as hexadecimal digits. */
function hash(text: string): string {
  let found = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) found = Math.imul(found ^ text.charCodeAt(at), 0x01000193);
  return (found >>> 0).toString(16).padStart(HASH, "0");
}

function keyOf(part: string): string {
  const mapped = plain(part).replace(/^(?=\d)/, "_");
  if (mapped.length > MAX_KEY) return `${mapped.slice(0, MAX_KEY - HASH - 1)}_${hash(part)}`;
  return OF_EVERY_OBJECT.has(mapped) ? `${mapped}_` : mapped;
}

/**
 * The place of a text that another tool calls `name`; undefined if the name has no mapping. `namespace` differs from the
 * default namespace. With `screen`, the whole name is the key.
 */
export function mapName(name: string, namespace?: string, screen?: string): TextName | undefined {
  const full = namespace ? `${namespace}.${name}` : name;
  const found = screen === undefined && (namespace ? NAMESPACE_AND_KEY : SCREEN_AND_KEY).exec(full);
  const [, first = "", rest = ""] = found || ["", screen ?? GENERAL, full];
  const mapped = { screen: screenOf(first), key: keyOf(rest) };
  return mapped.screen && mapped.key && mapped.screen.length <= MAX_SCREEN ? mapped : undefined;
}
