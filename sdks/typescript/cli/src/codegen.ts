/** The types of a project's keys, as an augmentation of `@livery/client`. */

import type { Content, StoreField, Stores } from "./content.js";
import { type Parameter, type Parameters, parametersOf } from "./messages.js";
import { GENERAL } from "./names.js";

const HEAD = `// Written by "livery-cli types": the keys of the project. Don't edit it; run "npx @livery/cli pull" again.
`;

const FIELD_TYPES: Readonly<Record<StoreField["type"], string>> = {
  String: "string",
  RichText: "string",
  Date: "string",
  Media: "string",
  Number: "number",
  Boolean: "boolean",
};

/** Compares by code units: the same order on every machine. */
export const byCode = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function unionOf(names: Iterable<string>): string {
  const sorted = [...new Set(names)].sort(byCode);
  return sorted.length ? sorted.map((one) => `\n      | ${JSON.stringify(one)}`).join("") : " never";
}

/** A name as a property of a type. */
export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function typeOf(parameter: Parameter): string {
  if (parameter.use === "moment") return "Date | number | string";
  if (parameter.use !== "any") return "number";
  if (parameter.selectors.size === 0) return "TextParam";
  const known = [...parameter.selectors].sort(byCode).map((one) => JSON.stringify(one));
  return [...known, "(string & {})"].join(" | ");
}

/** Returns the texts of all languages by key, under each name that `t` takes. */
export function textsByName(contents: readonly Content[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (name: string, text: string) => {
    const texts = found.get(name) ?? new Set();
    found.set(name, texts.add(text));
  };
  for (const { texts } of contents)
    for (const [screen, keys] of Object.entries(texts))
      for (const [key, text] of Object.entries(keys)) {
        add(`${screen}.${key}`, text);
        if (screen === GENERAL) add(key, text);
      }
  return found;
}

function paramsOf(texts: ReadonlyMap<string, Set<string>>): string {
  const rows = [...texts]
    .map(([name, all]): [string, Parameters] => [name, parametersOf(all)])
    .filter(([, parameters]) => parameters.size)
    .sort(([a], [b]) => byCode(a, b))
    .map(([name, parameters]) => {
      const sorted = [...parameters].sort(([a], [b]) => byCode(a, b));
      const fields = sorted.map(([one, parameter]) => `${property(one)}: ${typeOf(parameter)}`);
      return `\n      ${JSON.stringify(name)}: { ${fields.join("; ")} };`;
    });
  return rows.length ? `{${rows.join("")}\n    }` : "Record<never, never>";
}

function storesOf(names: Iterable<string>, stores: Stores): string {
  const rows = [...new Set([...names])].sort(byCode).map((name) => {
    const fields = stores[name]?.map((one) => `${property(one.name)}?: ${FIELD_TYPES[one.type]}`);
    const type = fields ? (fields.length ? `{ ${fields.join("; ")} }` : "Record<never, never>") : "AnyItem";
    return `\n      ${property(name)}: ${type};`;
  });
  return rows.length ? `{${rows.join("")}\n    }` : "Record<never, never>";
}

/** Returns the text of `keys.d.ts`. It is the same for the same content, in whatever order the content has its keys. */
export function writeTypes(contents: readonly Content[], stores: Stores): string {
  const texts = textsByName(contents);
  const names = (read: (content: Content) => object) => contents.flatMap((one) => Object.keys(read(one)));
  const params = paramsOf(texts);
  const items = storesOf(
    names((one) => one.stores),
    stores,
  );
  const used = [
    ...(/: AnyItem;/.test(items) ? ["AnyItem"] : []),
    ...(/\bTextParam\b/.test(params) ? ["TextParam"] : []),
  ];
  return `${HEAD}
import ${used.length ? `type { ${used.join(", ")} } from ` : ""}"@livery/client";

declare module "@livery/client" {
  interface LiveryKeys {
    texts:${unionOf(texts.keys())};
    params: ${params};
    colors:${unionOf(names((one) => one.colors))};
    images:${unionOf(names((one) => one.images))};
    stores: ${items};
  }
}
`;
}
