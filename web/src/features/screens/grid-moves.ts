/** Where a key of the keyboard leads from a cell of a grid. */

export interface Position {
  row: number;
  column: number;
}

/** The next cell, kept within the grid; undefined for keys that don't move. `isFar`: Ctrl or Command is held. */
export function nextPosition(key: string, isFar: boolean, from: Position, size: Position): Position | undefined {
  const [lastRow, lastColumn] = [size.row - 1, size.column - 1];
  const to = (row: number, column: number): Position => ({
    row: Math.min(Math.max(row, 0), lastRow),
    column: Math.min(Math.max(column, 0), lastColumn),
  });
  const { row, column } = from;
  switch (key) {
    case "ArrowUp":
      return to(isFar ? 0 : row - 1, column);
    case "ArrowDown":
      return to(isFar ? lastRow : row + 1, column);
    case "ArrowLeft":
      return to(row, isFar ? 0 : column - 1);
    case "ArrowRight":
      return to(row, isFar ? lastColumn : column + 1);
    case "Home":
      return to(isFar ? 0 : row, 0);
    case "End":
      return to(isFar ? lastRow : row, lastColumn);
    case "PageUp":
      return to(row - 10, column);
    case "PageDown":
      return to(row + 10, column);
    default:
      return undefined;
  }
}
