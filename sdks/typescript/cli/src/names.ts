/** The names of other tools as Livery's screens and keys. The rule itself is in the client: the build puts it into the command line. */
import { mapName as mapped, type TextName } from "../../client/src/names.js";

export const GENERAL = "general";

export type { TextName };

/** Returns the text that a name of another tool means; undefined if the name has no mapping. `namespace` is not the default namespace. */
export function mapName(
  name: string,
  { namespace, screen }: { namespace?: string | undefined; screen?: string | undefined } = {},
): TextName | undefined {
  return mapped(name, namespace, screen);
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
