/** Two columns copied from a spreadsheet, as keys and texts. */

export interface KeyLine {
  name: string;
  text: string;
}

/** One cell of a copied table at `at`: quoted when it holds a tab, a line break or a quote. */
function cellAt(source: string, at: number): { text: string; end: number } {
  if (source[at] !== '"') {
    const end = /[\t\n]|$/g;
    end.lastIndex = at;
    const index = end.exec(source)?.index ?? source.length;
    return { text: source.slice(at, index), end: index };
  }
  let text = "";
  for (let from = at + 1; ; ) {
    const quote = source.indexOf('"', from);
    if (quote === -1) return { text: source.slice(at), end: source.length };
    text += source.slice(from, quote);
    if (source[quote + 1] !== '"') return { text, end: quote + 1 };
    text += '"';
    from = quote + 2;
  }
}

/** The lines of a copied table with at least two columns; null for any other text. */
export function keyLinesOf(copied: string): KeyLine[] | null {
  const source = copied.replace(/\r\n?/g, "\n");
  if (!source.includes("\t")) return null;
  const lines: KeyLine[] = [];
  for (let at = 0; at < source.length; ) {
    const cells: string[] = [];
    for (;;) {
      const { text, end } = cellAt(source, at);
      cells.push(text);
      at = end + 1;
      if (source[end] !== "\t") break;
    }
    const [name = "", text = ""] = cells;
    if (name.trim() !== "" || text !== "") lines.push({ name: name.trim(), text });
  }
  return lines;
}
