/** Reads the number of credits that a person typed, in the way of writing of the browser's language. */

export interface Amount {
  /** A whole number, also zero or less. */
  readonly credits: number;
  /** False if the text is no whole number and was turned into one: 7.9 into 7, and a text without digits into 1. */
  readonly isExact: boolean;
}

/** Null for a text with digits that can be read in two ways, or that is not written with digits only. */
export function readAmount(text: string, language: string): Amount | null {
  const trimmed = text.trim();
  if (!/\p{Nd}/u.test(trimmed)) return { credits: 1, isExact: false };
  const { group, decimal } = separatorsOf(language);
  // 1,000 or 1,00,000; the same separator throughout.
  const whole = String.raw`\d+|\d{1,3}(${group})(?:\d{2,3}\2)*\d{3}`;
  const found = new RegExp(`^([-+]?(?:${whole}))(?:${decimal}(\\d+))?$`).exec(trimmed);
  if (found === null) return null;
  const [, digits = "", , fraction = ""] = found;
  // 1.000 is a thousand to many.
  if (fraction.length === 3) return null;
  return { credits: Number(digits.replace(/[^\d-]/g, "")), isExact: /^0*$/.test(fraction) };
}

/** As patterns. People write spaces between thousands in every language. */
function separatorsOf(language: string): { group: string; decimal: string } {
  const parts = formatFor(language).formatToParts(1_234_567.8);
  const partOf = (type: string, missing: string) => parts.find((part) => part.type === type)?.value ?? missing;
  const group = partOf("group", ",");
  // Which apostrophe it is depends on the browser's version.
  const apostrophes = /['\u2019]/.test(group) ? "'\u2019" : "";
  return { group: `[ \\u00a0\\u202f${escaped(group)}${apostrophes}]`, decimal: escaped(partOf("decimal", ".")) };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|-]/g, "\\$&");

/** A browser may name a language that it has no numbers for. */
function formatFor(language: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(language);
  } catch {
    return new Intl.NumberFormat("en");
  }
}
