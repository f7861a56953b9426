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

const plain = (part: string) => part.replace(/[^A-Za-z0-9_]+/g, "_");

function screenOf(part: string): string {
  const mapped = plain(part)
    .toLowerCase()
    .replace(/^(?=[^a-z])/, "s_");
  return RESERVED_SCREENS.has(mapped) || OF_EVERY_OBJECT.has(mapped) ? `${mapped}_` : mapped;
}

function keyOf(part: string): string {
  const mapped = plain(part).replace(/^(?=\d)/, "_");
  return OF_EVERY_OBJECT.has(mapped) ? `${mapped}_` : mapped;
}

/**
 * The place of a text that another tool calls `name`; undefined if the name has no mapping. `namespace` differs from the
 * default namespace. With `screen`, the whole name is the key.
 */
export function mapName(name: string, namespace?: string, screen?: string): TextName | undefined {
  const full = namespace ? `${namespace}.${name}` : name;
  const dot = screen === undefined ? full.indexOf(".") : -1;
  const mapped = {
    screen: screenOf(screen ?? (dot < 0 ? GENERAL : full.slice(0, dot))),
    key: keyOf(full.slice(dot + 1)),
  };
  const isValid = mapped.screen && mapped.key && mapped.screen.length <= MAX_SCREEN && mapped.key.length <= MAX_KEY;
  return isValid ? mapped : undefined;
}
