/** The outbox of the open project, and the edits in it. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { Edit } from "./edit";
import type { Outbox } from "./outbox";

export const OutboxContext = createContext<Outbox | null>(null);

export function useOutbox(): Outbox {
  const outbox = useContext(OutboxContext);
  if (outbox === null) throw new Error("useOutbox needs UnsavedEdits around it");
  return outbox;
}

/** The edit of a cell; undefined without an edit. */
export function useEdit(keyId: string, language: string): Edit | undefined {
  const outbox = useOutbox();
  return useSyncExternalStore(outbox.subscribe, () => outbox.find(keyId, language));
}

/** All edits; renders again with each change of any. */
export function useEdits(): ReadonlyMap<string, Edit> {
  const outbox = useOutbox();
  return useSyncExternalStore(outbox.subscribe, outbox.all);
}
