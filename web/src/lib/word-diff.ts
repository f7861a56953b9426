/** Which words of a text changed. */

export interface Piece {
  text: string;
  isChanged: boolean;
  at: number;
}

/** Above this many pairs of words the texts are shown whole: the table would take longer than reading. */
const PAIRS = 250_000;

function wordsOf(text: string, language: string): string[] {
  try {
    return Array.from(new Intl.Segmenter(language, { granularity: "word" }).segment(text), ({ segment }) => segment);
  } catch {
    return text.match(/\s+|[^\s]+/gu) ?? [];
  }
}

/** Marks in `a` and `b` what is not in their longest common run of words. */
function marks(a: readonly string[], b: readonly string[]): [boolean[], boolean[]] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const [inA, inB] = [a.map(() => true), b.map(() => true)];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      inA[i] = false;
      inB[j] = false;
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return [inA, inB];
}

/** Neighbours of one kind as one piece. White space between two changed words counts as changed. */
function pieces(words: readonly string[], changed: readonly boolean[]): Piece[] {
  const result: Piece[] = [];
  let at = 0;
  for (const [index, word] of words.entries()) {
    const isBetween = word.trim() === "" && changed[index - 1] === true && changed[index + 1] === true;
    const isChanged = changed[index] === true || isBetween;
    const last = result.at(-1);
    if (last !== undefined && last.isChanged === isChanged) last.text += word;
    else result.push({ text: word, isChanged, at });
    at += word.length;
  }
  return result;
}

/** The old and the new text in pieces. A text that is new, gone or wholly different is one unmarked piece. */
export function wordDiff(before: string, after: string, language: string): { before: Piece[]; after: Piece[] } {
  const whole = (text: string): Piece[] => (text === "" ? [] : [{ text, isChanged: false, at: 0 }]);
  const [a, b] = [wordsOf(before, language), wordsOf(after, language)];
  if (a.length * b.length > PAIRS || a.length === 0 || b.length === 0) {
    return { before: whole(before), after: whole(after) };
  }
  const [inA, inB] = marks(a, b);
  const hasCommonWord = a.some((word, index) => inA[index] === false && word.trim() !== "");
  if (!hasCommonWord) return { before: whole(before), after: whole(after) };
  return { before: pieces(a, inA), after: pieces(b, inB) };
}
