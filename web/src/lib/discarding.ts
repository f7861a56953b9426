/** The way to discard unpublished changes from wherever they are shown. */
import { createContext, useContext } from "react";
import type { Diff } from "./diff";

/** What became of a discard. */
export interface Done {
  words: string;
  /** Brings the changes back; null where nothing was discarded. */
  undo: (() => Promise<void>) | null;
}

export interface ToDiscard {
  /** References of changes or texts, `in:<place>`, `by:<user id>` or `all`. */
  changes: readonly string[];
  /** What a single change is called in 'Discarded the change of …': 'cta_book in German'. */
  name: string;
  /** The question, where it is not the number of changes. */
  title?: string;
  /** The section that has them, to read it wholly: `screen/{name}`, `store/{apiIdentifier}`. */
  section?: string;
  /** It is one text: no question is needed, and nothing is read before. */
  isOneText?: boolean;
  /** The changes as the person sees them. Without them they are read. */
  diff?: Diff;
  /** Called after the discard, and after its undo with null. Without it a toast offers the undo. */
  onDone?: (done: Done | null) => void;
}

export const DiscardContext = createContext<((what: ToDiscard) => void) | null>(null);

/** Discards changes, after a question where they are more than one; null where that is not offered. */
export const useDiscard = (): ((what: ToDiscard) => void) | null => useContext(DiscardContext);
