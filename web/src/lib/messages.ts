/** The parts of a text that code fills in or interprets: arguments, plurals and selects as the SDK reads them, %s and HTML tags. */
import { HASH, type Part, parseMessage, readMessage } from "@sdk/message-parser";

export type { Argument, Choice } from "@sdk/message-parser";
export { HASH, type Part, parseMessage };

export interface Segment {
  kind: "text" | "number" | "argument" | "choice" | "format" | "tag";
  text: string;
  /** Where in the text it starts. */
  at: number;
  /** The part that this is; of a tag or a format the parts in it. */
  parts: readonly Part[];
}

/** A percent sign after a digit is a percentage, `%%` is an escaped sign. A width begins with 1 to 9, since 0 is a flag. */
const FORMAT = /%%|(?<!\d)%(?:\d+\$)?[-+0#]*(?:[1-9]\d*)?(?:\.\d+)?(?:hh?|ll?|[Lqjzt])?[@sdiufFeEgGxXoc]/y;
const TAG = /<\/?[A-Za-z][A-Za-z0-9_-]*(?:\s[^<>]*)?\/?>/y;

const sourceOf = (part: Part): string => (part === HASH ? "#" : typeof part === "string" ? part : part.source);

/** One level of a message in its segments: the parts, with the tags and formats of their text apart. Joined, they are the text again. */
export function segmentsOfParts(parts: readonly Part[]): Segment[] {
  const text = parts.map(sourceOf).join("");
  const begins: number[] = [];
  let length = 0;
  for (const part of parts) {
    begins.push(length);
    length += sourceOf(part).length;
  }
  /** The end of the tag or format that starts at `at`, in a text that ends at `end`; `at` if nothing starts there. */
  const endOf = (at: number, end: number): number => {
    const pattern = text[at] === "%" ? FORMAT : TAG;
    pattern.lastIndex = at;
    const stop = at + (pattern.exec(text)?.[0].length ?? 0);
    if (stop <= end) return stop;
    // A tag goes on behind an argument, and ends in a text.
    let last = 0;
    for (let high = begins.length - 1; last < high; ) {
      const middle = Math.ceil((last + high) / 2);
      if ((begins[middle] ?? 0) < stop) last = middle;
      else high = middle - 1;
    }
    return pattern === TAG && typeof parts[last] === "string" ? stop : at;
  };

  const segments: Segment[] = [];
  let passed = 0;
  for (const [index, part] of parts.entries()) {
    const begin = begins[index] ?? 0;
    if (typeof part !== "string") {
      const kind = part === HASH ? "number" : part.kind === "argument" ? "argument" : "choice";
      if (begin >= passed) segments.push({ kind, text: sourceOf(part), at: begin, parts: [part] });
      continue;
    }
    const end = begin + part.length;
    let textFrom = Math.max(begin, passed);
    const closeText = (to: number) => {
      if (to > textFrom) segments.push({ kind: "text", text: text.slice(textFrom, to), at: textFrom, parts: [] });
    };
    for (let at = textFrom; at < end; ) {
      const stop = text[at] === "%" || text[at] === "<" ? endOf(at, end) : at;
      const found = text.slice(at, stop);
      if (found === "" || found === "%%") {
        at = Math.max(stop, at + 1);
        continue;
      }
      closeText(at);
      const inner: Part[] = [];
      for (let place = index + 1; (begins[place] ?? stop) < stop; place += 1) {
        const one = parts[place];
        if (one !== undefined && typeof one !== "string") inner.push(one);
      }
      segments.push({ kind: found.startsWith("<") ? "tag" : "format", text: found, at, parts: inner });
      at = textFrom = passed = stop;
    }
    closeText(end);
  }
  return segments;
}

/** The segments of a text. A malformed plural or select is text, as it is for apps. */
export const segmentsOf = (text: string): Segment[] => segmentsOfParts(readMessage(text));

/** Whether code fills this in or interprets it. */
export const isPlaceholder = ({ kind }: Segment): boolean => kind !== "text" && kind !== "number";

/** Whether the whole text is one http or https address. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
