/** Which names of the code are `t` of Livery or of i18next, scope by scope. */

import { bare, child, list, literal, type Node, nameOf, propertiesOf, textsOf } from "./syntax.js";

/** What a name of the code is: a function that reads texts, or an object that has such a function as `t`. */
export interface Binding {
  readonly kind: "t" | "useText" | "object" | "none";
  readonly origin: "livery" | "i18next";
  readonly namespace?: string | undefined;
  readonly prefix?: string | undefined;
}

const LIVERY_HOOKS = new Set(["useLivery", "createLivery"]);
const OBJECTS: Readonly<Record<string, Binding["origin"]>> = { livery: "livery", i18n: "i18next", i18next: "i18next" };
const NONE: Binding = { kind: "none", origin: "livery" };

/** The names of one file, in nested scopes. Names that the file doesn't declare are taken by their usual meaning. */
export class Bindings {
  #scopes: Map<string, Binding>[] = [new Map()];
  /** Local names of imports: what they are called where they come from. */
  #imported = new Map<string, string>();

  constructor(private readonly usual: Binding["origin"]) {}

  enter(): void {
    this.#scopes.push(new Map());
  }

  leave(): void {
    this.#scopes.pop();
  }

  find(name: string): Binding | undefined {
    for (let at = this.#scopes.length - 1; at >= 0; at--) {
      const found = this.#scopes[at]?.get(name);
      if (found) return found;
    }
    if (name === "t" || name === "$t") return { kind: "t", origin: this.usual };
    return name in OBJECTS ? { kind: "object", origin: OBJECTS[name] as Binding["origin"] } : undefined;
  }

  /** The name of an import where it comes from, else the name itself. */
  original(name: string | undefined): string | undefined {
    return name === undefined ? undefined : (this.#imported.get(name) ?? name);
  }

  /** The name of an import where it comes from; undefined if the file does not import the name. */
  importedAs(name: string | undefined): string | undefined {
    return name === undefined ? undefined : this.#imported.get(name);
  }

  /** Takes the names of an `import`. */
  readImport(node: Node): void {
    const from = literal(child(node, "source")) ?? "";
    const isLivery = from.startsWith("@livery/");
    if (!isLivery && !/i18n/i.test(from)) return;
    for (const one of list(node, "specifiers")) {
      const local = nameOf(child(one, "local"));
      if (!local) continue;
      const name = one.type === "ImportSpecifier" ? (nameOf(child(one, "imported")) ?? local) : "default";
      if (name === "default") this.#set(local, { kind: "object", origin: isLivery ? "livery" : "i18next" });
      else if (name === "t") this.#set(local, { kind: "t", origin: "i18next" });
      else this.#imported.set(local, name);
    }
  }

  /** Takes the name or names that `const … = …` declares. */
  readDeclaration(node: Node): void {
    const id = child(node, "id");
    const made = this.#madeBy(bare(child(node, "init")));
    const name = nameOf(id);
    if (name) this.#declare(name, made);
    else if (id?.type === "ObjectPattern") this.#readPattern(id, made);
    else if (id?.type === "ArrayPattern") this.#readArray(id, made);
  }

  /** Takes a parameter of a function. */
  readParameter(node: Node): void {
    const name = nameOf(node);
    if (name) this.#declare(name, undefined);
  }

  #set(name: string, binding: Binding): void {
    this.#scopes.at(-1)?.set(name, binding);
  }

  /** Takes a name whose value is known, or not: then a `t` is the usual `t`, without a namespace. */
  #declare(name: string, made: Binding | undefined): void {
    if (made) this.#set(name, made);
    else if (name === "t") this.#set(name, { kind: "t", origin: this.usual });
    else if (this.find(name) && !(name in OBJECTS)) this.#set(name, NONE);
  }

  #readPattern(pattern: Node, made: Binding | undefined): void {
    for (const one of list(pattern, "properties")) {
      const local = nameOf(child(one, "value"));
      const key = nameOf(child(one, "key"));
      if (!local) continue;
      if (key === "t" && made?.kind === "object") this.#set(local, { ...made, kind: "t" });
      else if (key !== "t") this.#declare(local, undefined);
    }
  }

  #readArray(pattern: Node, made: Binding | undefined): void {
    const local = nameOf(list(pattern, "elements")[0]);
    if (local && made?.kind === "object") this.#set(local, { ...made, kind: "t" });
  }

  /** What the value of a declaration is. */
  #madeBy(value: Node | undefined): Binding | undefined {
    if (value?.type === "MemberExpression" && nameOf(child(value, "property")) === "t") {
      const object = this.find(nameOf(child(value, "object")) ?? "");
      return object?.kind === "object" ? { ...object, kind: "t" } : undefined;
    }
    if (value?.type === "Identifier") return this.find(value["name"] as string);
    if (value?.type !== "CallExpression") return undefined;
    const callee = child(value, "callee");
    const member = callee?.type === "MemberExpression" ? child(callee, "property") : callee;
    const name = this.original(nameOf(member));
    const args = list(value, "arguments");
    if (name === "useT") return { kind: "t", origin: "livery" };
    if (name && LIVERY_HOOKS.has(name)) return { kind: "object", origin: "livery" };
    if (name === "useTranslation" || name === "useI18n" || name === "getServerTranslations")
      return { kind: "object", origin: "i18next", ...scopeOf(args[0], propertiesOf(args[1])?.get("keyPrefix")) };
    if (name === "getFixedT") return { kind: "t", origin: "i18next", ...scopeOf(args[1], args[2]) };
    return undefined;
  }
}

function scopeOf(namespace: Node | undefined, prefix: Node | undefined): Pick<Binding, "namespace" | "prefix"> {
  const named = namespace && textsOf(namespace).find((one) => one.isWhole)?.text;
  return { namespace: named || undefined, prefix: literal(prefix) };
}
