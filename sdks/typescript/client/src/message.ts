/** Messages: `{name}`, `{{name}}` and ICU plural, selectordinal and select, with `#`. Formatting never throws. */

import { own } from "./content.js";
import type { TextParams } from "./types.js";

interface Argument {
  readonly kind: "argument";
  readonly name: string;
  readonly source: string;
}
interface Choice {
  readonly kind: "plural" | "selectordinal" | "select";
  readonly name: string;
  readonly offset: number;
  readonly branches: ReadonlyMap<string, readonly Part[]>;
  readonly source: string;
}
type Part = string | typeof HASH | Argument | Choice;

const HASH = Symbol("#");
const NAME = "[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*";
const DOUBLE = new RegExp(`\\{\\{\\s*(${NAME})\\s*\\}\\}`, "uy");
const SINGLE = new RegExp(`\\{\\s*(${NAME})\\s*\\}`, "uy");
const CHOICE = new RegExp(`\\{\\s*(${NAME})\\s*,\\s*(plural|selectordinal|select)\\s*,`, "uy");
const OFFSET = /\s*offset\s*:\s*(\d+)/y;
const SELECTOR = /\s*(=\d+|[^\s{}=,#]+)\s*\{/uy;
const END = /\s*\}/y;
const MAX_DEPTH = 16;

class Malformed extends Error {}

class Parser {
  #at = 0;
  constructor(readonly text: string) {}

  parts(depth: number, inPlural: boolean): Part[] {
    if (depth > MAX_DEPTH) throw new Malformed();
    const parts: Part[] = [];
    let literal = "";
    const flush = () => {
      if (literal) parts.push(literal);
      literal = "";
    };
    while (this.#at < this.text.length) {
      const character = this.text[this.#at] as string;
      if (character === "}" && depth > 0) break;
      const part = character === "{" ? this.#braced(depth, inPlural) : character === "#" && inPlural ? HASH : undefined;
      if (part === undefined) {
        literal += character;
        this.#at++;
      } else {
        flush();
        parts.push(part);
        if (part === HASH) this.#at++;
      }
    }
    flush();
    return parts;
  }

  /** What the brace opens; undefined where it is just a brace. Only inside a branch is a lone brace an error. */
  #braced(depth: number, inPlural: boolean): Part | undefined {
    const start = this.#at;
    const simple = this.#match(DOUBLE) ?? this.#match(SINGLE);
    if (simple) return { kind: "argument", name: simple[1] as string, source: simple[0] };
    const choice = this.#match(CHOICE);
    if (choice) return this.#choice(start, choice[1] as string, choice[2] as Choice["kind"], depth, inPlural);
    if (depth > 0) throw new Malformed();
    return undefined;
  }

  #choice(start: number, name: string, kind: Choice["kind"], depth: number, inPlural: boolean): Choice {
    const offset = kind === "select" ? 0 : Number(this.#match(OFFSET)?.[1] ?? 0);
    const branches = new Map<string, Part[]>();
    while (!this.#match(END)) {
      const selector = this.#match(SELECTOR)?.[1];
      if (selector === undefined || branches.has(selector)) throw new Malformed();
      branches.set(selector, this.parts(depth + 1, kind !== "select" || inPlural));
      if (this.text[this.#at++] !== "}") throw new Malformed();
    }
    if (!branches.has("other")) throw new Malformed();
    return { kind, name, offset, branches, source: this.text.slice(start, this.#at) };
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.text);
    if (match) this.#at = expression.lastIndex;
    return match;
  }
}

const parsed = new Map<string, readonly Part[]>();
const MAX_PARSED = 500;

/** A malformed plural or select makes the whole message plain text: half a sentence would be worse than the source. */
function parse(text: string): readonly Part[] {
  let parts = parsed.get(text);
  if (!parts) {
    try {
      parts = new Parser(text).parts(0, false);
    } catch {
      parts = [text];
    }
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, parts);
  }
  return parts;
}

const rules = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();

function remembered<Value>(cache: Map<string, Value>, key: string, make: () => Value): Value {
  const known = cache.get(key) ?? make();
  cache.set(key, known);
  return known;
}

function category(language: string, ordinal: boolean, value: number): string {
  const make = (name: string) => () => new Intl.PluralRules(name, { type: ordinal ? "ordinal" : "cardinal" });
  try {
    return remembered(rules, `${language} ${ordinal}`, make(language)).select(value);
  } catch {
    return remembered(rules, `en ${ordinal}`, make("en")).select(value);
  }
}

function numeral(language: string, value: number): string {
  try {
    return remembered(numbers, language, () => new Intl.NumberFormat(language)).format(value);
  } catch {
    return String(value);
  }
}

function choose(part: Choice, value: unknown, language: string): { branch: readonly Part[]; hash: string | undefined } {
  const other = part.branches.get("other") as readonly Part[];
  if (part.kind === "select") return { branch: part.branches.get(String(value)) ?? other, hash: undefined };
  const count = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isNaN(count)) return { branch: other, hash: String(value) };
  const rest = count - part.offset;
  const branch =
    part.branches.get(`=${count}`) ??
    part.branches.get(category(language, part.kind === "selectordinal", rest)) ??
    other;
  return { branch, hash: numeral(language, rest) };
}

function render(parts: readonly Part[], params: TextParams, language: string, hash: string | undefined): string {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if (part === HASH) text += hash ?? "#";
    else {
      const value = own(params, part.name);
      if (value === undefined || value === null) text += part.source;
      else if (part.kind === "argument") text += String(value);
      else {
        const chosen = choose(part, value, language);
        text += render(chosen.branch, params, language, chosen.hash ?? hash);
      }
    }
  }
  return text;
}

/** Fills in `params`. A placeholder without a value, and a malformed message, stay as they are written. */
export function formatMessage(text: string, params: TextParams | undefined, language: string): string {
  if (!params || !text.includes("{")) return text;
  try {
    return render(parse(text), params, language, undefined);
  } catch {
    return text;
  }
}
