/**
 * The parts of a text that code fills in or interprets: {name}, {{name}}, ICU arguments, %s, %1$s, %@ and HTML tags.
 * They are shown as chips, and a translation is checked for having the same ones.
 */

export interface Segment {
  kind: "text" | "placeholder";
  text: string;
  /** Where in the text it starts. */
  at: number;
}

/** A percent sign after a digit is a percentage, `%%` is an escaped one. */
const PRINTF = /%%|(?<!\d)%(?:\d+\$)?[-+0#]*\d*(?:\.\d+)?(?:hh?|ll?|[Lqjzt])?[@sdiufFeEgGxXoc]/y;
const TAG = /<\/?[A-Za-z][\w-]*(?:\s[^<>]*)?\/?>/y;
const ARGUMENT = /^\{\s*([\w.$[\]-]+)\s*(?:,\s*(\w+)\s*(?:,[\s\S]*)?)?\}$/;
const DOUBLE = /^\{\{\s*[^{}]+\s*\}\}$/;

/** The end of the braces that open at `start`, or -1 when they never close. */
function closingBrace(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function placeholderAt(text: string, at: number): string {
  switch (text[at]) {
    case "{": {
      const end = closingBrace(text, at);
      const candidate = end === -1 ? "" : text.slice(at, end);
      return DOUBLE.test(candidate) || ARGUMENT.test(candidate) ? candidate : "";
    }
    case "%":
      return matchAt(PRINTF, text, at);
    case "<":
      return matchAt(TAG, text, at);
    default:
      return "";
  }
}

export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let plainFrom = 0;
  const closePlain = (to: number) => {
    if (to > plainFrom) segments.push({ kind: "text", text: text.slice(plainFrom, to), at: plainFrom });
  };
  for (let at = 0; at < text.length; ) {
    const found = placeholderAt(text, at);
    if (found === "" || found === "%%") {
      at += found === "" ? 1 : 2;
      continue;
    }
    closePlain(at);
    segments.push({ kind: "placeholder", text: found, at });
    at += found.length;
    plainFrom = at;
  }
  closePlain(text.length);
  return segments;
}

/** What must be the same in every language: of an ICU plural its argument (categories differ), of a tag its name. */
function essenceOf(placeholder: string): string {
  const argument = ARGUMENT.exec(placeholder);
  if (argument !== null) return argument[2] === undefined ? `{${argument[1]}}` : `{${argument[1]}, ${argument[2]}}`;
  if (DOUBLE.test(placeholder)) return placeholder.replace(/\s+/g, "");
  const tag = /^<(\/?[\w-]+)/.exec(placeholder);
  return tag === null ? placeholder : `<${tag[1]}>`;
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, text: placeholder } of segmentsOf(text)) {
    if (kind === "text") continue;
    const essence = essenceOf(placeholder);
    counts.set(essence, (counts.get(essence) ?? 0) + 1);
  }
  return counts;
}

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** What is wrong with a translation's placeholders, in a sentence; null when they are those of the source. */
export function placeholderWarning(source: string, target: string, sourceLanguage: string): string | null {
  if (source === "" || target === "") return null;
  const [wanted, given] = [countsOf(source), countsOf(target)];
  const more = (a: Map<string, number>, b: Map<string, number>) =>
    [...a].filter(([essence, count]) => count > (b.get(essence) ?? 0)).map(([essence]) => essence);
  const [missing, extra] = [more(wanted, given), more(given, wanted)];
  const said = (names: string[]) => {
    const noun = names.every((name) => /^<\/?[\w-]+>$/.test(name)) ? "Tag" : "Placeholder";
    return `${noun}${names.length === 1 ? "" : "s"} ${list.format(names)}`;
  };
  const sentences = [
    ...(missing.length > 0 ? [`${said(missing)} ${missing.length === 1 ? "is" : "are"} missing here.`] : []),
    ...(extra.length > 0
      ? [`${said(extra)} ${extra.length === 1 ? "is" : "are"} not in the ${sourceLanguage} text.`]
      : []),
  ];
  return sentences.length === 0 ? null : sentences.join(" ");
}

/** Whether the whole text is one http or https address. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
