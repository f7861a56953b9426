/** Renaming a key. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "@/lib/api";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { type KeptText, useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { INVALID_KEY, isKeyName, type Place, refusalOf } from "./key-writes";
import { type KeyRecord, knownNames, putCurrent, putRecord } from "./queries";

const DUPLICATE_RENAME = "New key name already exists in this screen.";

/** Keeps a typed name of a key on the device until it is saved or given up. */
export function useKeptName({ projectId }: Place, record: KeyRecord, typed: string): KeptText<string> {
  const isNew = (name: unknown): name is string =>
    typeof name === "string" && name.trim() !== "" && name.trim() !== record.key;
  const kept = useKeptText<string>({ form: "key name", project: projectId, id: record._id }, (stored) =>
    isNew(stored) ? stored : null,
  );
  useKeepTyped(kept, isNew(typed) ? typed : null);
  return kept;
}

export function useRenameKey(place: Place, record: KeyRecord) {
  const client = useQueryClient();
  const [error, setError] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);

  const send = async (name: string, present: KeyRecord): Promise<KeyRecord> => {
    const path = { projectId: place.projectId, tabName: place.screen, key: present.key };
    const body = { key: name, values: {}, revision: present.revision };
    try {
      return await take(api.PUT("/api/translations/{projectId}/{tabName}/{key}", { params: { path }, body }));
    } catch (failure) {
      // A text that a colleague has changed since is no reason against a new name.
      const current = putCurrent(client, place.projectId, place.screen, failure);
      if (current === undefined || current.revision === present.revision) throw failure;
      return send(name, current);
    }
  };

  /** Resolves to the key under its new name; null if the server refused it, with the reason in `error`. */
  const rename = async (wanted: string): Promise<KeyRecord | null> => {
    const name = wanted.trim();
    if (isPending || name === record.key) return name === record.key ? record : null;
    if (!isKeyName(name)) setError(INVALID_KEY);
    else if (knownNames(client, place.projectId, place.screen).has(name)) setError(DUPLICATE_RENAME);
    else {
      setPending(true);
      try {
        const renamed = await trackWrite(place.projectId, send(name, record));
        putRecord(client, place.projectId, place.screen, renamed);
        refreshProjectSoon(client, place.projectId);
        return renamed;
      } catch (failure) {
        setError(refusalOf(failure, "Failed to update key"));
      } finally {
        setPending(false);
      }
    }
    return null;
  };
  return { rename, error, isPending, clear: () => setError(null) };
}
