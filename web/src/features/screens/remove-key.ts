/** Deleting a key. */
import { useQueryClient } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import type { Place } from "./key-writes";
import { dropRecord, type KeyRecord } from "./queries";

/** Deletes a key, or throws as `take` does. */
export function useDeleteKey(place: Place): (record: KeyRecord) => Promise<void> {
  const client = useQueryClient();
  return async (record) => {
    const path = { projectId: place.projectId, tabName: place.screen, key: record.key };
    const call = take(api.DELETE("/api/translations/{projectId}/{tabName}/{key}", { params: { path } }));
    await trackWrite(place.projectId, call);
    dropRecord(client, place.projectId, place.screen, record._id);
    refreshProjectSoon(client, place.projectId);
  };
}
