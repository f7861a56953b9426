/** Discards unpublished changes and brings them back; every page is brought up to date. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { api, messageOf, take } from "@/lib/api";
import { counted } from "@/lib/counted";
import type { ToDiscard } from "@/lib/discarding";
import { trackWrite, writesSettled } from "@/lib/project";
import { invalidateProject } from "@/lib/query";
import { announce } from "@/lib/window-events";
import { focusPageBesideDialogs } from "@/ui/focus";
import { UndoToast } from "@/ui/undo-toast";

const UNDO_SHOWN_MS = 10_000;

/** Reads the project's pages again, also the numbers of unpublished changes. */
async function refresh(client: QueryClient, projectId: string): Promise<void> {
  announce("projectUpdated", { projectId });
  await invalidateProject(client, projectId);
}

interface Call {
  what: ToDiscard;
  /** How many changes go, as the person was shown: the server counts new and removed screens beside their keys. */
  count?: number | undefined;
  /** The token of the diff that the person saw. */
  expected?: string | undefined;
}

/** Returns the call. It throws as `take` does, also for a draft that is not the `expected` draft. */
export function useDiscardCall(projectId: string) {
  const client = useQueryClient();
  const params = { path: { projectId } };
  return async ({ what: { changes, name, onDone }, count, expected }: Call): Promise<void> => {
    await writesSettled(projectId);
    const body = { changes: [...changes], ...(expected === undefined ? {} : { expected }) };
    const call = take(api.POST("/api/projects/{projectId}/discard", { params, body }));
    const { message, discarded, keptAt } = await trackWrite(projectId, call);
    const gone = count ?? discarded;
    const words = gone === 1 ? `Discarded the change of ${name}.` : `Discarded ${counted(gone, "change")}.`;
    const undo = async (): Promise<void> => {
      if (keptAt === null) return;
      try {
        const outcome = await trackWrite(
          projectId,
          take(api.POST("/api/projects/{projectId}/discard/undo", { params, body: { keptAt } })),
        );
        toast.success(outcome.message);
      } catch (error) {
        toast.error(messageOf(error, "Failed to bring the changes back.", "The server can't be reached. Try again."));
      }
      const isFresh = refresh(client, projectId);
      onDone?.(null);
      await isFresh;
    };
    const done = { words: discarded === 0 ? message : words, undo: keptAt === null ? null : undo };
    if (onDone === undefined) tell(done.words, done.undo);
    const isFresh = refresh(client, projectId);
    onDone?.(done);
    await isFresh;
  };
}

function tell(words: string, undo: (() => Promise<void>) | null): void {
  if (undo === null) return void toast(words);
  toast.success(
    ({ id }) => (
      <UndoToast
        message={words}
        onUndo={() => {
          toast.dismiss(id);
          focusPageBesideDialogs();
          void undo();
        }}
      />
    ),
    { duration: UNDO_SHOWN_MS },
  );
}
