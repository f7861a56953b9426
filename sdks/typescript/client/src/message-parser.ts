/** Reads a message into parts by the grammar of sdks/spec/messages.md. The dashboard reads messages with this parser too. */

export interface Argument {
  readonly kind: "argument";
  readonly name: string;
  /** Undefined: the value is written as it is. */
  readonly type?: "number" | "date" | "time" | undefined;
  /** How a value of this type is written. Undefined, or unknown: as the language usually writes it. */
  readonly style?: string | undefined;
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
export const HASH = Symbol();
const NAME = "[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*";
const STYLE = "[^\\s{}]+(?:\\s+[^\\s{}]+)*";
const ARGUMENT = `\\{\\s*(${NAME})\\s*(?:,\\s*(number|date|time)\\s*(?:,\\s*(${STYLE})\\s*)?)?\\}`;
const DOUBLE = new RegExp(`\\{${ARGUMENT}\\}`, "uy");
const SINGLE = new RegExp(ARGUMENT, "uy");
const CHOICE = new RegExp(`\\{\\s*(${NAME})\\s*,\\s*(plural|selectordinal|select)\\s*,`, "uy");
const OFFSET = /\s*offset\s*:\s*(\d+)/y;
const SELECTOR = /\s*(=\d+|[^\s{}=,#]+)\s*\{/uy;
const END = /\s*\}/y;
const MAX_DEPTH = 16;

function argumentOf([source, name, type, style]: RegExpExecArray): Argument {
  return { kind: "argument", name: name as string, type: type as Argument["type"], style, source };
}

/**
 * Returns the parts of a message; their sources joined are the text.
 *
 * Throws for a malformed message. The message of the error has words, parted by spaces: the fault, the kind and the
 * name of the choice, and the text there. The fault is `branch`, `twice`, `other` or `brace`; the message is empty
 * where choices nest too deeply. The dashboard makes sentences of the words.
 */
export function parseMessage(text: string): readonly Part[] {
  let at = 0;

  const match = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    const found = expression.exec(text);
    if (found) at = expression.lastIndex;
    return found;
  };

  /** The parts up to the end of the text, or of the branch. */
  const parts = (depth: number, inPlural: boolean): Part[] => {
    if (depth > MAX_DEPTH) throw new Error();
    const found: Part[] = [];
    let literal = "";
    while (at < text.length) {
      const character = text[at] as string;
      if (character === "}" && depth) break;
      const part = character === "{" ? braced(depth, inPlural) : character === "#" && inPlural ? HASH : undefined;
      if (part) {
        if (literal) found.push(literal);
        literal = "";
        found.push(part);
      } else literal += character;
      if (!part || part === HASH) at++;
    }
    if (literal) found.push(literal);
    return found;
  };

  /** What the brace opens; undefined where it is just a brace. Only inside a branch is a lone brace an error. */
  const braced = (depth: number, inPlural: boolean): Part | undefined => {
    const start = at;
    const simple = match(DOUBLE) ?? match(SINGLE);
    if (simple) return argumentOf(simple);
    const head = match(CHOICE);
    if (!head) {
      if (depth) throw new Error("brace");
      return undefined;
    }
    const [, name, kind] = head as unknown as [string, string, Choice["kind"]];
    const place = `${kind} ${name}`;
    const isPlural = kind !== "select";
    const offset = isPlural ? Number(match(OFFSET)?.[1] ?? 0) : 0;
    const branches = new Map<string, Part[]>();
    while (!match(END)) {
      const selector = match(SELECTOR)?.[1];
      if (selector === undefined) throw new Error(`branch ${place} ${text.slice(at)}`);
      if (branches.has(selector)) throw new Error(`twice ${place} ${selector}`);
      branches.set(selector, parts(depth + 1, isPlural || inPlural));
      if (text[at++] !== "}") throw new Error("branch");
    }
    if (!branches.has("other")) throw new Error(`other ${place}`);
    return { kind, name, offset, branches, source: text.slice(start, at) };
  };

  return parts(0, false);
}

/** As apps read it: a malformed plural or select makes the whole message plain text, since half a sentence would be worse. */
export function readMessage(text: string): readonly Part[] {
  try {
    return parseMessage(text);
  } catch {
    return [text];
  }
}
