/** The parameters of a text, in the message grammar of the SDK. */

import { type Argument, type Choice, type Part, readMessage } from "../../client/src/message-parser.js";

/** What texts do with a parameter, from the most general to the strictest type: `count` is the number of a plural. */
export const USES = ["any", "moment", "count", "number"] as const;
export type Use = (typeof USES)[number];

/** How a text uses a parameter. Where texts differ, `use` is the last of them in `USES`. */
export interface Parameter {
  use: Use;
  /** The selectors of its selects, without `other`. */
  readonly selectors: Set<string>;
}

export type Parameters = Map<string, Parameter>;

function purposeOf(part: Argument | Choice): Use {
  if (part.kind !== "argument") return part.kind === "select" ? "any" : "count";
  return part.type === "number" ? "number" : part.type ? "moment" : "any";
}

function collect(parts: readonly Part[], into: Parameters): void {
  for (const part of parts) {
    if (typeof part === "string" || typeof part === "symbol") continue;
    const known: Parameter = into.get(part.name) ?? { use: "any", selectors: new Set<string>() };
    into.set(part.name, known);
    const use = purposeOf(part);
    if (USES.indexOf(use) > USES.indexOf(known.use)) known.use = use;
    if (part.kind === "argument") continue;
    if (part.kind === "select") for (const one of part.branches.keys()) if (one !== "other") known.selectors.add(one);
    for (const branch of part.branches.values()) collect(branch, into);
  }
}

/** Returns the parameters of a text in all given languages. A malformed text has no parameters: apps show it as it is. */
export function parametersOf(texts: Iterable<string>): Parameters {
  const found: Parameters = new Map();
  for (const text of texts) if (text.includes("{")) collect(readMessage(text), found);
  return found;
}
