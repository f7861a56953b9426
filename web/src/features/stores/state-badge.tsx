import { Badge } from "@/ui/badge";
import type { Item } from "./queries";

const states = {
  new: { tone: "ok", word: "New" },
  changed: { tone: "warn", word: "Changed" },
  published: { tone: "quiet", word: "Published" },
} as const;

/** Whether apps have a store or an item as it is here. */
export function StateBadge({ state }: { state: Item["state"] }) {
  const { tone, word } = states[state];
  return <Badge tone={tone}>{word}</Badge>;
}
