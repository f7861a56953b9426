/** What each type of field of a data store must know of its values. One file for each type; `known.ts` lists them. */
import type { Answer } from "@/lib/api-types";

export type FieldTypeName = Answer<"/api/stores/{projectId}", "get">[number]["fields"][number]["type"];

/** A value as its input holds it: numbers as they are typed. */
export type Typed = string | boolean;

export interface FieldType {
  readonly name: FieldTypeName;
  /** What the type is for, in the words of who fills it in. */
  readonly meaning: string;
  /** The part of a form that takes the value. */
  readonly input: "text" | "editor" | "number" | "switch" | "date" | "media";
  /** Whether a value is a text in a language. */
  readonly isText: boolean;
  /** Whether tags in a text are formatting. A text without markup can be the name of its item. */
  readonly hasMarkup: boolean;
  /** Whether an item can be found by a value, in files. */
  readonly isKey: boolean;
  /** Whether a value can be a picture. */
  readonly isPicture: boolean;
  /** A value for people to read. */
  words: (value: unknown) => string;
  /** A value as the input holds it; without a value what an untouched input holds. */
  typed: (value: unknown) => Typed;
  /** What the API gets for an input; null for nothing. */
  sent: (typed: Typed) => unknown;
  /** The order of two values, as `Array.sort` takes it. */
  compare: (a: unknown, b: unknown) => number;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

export const plain = (value: unknown): string => String(value);

export const typedText = (value: unknown): string => (value === undefined ? "" : String(value));

/** Without the white space around it. */
export const sentTrimmed = (typed: Typed): unknown => (String(typed).trim() === "" ? null : String(typed).trim());

/** As it is written, white space included. */
export const sentAsTyped = (typed: Typed): unknown => (String(typed).trim() === "" ? null : typed);

export const inOrderOf =
  (words: (value: unknown) => string) =>
  (a: unknown, b: unknown): number =>
    collator.compare(words(a), words(b));
