/** What every row of the grid needs, the same object until the screen, the languages or the rights change. */
import { createContext, useContext } from "react";
import type { LanguageName } from "@/lib/languages";
import type { Leave } from "./cell-editor";
import type { Columns } from "./filters";
import type { KeyRecord } from "./queries";

export interface Grid {
  projectId: string;
  screen: string;
  columns: Columns;
  nameOf: (code: string) => LanguageName;
  isReadOnly: boolean;
  open: (record: KeyRecord, language: string) => void;
  /** Saves a text in place of `before`; Ctrl+Z takes it back. */
  write: (record: KeyRecord, language: string, before: string, after: string) => void;
  leave: (record: KeyRecord, language: string, how: Leave) => void;
  /** A cell got the focus by itself (pointer, Tab). */
  noteFocus: (keyId: string, column: number) => void;
  startRename: (keyId: string) => void;
  /** `refocus`: the keyboard ended it, so the cell takes the focus back. */
  endRename: (keyId: string, refocus: boolean) => void;
  askToDelete: (record: KeyRecord) => void;
}

export const GridContext = createContext<Grid | null>(null);

export function useGrid(): Grid {
  const grid = useContext(GridContext);
  if (grid === null) throw new Error("a row is shown outside its grid");
  return grid;
}
