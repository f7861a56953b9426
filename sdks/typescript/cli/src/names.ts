/** The names of other tools as Livery's screens and keys, by `sdks/spec/names.md`. */

export const GENERAL = "general";

/** A screen and a key, both valid for Livery. */
export interface TextName {
  readonly screen: string;
  readonly key: string;
}

const RESERVED_SCREENS = new Set(
  (
    "settings colors publish stores images items search versions rollback rephrase create members releases diff content " +
    "screens languages events usage secret transfer keys stream manifest parts"
  ).split(" "),
);
const NAMES_OF_OBJECTS = new Set(
  (
    "__proto__ constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf " +
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__"
  ).split(" "),
);
const SCREEN_CHARACTERS = 64;
const KEY_CHARACTERS = 128;

function plain(part: string): string {
  return part.replace(/[^A-Za-z0-9_]+/g, "_");
}

function screenOf(part: string): string {
  const lower = plain(part).toLowerCase();
  const screen = lower === "" || /^[a-z]/.test(lower) ? lower : `s_${lower}`;
  return RESERVED_SCREENS.has(screen) || NAMES_OF_OBJECTS.has(screen) ? `${screen}_` : screen;
}

function keyOf(part: string): string {
  const key = plain(part).replace(/^(?=[0-9])/, "_");
  return NAMES_OF_OBJECTS.has(key) ? `${key}_` : key;
}

/** Returns the text that a name of another tool means; undefined if the name has no mapping. `namespace` is not the default namespace. */
export function mapName(name: string, given: { namespace?: string | undefined; screen?: string | undefined } = {}) {
  const whole = given.namespace ? `${given.namespace}.${name}` : name;
  const dot = given.screen === undefined ? whole.indexOf(".") : -1;
  const screen = screenOf(given.screen ?? (dot < 0 ? GENERAL : whole.slice(0, dot)));
  const key = keyOf(whole.slice(dot + 1));
  const isValid = screen && key && screen.length <= SCREEN_CHARACTERS && key.length <= KEY_CHARACTERS;
  return isValid ? ({ screen, key } satisfies TextName) : undefined;
}

/** Returns the text that `t` of the SDK looks up: the first dot separates, and no name is changed. */
export function splitKey(name: string): TextName {
  const dot = name.indexOf(".");
  return dot < 0 ? { screen: GENERAL, key: name } : { screen: name.slice(0, dot), key: name.slice(dot + 1) };
}

/** Returns `screen.key`, the name by which the commands show a text. */
export function fullName(name: TextName): string {
  return `${name.screen}.${name.key}`;
}
