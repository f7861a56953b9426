/** What files have: texts, colours or items, in words. */
import { counted, listed } from "@/lib/counted";
import type { FileKind, Format } from "./queries";

const NOUNS: Readonly<Record<FileKind, string>> = { texts: "text", colors: "colour", items: "item" };
const KINDS = Object.keys(NOUNS) as FileKind[];

/** '6 texts, 2 colours and 1 item'; without any, '0 texts'. */
export function countedKinds(kinds: readonly FileKind[]): string {
  const counts = KINDS.map((kind) => [kind, kinds.filter((one) => one === kind).length] as const);
  const parts = counts.filter(([, count]) => count > 0).map(([kind, count]) => counted(count, NOUNS[kind]));
  return parts.length === 0 ? counted(0, "text") : listed(parts);
}

/** '6 texts' of files that have texts only; '6 changes' of files with different contents. */
export function countedIn(files: readonly { kind: FileKind }[], count: number): string {
  return counted(count, nounOf(files));
}

/** 'text' of files that have texts only; 'change' of files with different contents. */
export function nounOf(files: readonly { kind: FileKind }[]): string {
  const [kind = "texts", ...others] = new Set(files.map((file) => file.kind));
  return others.length > 0 ? "change" : NOUNS[kind];
}

/** The formats of a file that may have texts or colours, or that has items. */
export const formatsOf = (formats: readonly Format[], hasItems: boolean) =>
  formats.filter(({ kind }) => (kind === "items") === hasItems);
