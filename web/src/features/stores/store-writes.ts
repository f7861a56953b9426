/** Creating, changing and deleting data stores. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, take } from "@/lib/api";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { put } from "@/lib/put";
import type { FieldDraft } from "./field-drafts";
import { itemsQuery, type Store, storeQuery, storesQuery } from "./queries";

export interface StoreDraft {
  name: string;
  apiIdentifier: string;
  fields: readonly FieldDraft[];
}

/** What a change of fields would take away from items. */
export interface Loss {
  fieldId: string;
  name: string;
  items: number;
}

function keepStore(client: QueryClient, projectId: string, store: Store): void {
  void client.cancelQueries({ queryKey: storesQuery(projectId).queryKey });
  client.setQueryData(storeQuery(projectId, store.apiIdentifier).queryKey, store);
  client.setQueryData(
    storesQuery(projectId).queryKey,
    (present) => present && put(present, store, ({ _id }) => _id === store._id),
  );
  refreshProjectSoon(client, projectId);
}

const bare = ({ name, type, required, isTranslatable }: FieldDraft) => ({
  name: name.trim(),
  type,
  required,
  isTranslatable,
});

export function useCreateStore(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, apiIdentifier, fields }: StoreDraft) =>
      trackWrite(
        projectId,
        take(
          api.POST("/api/stores/{projectId}", {
            params: { path: { projectId } },
            body: { name: name.trim(), apiIdentifier: apiIdentifier.trim(), fields: fields.map(bare) },
          }),
        ),
      ),
    onSuccess: (store) => keepStore(client, projectId, store),
  });
}

export function useChangeStore(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      store,
      draft,
      confirm,
    }: {
      store: Store;
      draft: Omit<StoreDraft, "apiIdentifier">;
      confirm: boolean;
    }) =>
      trackWrite(
        projectId,
        take(
          // A store's own calls have its id where a project's have theirs.
          api.PUT("/api/stores/{projectId}", {
            params: { path: { projectId: store._id } },
            body: {
              name: draft.name.trim(),
              fields: draft.fields.map((field) =>
                field._id === undefined ? bare(field) : { _id: field._id, ...bare(field) },
              ),
              revision: store.revision,
              confirm,
            },
          }),
        ),
      ),
    onSuccess: (store) => {
      keepStore(client, projectId, store);
      // Items are keyed by the names of fields.
      return client.invalidateQueries({ queryKey: itemsQuery(projectId, store._id).queryKey });
    },
  });
}

export function useDeleteStore(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (store: Store) =>
      trackWrite(
        projectId,
        take(api.DELETE("/api/stores/{projectId}", { params: { path: { projectId: store._id } } })),
      ),
    onSuccess: (_, store) => {
      const { queryKey } = storesQuery(projectId);
      void client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (present) => present?.filter(({ _id }) => _id !== store._id));
      client.removeQueries({ queryKey: storeQuery(projectId, store.apiIdentifier).queryKey });
      refreshProjectSoon(client, projectId);
    },
  });
}

/** What would be lost, from a refusal that asks to confirm it. */
export function lossesIn(error: unknown): readonly Loss[] | undefined {
  if (!(error instanceof ApiError) || error.code !== "would_lose_data") return undefined;
  const losses = bodyOf(error)["losses"];
  return Array.isArray(losses) ? (losses as Loss[]) : [];
}

/** The record as it is now, from a refusal because somebody else changed it. */
export function currentIn<Record>(error: unknown): Record | undefined {
  if (!(error instanceof ApiError) || error.code !== "stale_revision") return undefined;
  return bodyOf(error)["current"] as Record | undefined;
}

function bodyOf({ body }: ApiError): Readonly<Record<string, unknown>> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}
