/** Where a text holds what was searched for, whatever its case and accents: the same rule as the server's, in small. */

const letters: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ħ: "h", ŧ: "t", æ: "ae", œ: "oe" };
/** Marks and invisible characters; the voicing marks of kana make another letter. */
const dropped = /(?![\u3099\u309a])[\p{Mn}\p{Me}\p{Cf}\u0640]/gu;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

interface Folded {
  text: string;
  /** For each unit of `text`, and once more at its end, where it begins in the original. */
  starts: number[];
  ends: number[];
}

function foldOne(character: string): string {
  const bare = character.normalize("NFKD").replace(dropped, "");
  // To capitals and back: it takes ß, ſ, ς and ı along.
  const small = bare.toUpperCase().toLowerCase();
  return [...small.normalize("NFC")].map((letter) => letters[letter] ?? letter).join("");
}

/** Character by character as people see them, so that each place in the folded text has a place in the original. */
function fold(text: string): Folded {
  const folded: Folded = { text: "", starts: [], ends: [] };
  for (const { segment, index } of segmenter.segment(text)) {
    const isBlank = /^\s+$/u.test(segment);
    const piece = isBlank ? (folded.text === "" || folded.text.endsWith(" ") ? "" : " ") : foldOne(segment);
    folded.text += piece;
    for (let unit = 0; unit < piece.length; unit += 1) {
      folded.starts.push(index);
      folded.ends.push(index + segment.length);
    }
  }
  return folded;
}

export interface Part {
  text: string;
  isMatch: boolean;
}

const BEFORE = 40;

/**
 * Returns `text` in parts, with the parts that hold `query` marked. If the first such part is far in, the result begins
 * shortly before it, with an ellipsis.
 */
export function markedParts(text: string, query: string): Part[] {
  const folded = fold(text);
  const wanted = fold(query).text.trimEnd();
  const parts: Part[] = [];
  let done = 0;
  for (let at = wanted === "" ? -1 : folded.text.indexOf(wanted); at >= 0; ) {
    const start = folded.starts[at] ?? 0;
    const end = folded.ends[at + wanted.length - 1] ?? text.length;
    if (start > done) parts.push({ text: text.slice(done, start), isMatch: false });
    if (end > done) parts.push({ text: text.slice(Math.max(start, done), end), isMatch: true });
    done = Math.max(done, end);
    at = folded.text.indexOf(wanted, at + wanted.length);
  }
  if (done < text.length) parts.push({ text: text.slice(done), isMatch: false });
  const [first, ...rest] = parts;
  if (first === undefined || first.isMatch || rest.length === 0 || first.text.length <= BEFORE) return parts;
  return [{ text: `…${lastOf(first.text)}`, isMatch: false }, ...rest];
}

/** The end of a text, after its first blank if it has a blank. */
function lastOf(text: string): string {
  const end = [...text].slice(-BEFORE / 2).join("");
  const blank = end.indexOf(" ");
  return blank < 0 ? end : end.slice(blank + 1);
}
