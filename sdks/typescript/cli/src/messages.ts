/** The parameters of a text, in the message grammar of the SDK. */

import { type Part, readMessage } from "../../client/src/message-parser.js";

/** How a text uses a parameter: as it is, as the number of a plural, or to choose a branch. */
export interface Parameter {
  isNumber: boolean;
  /** The selectors of its selects, without `other`. */
  readonly selectors: Set<string>;
}

export type Parameters = Map<string, Parameter>;

function collect(parts: readonly Part[], into: Parameters): void {
  for (const part of parts) {
    if (typeof part === "string" || typeof part === "symbol") continue;
    const known = into.get(part.name) ?? { isNumber: false, selectors: new Set<string>() };
    into.set(part.name, known);
    if (part.kind === "argument") continue;
    if (part.kind === "select") for (const one of part.branches.keys()) if (one !== "other") known.selectors.add(one);
    if (part.kind !== "select") known.isNumber = true;
    for (const branch of part.branches.values()) collect(branch, into);
  }
}

/** Returns the parameters of a text in all given languages. A malformed text has no parameters: apps show it as it is. */
export function parametersOf(texts: Iterable<string>): Parameters {
  const found: Parameters = new Map();
  for (const text of texts) if (text.includes("{")) collect(readMessage(text), found);
  return found;
}
