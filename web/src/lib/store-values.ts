/** Values of data stores as people read them: in the table of items, and where changes of them are reviewed. */
import type { Answer } from "./api-types";
import { formatUtcDay } from "./time";

type FieldType = Answer<"/api/stores/{projectId}", "get">[number]["fields"][number]["type"];

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** The words of formatted text. What is not a tag stays text: this is for reading, never for markup. */
export function wordsOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, " ")
    .replace(/ ([.,;:!?])/g, "$1")
    .trim();
}

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/** A value in words; "" for none. */
export function textOf(value: unknown, { type }: { readonly type: FieldType }): string {
  if (value === undefined || value === null) return "";
  if (type === "Boolean") return value === true ? "Yes" : "No";
  if (type === "Number") return typeof value === "number" ? number.format(value) : String(value);
  if (typeof value !== "string") return String(value);
  if (type === "Date") return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatUtcDay(`${value}T00:00:00Z`) : value;
  return type === "RichText" ? wordsOf(value) : value;
}

/** The address of a picture that this server keeps; null for any other, which the page's policy would not load. */
export function pictureOf(value: unknown, width: 64 | 256): string | null {
  if (typeof value !== "string" || value === "") return null;
  try {
    const { origin, pathname } = new URL(value, window.location.origin);
    return origin === window.location.origin && pathname.startsWith("/media/") ? `${pathname}?w=${width}` : null;
  } catch {
    return null;
  }
}
