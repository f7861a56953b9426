/** Discards changes of an open review, which then offers the undo itself: toasts are out of the reach of Tab. */
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Project } from "@/lib/api-types";
import type { Diff } from "@/lib/diff";
import { type Done, useDiscard } from "@/lib/discarding";
import { may } from "@/lib/project";
import { Notice } from "@/ui/notice";
import type { DiscardChoice } from "./review-bar";

export function useReviewDiscard(
  project: Project,
  diff: Diff,
  /** Shows the present changes. */
  onChanged: () => Promise<void>,
): {
  /** Null for a person who can't. */
  ask: ((choice: DiscardChoice) => void) | null;
  notice: ReactNode;
} {
  const discard = useDiscard();
  const [done, setDone] = useState<Done | null>(null);
  const [isUndoing, setUndoing] = useState(false);
  const onDone = (next: Done | null) => {
    setDone(next);
    void onChanged();
  };
  const undo = async () => {
    setUndoing(true);
    await done?.undo?.();
    setUndoing(false);
  };
  return {
    ask: discard === null || !may(project, "edit") ? null : (choice) => discard({ ...choice, diff, onDone }),
    notice: done !== null && (
      <div role="status">
        <Notice
          tone="plain"
          action={
            done.undo !== null && (
              <Button size="xs" loading={isUndoing} onClick={() => void undo()}>
                Undo
              </Button>
            )
          }
        >
          {done.words}
        </Notice>
      </div>
    ),
  };
}
