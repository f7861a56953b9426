/** The types of i18next's own `t`: an augmentation of i18next with the keys of the project, by the names that the code uses. */

import { textsByKey } from "./checking.js";
import { property } from "./codegen.js";
import type { Content } from "./content.js";
import { parametersOf } from "./messages.js";
import { GENERAL, mapName } from "./names.js";
import type { Use } from "./uses.js";

const HEAD = `// Written by "livery-cli types": the keys of the project, for i18next's t. Don't edit it; run "npx @livery/cli pull" again.
import "i18next";
`;

type Tree = Map<string, string | Tree>;

/** The type of a text: a text of any kind, or the placeholders that i18next finds its parameters by. */
function typeOf(texts: Iterable<string>): string {
  const names = [...parametersOf(texts).keys()].sort();
  return names.length ? JSON.stringify(names.map((one) => `{{${one}}}`).join(" ")) : "string";
}

/** Puts a type at a name with dots. Where one name is the beginning of another, the longer stays whole: i18next reads both forms. */
function put(tree: Tree, name: string, type: string): void {
  const parts = name.split(".");
  const last = parts.pop() as string;
  let at: Tree = tree;
  for (const part of parts) {
    const next = at.get(part) ?? new Map();
    if (typeof next === "string") {
      tree.set(name, type);
      return;
    }
    at.set(part, next);
    at = next;
  }
  if (typeof at.get(last) !== "object") at.set(last, type);
}

function written(tree: Tree, indent: string): string {
  const rows = [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = rows.map(([name, type]) => {
    const value = typeof type === "string" ? type : written(type, `${indent}  `);
    return `${indent}  ${property(name)}: ${value};\n`;
  });
  return lines.length ? `{\n${lines.join("")}${indent}}` : "Record<never, never>";
}

/** The names of a key that no code reads: Livery's, and those of plural forms and contexts, as `tea-pot_male` beside the `tea-pot` of the code. */
function namesUnread(own: string, key: string, spelled: (key: string) => Iterable<string> | undefined): string[] {
  for (let at = key.lastIndexOf("_"); at > 0; at = key.lastIndexOf("_", at - 1)) {
    const read = spelled(key.slice(0, at));
    if (read) return [own, ...[...read].map((name) => `${name}${key.slice(at)}`)];
  }
  return [own];
}

/**
 * Returns the text of `i18next.d.ts`. A key has each name by which the code reads it, as `cart.items-left`; a key that no code reads has
 * Livery's name. A namespace besides the default namespace is there if the code reads from it. The file is the same for the same keys,
 * parameters and names, whatever the texts are.
 */
export function writeI18nextTypes(
  contents: readonly Content[],
  uses: readonly Use[],
  defaultNamespace: string,
): string {
  const spaces = new Map<string, Tree>([[defaultNamespace, new Map()]]);
  const spelled = new Map<string, Set<string>>();
  for (const { key, i18next } of uses) {
    if (!i18next) continue;
    const namespace = i18next.namespace ?? defaultNamespace;
    if (!spaces.has(namespace)) spaces.set(namespace, new Map());
    if (key) spelled.set(`${namespace} ${key}`, (spelled.get(`${namespace} ${key}`) ?? new Set()).add(i18next.name));
  }
  const texts = [...textsByKey(contents)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [namespace, tree] of spaces) {
    const prefix = namespace === defaultNamespace ? "" : `${mapName("x", { namespace })?.screen}.`;
    for (const [key, all] of texts) {
      if (!key.startsWith(prefix)) continue;
      const own = prefix ? key.slice(prefix.length) : key.replace(`${GENERAL}.`, "");
      const names = (read: string) => spelled.get(`${namespace} ${read}`);
      for (const name of names(key) ?? namesUnread(own, key, names)) put(tree, name, typeOf(all));
    }
  }
  const resources: Tree = new Map(spaces);
  return `${HEAD}
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: ${JSON.stringify(defaultNamespace)};
    strictInterpolationChecks: true;
    resources: ${written(resources, "    ")};
  }
}
`;
}
