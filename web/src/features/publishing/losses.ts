/** What apps lose with a publish, in words. */
import { counted } from "@/lib/counted";
import type { Diff } from "@/lib/diff";

const list = new Intl.ListFormat("en", { type: "conjunction" });

const some = (count: number, one: string): string[] => (count === 0 ? [] : [counted(count, one)]);

/** '11 texts and 2 colours'; empty where apps lose nothing. */
export function lossWords({ screens, texts, colors, stores, items, fields, languages }: Diff["losses"]): string {
  return list.format([
    ...some(texts, "text"),
    ...some(colors, "colour"),
    ...some(items, "item"),
    ...some(fields.length, "field"),
    // A screen or Data Store without content is lost, too.
    ...(texts === 0 ? some(screens.length, "screen") : []),
    ...(items === 0 ? some(stores.length, "Data Store") : []),
    ...some(languages.length, "language"),
  ]);
}

export const hasLosses = (losses: Diff["losses"]): boolean => lossWords(losses) !== "";
