/** The styles of typed arguments that apps know. The dashboard and the adapters ask for them; the core writes the values. */

import { DATE_STYLES, NUMBER_STYLES } from "./message.js";
import type { Argument, Part } from "./message-parser.js";

/** An argument with a type. */
export type TypedArgument = Argument & { readonly type: NonNullable<Argument["type"]> };

export const isTyped = (part: Part): part is TypedArgument =>
  typeof part === "object" && part.kind === "argument" && part.type !== undefined;

/** Whether apps know the style. They write a value with another style as if the argument had no style. */
export const hasKnownStyle = ({ type, style }: TypedArgument): boolean =>
  style === undefined ||
  (style === "medium" && type !== "number") ||
  (type === "number" ? NUMBER_STYLES : DATE_STYLES).test(style);
