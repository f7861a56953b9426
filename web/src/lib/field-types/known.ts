/** All types of fields, in the order in which they are offered. */
import { boolean } from "./boolean";
import { date } from "./date";
import type { FieldType, FieldTypeName } from "./field-type";
import { media } from "./media";
import { number } from "./number";
import { richText } from "./rich-text";
import { text } from "./text";

const known: Readonly<Record<FieldTypeName, FieldType>> = {
  String: text,
  Number: number,
  Boolean: boolean,
  Date: date,
  RichText: richText,
  Media: media,
};

export const fieldTypes: readonly FieldType[] = Object.values(known);

export const typeOf = ({ type }: { readonly type: FieldTypeName }): FieldType => known[type];

/** A value in words; "" without a value. */
export const textOf = (value: unknown, field: { readonly type: FieldTypeName }): string =>
  value === undefined || value === null ? "" : typeOf(field).words(value);
