/** Creating, changing and deleting data stores. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, take } from "@/lib/api";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { forget, invalidate, keep } from "@/lib/query";
import { currentIn } from "@/lib/stale-revision";
import type { FieldDraft } from "./field-drafts";
import { itemsOf, type Store, storeLists } from "./queries";

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
  const path = { projectId, apiIdentifier: store.apiIdentifier };
  keep(client, "/api/stores/{projectId}/{apiIdentifier}", { path }, store);
  storeLists.put(client, { path: { projectId } }, store);
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
      return invalidate(client, "/api/stores/items/{itemId}", itemsOf(store));
    },
    onError: (error) => {
      const current = currentIn<Store>(error);
      if (current !== undefined) keepStore(client, projectId, current);
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
      const path = { projectId, apiIdentifier: store.apiIdentifier };
      storeLists.remove(client, { path: { projectId } }, store._id);
      forget(client, "/api/stores/{projectId}/{apiIdentifier}", { path });
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

function bodyOf({ body }: ApiError): Readonly<Record<string, unknown>> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}
