/** Which changes of a comparison are ticked, for comparisons in which changes can be left out. */
import { createContext } from "react";
import type { TickState } from "./tick-box";

/** A part of the comparison, as its heading shows it. */
export interface TickedSection {
  state: TickState;
  picked: number;
  total: number;
}

export interface Ticks {
  stateOf: (ref: string) => TickState;
  /** Whether one text of a change is left out. */
  isOut: (ref: string) => boolean;
  /** Why the box of a change can't be changed; null where it can. */
  fixedBy: (ref: string) => string | null;
  tick: (ref: string, isOn: boolean) => void;
  /** Undefined for a part without boxes. */
  sectionOf: (id: string) => TickedSection | undefined;
  tickSection: (id: string, isOn: boolean) => void;
  /** Null where changes can't be discarded. */
  discard: ((ref: string, name: string) => void) | null;
}

/** Null where nothing can be left out. */
export const TicksContext = createContext<Ticks | null>(null);
