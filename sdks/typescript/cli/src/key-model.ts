/** The keys of a project as code has them: each screen, key and parameter under an identifier of the language. */

import { byCode } from "./codegen.js";
import type { Content, Stores } from "./content.js";
import { type Parameter, parametersOf, type Use } from "./messages.js";

export interface ParameterName {
  /** As the text has it. */
  readonly name: string;
  readonly id: string;
  readonly use: Use;
}

export interface KeyName {
  /** `screen.key`. */
  readonly key: string;
  readonly id: string;
  /** The text in the first language, in one line. */
  readonly text: string;
  readonly parameters: readonly ParameterName[];
}

export interface ScreenName {
  readonly name: string;
  readonly id: string;
  /** The name of its type: `HomeTexts`. */
  readonly type: string;
  readonly keys: readonly KeyName[];
}

export interface KeyModel {
  readonly screens: readonly ScreenName[];
  readonly colors: readonly { readonly name: string; readonly id: string }[];
  readonly images: readonly { readonly name: string; readonly id: string }[];
  readonly stores: readonly { readonly name: string; readonly type: string; readonly fields: Stores[string] }[];
}

export interface Naming {
  /** Whether names are like `itemsLeft`; else like `items_left`. */
  readonly isCamel: boolean;
  readonly reserved: ReadonlySet<string>;
}

const SHOWN = 90;
/** Controls, also the marks of direction: a comment must not hide what is in it. */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const camel = (words: readonly string[]): string =>
  words.map((word, at) => (at ? word.charAt(0).toUpperCase() : word.charAt(0).toLowerCase()) + word.slice(1)).join("");

const pascal = (name: string): string => {
  const joined = camel(["", ...name.split(/[^A-Za-z0-9]+/).filter(Boolean)]);
  return /^\d/.test(joined) || !joined ? `N${joined}` : joined;
};

/** Gives each name an identifier of its own, in the order of the names. */
class Identifiers {
  readonly #taken = new Set<string>();

  constructor(private readonly naming: Naming) {}

  of(name: string): string {
    const words = name.split(/[^A-Za-z0-9_]+/).filter(Boolean);
    const parts = this.naming.isCamel ? words.flatMap((word) => word.split("_").filter(Boolean)) : words;
    const joined = this.naming.isCamel ? camel(parts) : parts.join("_");
    const id = /^(?:[A-Za-z]|_[A-Za-z])/.test(joined) ? joined : `n${joined}`;
    return this.#free(this.naming.reserved.has(id) ? `${id}_` : id);
  }

  type(name: string): string {
    return this.#free(pascal(name));
  }

  #free(id: string): string {
    let free = id;
    for (let number = 2; this.#taken.has(free); number++) free = `${id}${number}`;
    this.#taken.add(free);
    return free;
  }
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort(byCode);

function named(names: Iterable<string>, naming: Naming) {
  const ids = new Identifiers(naming);
  return sorted(names).map((name) => ({ name, id: ids.of(name) }));
}

function parametersIn(texts: Iterable<string>, naming: Naming): ParameterName[] {
  const found = [...parametersOf(texts)].sort(([a], [b]) => byCode(a, b));
  const ids = new Identifiers(naming);
  return found.map(([name, { use }]: [string, Parameter]) => ({ name, id: ids.of(name), use }));
}

/** Returns the keys of the contents. It is the same for the same content, in whatever order the content has its keys. */
export function modelOf(contents: readonly Content[], stores: Stores, naming: Naming): KeyModel {
  const screens = new Identifiers(naming);
  const types = new Identifiers(naming);
  const names = (read: (content: Content) => object) => contents.flatMap((one) => Object.keys(read(one)));
  const textsOf = (screen: string, key: string) => contents.flatMap((one) => one.texts[screen]?.[key] ?? []);
  return {
    screens: sorted(names((one) => one.texts)).map((name) => {
      const keys = new Identifiers(naming);
      return {
        name,
        id: screens.of(name),
        type: types.type(`${name} texts`),
        keys: sorted(names((one) => one.texts[name] ?? {})).map((key) => {
          const texts = textsOf(name, key);
          const line = (texts[0] ?? "").replace(INVISIBLE, " ").replace(/\s+/g, " ").trim() || key;
          const letters = [...line];
          const text = letters.length > SHOWN ? `${letters.slice(0, SHOWN).join("")}…` : line;
          return { key: `${name}.${key}`, id: keys.of(key), text, parameters: parametersIn(texts, naming) };
        }),
      };
    }),
    colors: named(
      names((one) => one.colors),
      naming,
    ),
    images: named(
      names((one) => one.images),
      naming,
    ),
    stores: sorted([...names((one) => one.stores), ...Object.keys(stores)]).flatMap((name) => {
      const fields = stores[name];
      return fields ? [{ name, type: types.type(`${name} item`), fields }] : [];
    }),
  };
}
