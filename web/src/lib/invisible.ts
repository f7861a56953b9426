/** Characters that nobody sees, or that turn the text behind them around, by the names that people look them up by. */

export interface Part {
  text: string;
  at: number;
  /** The name of the character, if the part is an invisible character. */
  name?: { short: string; long: string };
}

const names: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["\u200b", ["ZWSP", "Zero-width space"]],
  ["\u200c", ["ZWNJ", "Zero-width non-joiner"]],
  ["\u200d", ["ZWJ", "Zero-width joiner"]],
  ["\u200e", ["LRM", "Left-to-right mark"]],
  ["\u200f", ["RLM", "Right-to-left mark"]],
  ["\u202a", ["LRE", "Left-to-right embedding"]],
  ["\u202b", ["RLE", "Right-to-left embedding"]],
  ["\u202c", ["PDF", "Pop directional formatting"]],
  ["\u202d", ["LRO", "Left-to-right override"]],
  ["\u202e", ["RLO", "Right-to-left override"]],
  ["\u2066", ["LRI", "Left-to-right isolate"]],
  ["\u2067", ["RLI", "Right-to-left isolate"]],
  ["\u2068", ["FSI", "First strong isolate"]],
  ["\u2069", ["PDI", "Pop directional isolate"]],
  ["\ufeff", ["BOM", "Byte order mark"]],
]);

const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/**
 * Joiners are part of words of many scripts, and of emoji. There they are no surprise, and without them the text looks
 * different.
 */
const WRITTEN_BEFORE =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\u200c\u200d]$|\p{Emoji_Presentation}$|\p{Extended_Pictographic}$/u;
const WRITTEN_AFTER =
  /^[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\u200c\u200d]|^\p{Extended_Pictographic}/u;

/** The text in parts: each invisible character is one of its own. */
export function withInvisible(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to > from) parts.push({ text: text.slice(from, to), at: from });
    from = to;
  };
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    const [short, long] = names.get(character) ?? ["", ""];
    if (isPartOfWord(character, text.slice(Math.max(0, index - 2), index), text.slice(index + 1, index + 3))) continue;
    add(index);
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    parts.push({ text: character, at: index, name: { short, long: `${long} (U+${code})` } });
    from = index + 1;
  }
  add(text.length);
  return parts;
}

const isPartOfWord = (character: string, before: string, after: string) =>
  (character === "\u200c" || character === "\u200d") && WRITTEN_BEFORE.test(before) && WRITTEN_AFTER.test(after);
