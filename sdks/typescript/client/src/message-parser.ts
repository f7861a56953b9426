/** Reads a message into parts by the grammar of sdks/spec/messages.md. The dashboard reads messages with this parser too. */

export interface Argument {
  readonly kind: "argument";
  readonly name: string;
  readonly source: string;
}
export interface Choice {
  readonly kind: "plural" | "selectordinal" | "select";
  readonly name: string;
  readonly offset: number;
  readonly branches: ReadonlyMap<string, readonly Part[]>;
  readonly source: string;
}
/** Literal text, `#` of a plural, an argument, or a plural, selectordinal or select. */
export type Part = string | typeof HASH | Argument | Choice;

/** The `#` in a branch of a plural or selectordinal: the number. */
export const HASH = Symbol("#");
const NAME = "[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*";
const DOUBLE = new RegExp(`\\{\\{\\s*(${NAME})\\s*\\}\\}`, "uy");
const SINGLE = new RegExp(`\\{\\s*(${NAME})\\s*\\}`, "uy");
const CHOICE = new RegExp(`\\{\\s*(${NAME})\\s*,\\s*(plural|selectordinal|select)\\s*,`, "uy");
const OFFSET = /\s*offset\s*:\s*(\d+)/y;
const SELECTOR = /\s*(=\d+|[^\s{}=,#]+)\s*\{/uy;
const END = /\s*\}/y;
const MAX_DEPTH = 16;

/** Why a message can't be read: what is wrong, in which plural, selectordinal or select, and with which of its branches. */
export class Malformed extends Error {
  constructor(
    readonly reason: "unclosed" | "branch" | "twice" | "other" | "brace" | "deep",
    readonly choice = "",
    readonly selector = "",
  ) {
    super(reason);
  }
}

class Parser {
  #at = 0;
  constructor(readonly text: string) {}

  parts(depth: number, inPlural: boolean, choice: string): Part[] {
    if (depth > MAX_DEPTH) throw new Malformed("deep");
    const parts: Part[] = [];
    let literal = "";
    const flush = () => {
      if (literal) parts.push(literal);
      literal = "";
    };
    while (this.#at < this.text.length) {
      const character = this.text[this.#at] as string;
      if (character === "}" && depth > 0) break;
      const part =
        character === "{" ? this.#braced(depth, inPlural, choice) : character === "#" && inPlural ? HASH : undefined;
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
  #braced(depth: number, inPlural: boolean, outer: string): Part | undefined {
    const start = this.#at;
    const simple = this.#match(DOUBLE) ?? this.#match(SINGLE);
    if (simple) return { kind: "argument", name: simple[1] as string, source: simple[0] };
    const choice = this.#match(CHOICE);
    if (choice) return this.#choice(start, choice[1] as string, choice[2] as Choice["kind"], depth, inPlural);
    if (depth > 0) throw new Malformed("brace", outer);
    return undefined;
  }

  #choice(start: number, name: string, kind: Choice["kind"], depth: number, inPlural: boolean): Choice {
    const said = `${kind} of ${name}`;
    const offset = kind === "select" ? 0 : Number(this.#match(OFFSET)?.[1] ?? 0);
    const branches = new Map<string, Part[]>();
    while (!this.#match(END)) {
      const selector = this.#match(SELECTOR)?.[1];
      if (selector === undefined)
        throw new Malformed(/\S/.test(this.text.slice(this.#at)) ? "branch" : "unclosed", said);
      if (branches.has(selector)) throw new Malformed("twice", said, selector);
      branches.set(selector, this.parts(depth + 1, kind !== "select" || inPlural, said));
      if (this.text[this.#at++] !== "}") throw new Malformed("unclosed", said);
    }
    if (!branches.has("other")) throw new Malformed("other", said);
    return { kind, name, offset, branches, source: this.text.slice(start, this.#at) };
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.text);
    if (match) this.#at = expression.lastIndex;
    return match;
  }
}

/** The parts of a message; their sources joined are the text. Throws {@link Malformed}. */
export function parseMessage(text: string): readonly Part[] {
  return new Parser(text).parts(0, false, "");
}

/** As apps read it: a malformed plural or select makes the whole message plain text, since half a sentence would be worse. */
export function readMessage(text: string): readonly Part[] {
  try {
    return parseMessage(text);
  } catch (error) {
    if (error instanceof Malformed) return [text];
    throw error;
  }
}
