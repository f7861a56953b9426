/** Taking back texts that were written in the grid, the last one first. */
import { useCallback, useRef } from "react";
import toast from "react-hot-toast";
import type { Outbox } from "./outbox";
import type { KeyRecord } from "./queries";

interface Written {
  keyId: string;
  language: string;
  before: string;
  after: string;
}

const KEPT = 100;

export function useUndo(outbox: Outbox, recordOf: (id: string) => KeyRecord | undefined) {
  const written = useRef<Written[]>([]);

  /** Saves a text, and remembers the text that it replaces. */
  const write = useCallback(
    (record: KeyRecord, language: string, before: string, after: string) => {
      if (before !== after)
        written.current = [...written.current, { keyId: record._id, language, before, after }].slice(-KEPT);
      outbox.save(record, language, before, after);
    },
    [outbox],
  );

  /** Puts back what the last written text replaced; null without a written text, or if that text has changed since. */
  const undo = useCallback((): Written | null => {
    const last = written.current.pop();
    if (last === undefined) return null;
    const record = recordOf(last.keyId);
    if (record === undefined || outbox.textOf(record, last.language) !== last.after) {
      toast.error("The last text that you wrote here was changed since. It stays as it is.");
      return null;
    }
    outbox.save(record, last.language, last.after, last.before);
    return last;
  }, [outbox, recordOf]);

  return { write, undo };
}
