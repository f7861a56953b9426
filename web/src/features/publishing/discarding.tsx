/** Lets the pages of a project discard unpublished changes. The question about it comes with its first use. */
import { type ReactNode, useCallback, useState } from "react";
import { useParams } from "react-router";
import { DiscardContext, type ToDiscard } from "@/lib/discarding";
import { later } from "@/ui/later";

const question = later(async () => (await import("./discard-question")).DiscardQuestion, null);

export function Discarding({ children }: { children: ReactNode }) {
  const { projectId = "" } = useParams();
  const [asked, setAsked] = useState<{ what: ToDiscard; turn: number } | null>(null);
  const ask = useCallback((what: ToDiscard) => setAsked((last) => ({ what, turn: (last?.turn ?? 0) + 1 })), []);
  return (
    <DiscardContext value={ask}>
      {children}
      {asked !== null && <question.Part key={asked.turn} projectId={projectId} what={asked.what} />}
    </DiscardContext>
  );
}
