/** What releases are called. */
import type { Project } from "@/lib/api-types";
import type { Release } from "./queries";

export const STALE = "Another release was published since you looked. Please look at what would change now.";
/** How many places with unpublished edits are named. */
const NAMED = 5;

const kinds: Record<Release["kind"], string> = {
  publish: "Published",
  scheduled: "Scheduled",
  images: "Images",
  item_rollback: "Item rolled back",
  restore: "Restored",
};

/** How it came about: 'Published', 'Restored release 3'. */
export const kindOf = ({ kind, restored }: Release): string =>
  kind === "restore" && restored !== null ? `Restored release ${restored}` : kinds[kind];

export const changesOf = (count: number): string =>
  count === 1 ? "1 change" : `${count.toLocaleString("en")} changes`;

/** '1 edit', '3 edits'. */
export const editsOf = (count: number): string => (count === 1 ? "1 edit" : `${count.toLocaleString("en")} edits`);

/** The places with unpublished edits: ' (in home)', ' (2 in home, 1 in Colours)', or nothing. */
export function placesOf({ total, screens, colors, stores }: Project["unpublished"]): string {
  const inScreens = Object.entries(screens);
  const languages = total - colors - stores - inScreens.reduce((sum, [, count]) => sum + count, 0);
  const places = [
    ...inScreens,
    ["Colours", colors] as const,
    ["Data Stores", stores] as const,
    ["the list of languages", languages] as const,
  ]
    .filter(([, count]) => count > 0)
    .map(([name, count], _, all) => (all.length === 1 ? `in ${name}` : `${count.toLocaleString("en")} in ${name}`));
  if (places.length === 0) return "";
  const hidden = places.length - NAMED;
  return ` (${[...places.slice(0, NAMED), ...(hidden > 0 ? [`${hidden} more places`] : [])].join(", ")})`;
}
