/** Finds the places of a source file that read texts: calls of `t`, `useText`, `<T>`, `<Trans>` and `data-livery`. */

import { parseSync } from "oxc-parser";
import { type Binding, Bindings } from "./bindings.js";
import { fullName, mapName, splitKey } from "./names.js";
import { bare, child, eachChild, list, literal, type Node, nameOf, propertiesOf, textsOf } from "./syntax.js";
import { textInside } from "./trans.js";
import type { Use } from "./uses.js";

export interface Conventions {
  /** What a `t` of unknown origin is. */
  readonly usual: Binding["origin"];
  /** i18next's default namespace, whose name is not part of keys. */
  readonly namespace: string;
}

const MAY_READ = /\bt\b|\buseT(?:ext|ranslation)?\b|\bTrans\b|<T\b|\bgetFixedT\b|data-livery|\$_/;
const SCRIPT = /<script\b[^>]*>([\s\S]*?)<\/script>/gi;
/** The attributes of `bindPage` that name a text. `data-livery-params` has the parameters. */
const MARK = /^data-livery(?!-params$)(?:-[a-z-]+)?$/;
const IN_MARKUP =
  /(?:\$?\bt|\$_)\(\s*(["'`])((?:(?!\1)[^\\$]|\\.)+)\1|\bdata-livery(?!-params\b)(?:-[a-z-]+)?\s*=\s*(["'])([^"']+)\3/g;
const OPTIONS_OF_I18NEXT = new Set(
  "defaultValue ns lng lngs fallbackLng context keySeparator nsSeparator returnObjects joinArrays postProcess interpolation replace".split(
    " ",
  ),
);
/** A default text of i18next as the import of its files makes it. A placeholder with a format stays as it is written. */
const asText = (text: string) => text.replace(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g, "{$1}");

const SCOPES = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression", "BlockStatement"]);

/** Returns the uses of texts in a file. A file that doesn't parse has the uses that the parser recovers. */
export function readSource(file: string, source: string, conventions: Conventions): Use[] {
  if (!MAY_READ.test(source)) return [];
  const reader = new Reader(file, source, conventions);
  if (!/\.(?:vue|svelte|html)$/.test(file)) reader.readScript(source, 0, file);
  else {
    const markup = source.replace(SCRIPT, (whole, script: string, at: number) => {
      const start = at + whole.indexOf(">") + 1;
      reader.readScript(script, start, `${file}.ts`);
      return whole.replace(/[^\n]/g, " ");
    });
    reader.readMarkup(markup);
  }
  return reader.uses;
}

class Reader {
  readonly uses: Use[] = [];
  #bindings: Bindings;
  #offset = 0;
  #line = { at: 0, number: 1 };

  constructor(
    private readonly file: string,
    private readonly source: string,
    private readonly conventions: Conventions,
  ) {
    this.#bindings = new Bindings(conventions.usual);
  }

  readScript(script: string, offset: number, name: string): void {
    this.#offset = offset;
    // Half the tree: without types, which call nothing.
    this.#visit(parseSync(name, script, { astType: "js" }).program as unknown as Node);
  }

  readMarkup(markup: string): void {
    this.#offset = 0;
    for (const found of markup.matchAll(IN_MARKUP)) {
      const [, , called, , attribute] = found;
      const binding: Binding = { kind: "t", origin: attribute === undefined ? this.conventions.usual : "livery" };
      this.#add(binding, { text: called ?? attribute ?? "", isWhole: true }, found.index, {});
    }
  }

  readonly #visit = (node: Node): void => {
    const isScope = SCOPES.has(node.type);
    if (isScope) this.#bindings.enter();
    switch (node.type) {
      case "ImportDeclaration":
        this.#bindings.readImport(node);
        break;
      case "VariableDeclarator":
        this.#bindings.readDeclaration(node);
        break;
      case "CallExpression":
        this.#readCall(node);
        break;
      case "JSXElement":
        this.#readElement(node);
        break;
    }
    if (isScope) for (const one of list(node, "params")) this.#bindings.readParameter(one);
    eachChild(node, this.#visit);
    if (isScope) this.#bindings.leave();
  };

  #readCall(node: Node): void {
    const binding = this.#calledBy(bare(child(node, "callee")));
    const args = list(node, "arguments");
    if (!binding || !args.length) return;
    const [key, second, third] = args;
    const isText = literal(second) !== undefined;
    const given = propertiesOf(isText ? third : second);
    const named = binding.origin === "i18next" ? given : propertiesOf(third);
    const fallback = isText
      ? literal(second)
      : (literal(third) ?? literal(named?.get(binding.origin === "i18next" ? "defaultValue" : "default")));
    const options = isText && binding.origin === "livery" ? new Map<string, Node>() : given;
    const isComputed = options === undefined && (isText ? third : second) !== undefined;
    const params = isComputed ? undefined : [...(options?.keys() ?? [])];
    for (const one of textsOf(key)) this.#add(binding, one, node.start, { fallback, params, options });
  }

  /** What a called expression is; undefined if it reads no text. */
  #calledBy(callee: Node | undefined): Binding | undefined {
    const name = nameOf(callee);
    if (name && this.#bindings.original(name) === "useText") return { kind: "t", origin: "livery" };
    if (name) {
      const found = this.#bindings.find(name);
      return found?.kind === "t" ? found : undefined;
    }
    if (callee?.type !== "MemberExpression") return undefined;
    const member = nameOf(child(callee, "property"));
    const object = bare(child(callee, "object"));
    if (member === "$t") return { kind: "t", origin: this.conventions.usual };
    if (member !== "t") return undefined;
    const inner = object?.type === "MemberExpression" ? child(object, "property") : object;
    const made =
      object?.type === "CallExpression" ? this.#bindings.original(nameOf(child(object, "callee"))) : undefined;
    if (made === "useLivery") return { kind: "t", origin: "livery" };
    const found = this.#bindings.find(nameOf(inner) ?? "");
    return found?.kind === "object" ? found : undefined;
  }

  #readElement(node: Node): void {
    const opening = child(node, "openingElement");
    const attributes = new Map<string, Node | undefined>();
    let isSpread = false;
    for (const one of list(opening, "attributes")) {
      const name = nameOf(child(one, "name"));
      if (name) attributes.set(name, child(one, "value"));
      else isSpread = true;
    }
    for (const [name, value] of attributes) {
      const marked = MARK.test(name) && literal(value);
      if (marked) this.#add({ kind: "t", origin: "livery" }, { text: marked, isWhole: true }, node.start, {});
    }
    if (this.#bindings.importedAs(nameOf(child(opening, "name"))) === "T") this.#readT(node, attributes, isSpread);
    const key = attributes.get("i18nKey");
    if (!key || this.#bindings.original(nameOf(child(opening, "name"))) !== "Trans") return;
    const values = attributes.get("values");
    const given = values ? propertiesOf(values) : new Map<string, Node>();
    const names = [...(given?.keys() ?? []), ...(attributes.has("count") ? ["count"] : []), ...namesInside(node)];
    const ns = attributes.get("ns");
    const t = this.#bindings.find(nameOf(bare(attributes.get("t"))) ?? "");
    const binding: Binding = {
      kind: "t",
      origin: "i18next",
      namespace: literal(ns) ?? t?.namespace,
      prefix: t?.prefix,
    };
    const fallback = literal(attributes.get("defaults")) ?? textInside(node);
    const params = given && !isSpread ? names : undefined;
    for (const one of textsOf(key)) this.#add(binding, one, node.start, { fallback, params, options: given });
  }

  /** `<T id="home.title" params={{ name }} fallback="…">` of `@livery/react`. */
  #readT(node: Node, attributes: ReadonlyMap<string, Node | undefined>, isSpread: boolean): void {
    const values = attributes.get("params");
    const given = values ? propertiesOf(bare(values)) : new Map<string, Node>();
    const params = given && !isSpread ? [...given.keys()] : undefined;
    const more = { fallback: literal(attributes.get("fallback")), params };
    for (const one of textsOf(attributes.get("id"))) this.#add({ kind: "t", origin: "livery" }, one, node.start, more);
  }

  #add(
    binding: Binding,
    given: { text: string; isWhole: boolean },
    at: number,
    more: {
      fallback?: string | undefined;
      params?: readonly string[] | undefined;
      options?: ReadonlyMap<string, Node> | undefined;
    },
  ): void {
    const isI18next = binding.origin === "i18next";
    const i18next = isI18next ? this.#nameOf(binding, given.text, literal(more.options?.get("ns"))) : undefined;
    const name = i18next ? (i18next.namespace ? `${i18next.namespace}.${i18next.name}` : i18next.name) : given.text;
    const hasContext = isI18next && (more.options?.has("context") ?? false);
    const isComputed = !given.isWhole || hasContext;
    const mapped = isI18next ? mapName(name) : splitKey(name);
    const isParams = "params" in more;
    this.uses.push({
      key: given.isWhole && mapped ? fullName(mapped) : undefined,
      name: given.text,
      ...(i18next && given.isWhole && { i18next }),
      ...(isComputed && { prefix: hasContext && mapped ? `${fullName(mapped)}_` : prefixOf(name, isI18next) }),
      file: this.file,
      line: this.#lineOf(this.#offset + at),
      ...(more.fallback !== undefined && { fallback: isI18next ? asText(more.fallback) : more.fallback }),
      params: isParams ? more.params?.filter((one) => !(isI18next && OPTIONS_OF_I18NEXT.has(one))) : undefined,
    });
  }

  /** The name of i18next with its prefix, and its namespace if that is not the default namespace. */
  #nameOf(binding: Binding, text: string, ns: string | undefined): NonNullable<Use["i18next"]> {
    const parted = /^([\w/-]+):(?!\s)(.+)$/s.exec(text);
    const namespace = parted?.[1] ?? ns ?? binding.namespace ?? this.conventions.namespace;
    const name = `${binding.prefix ? `${binding.prefix}.` : ""}${parted?.[2] ?? text}`;
    return namespace === this.conventions.namespace ? { name } : { namespace, name };
  }

  #lineOf(at: number): number {
    if (at < this.#line.at) this.#line = { at: 0, number: 1 };
    let { at: from, number } = this.#line;
    for (let next = this.source.indexOf("\n", from); next >= 0 && next < at; next = this.source.indexOf("\n", from)) {
      from = next + 1;
      number++;
    }
    this.#line = { at: from, number };
    return number;
  }
}

/** What the key of a computed name begins with: mapped as whole names are. Without a screen, it can be any key. */
function prefixOf(name: string, isMapped: boolean): string {
  if (!name.includes(".")) return "";
  if (!isMapped) return name;
  const mapped = mapName(`${name}x`);
  return mapped ? fullName(mapped).slice(0, -1) : "";
}

/** The parameters that stand as `{{name}}` between the tags of a `<Trans>`. */
function namesInside(node: Node): string[] {
  return list(node, "children").flatMap((one) =>
    one.type === "JSXElement" ? namesInside(one) : [...(propertiesOf(one)?.keys() ?? [])],
  );
}
