/** Creating, changing, translating, rolling back and deleting items. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { type Item, itemsQuery, itemVersionsKey, type Store, storeQuery, storesQuery } from "./queries";

export type Filled = Answer<"/api/stores/items/{itemId}/auto-translate", "post">;
export type ItemData = Record<string, unknown>;

/** The store and the project that items are of. */
export interface Place {
  projectId: string;
  store: Store;
}

function useItems({ projectId, store }: Place) {
  const client = useQueryClient();
  const { queryKey } = itemsQuery(projectId, store._id);
  return (change: (items: Item[]) => Item[], counts: -1 | 0 | 1 = 0) => {
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, (present) => (present === undefined ? undefined : change(present)));
    if (counts !== 0) recount(client, projectId, store, counts);
    void client.invalidateQueries({ queryKey: storesQuery(projectId).queryKey, refetchType: "none" });
    refreshProjectSoon(client, projectId);
  };
}

function recount(client: QueryClient, projectId: string, store: Store, by: -1 | 1): void {
  const counted = (one: Store): Store =>
    one._id === store._id ? { ...one, itemCount: Math.max(one.itemCount + by, 0) } : one;
  client.setQueryData(storesQuery(projectId).queryKey, (present) => present?.map(counted));
  client.setQueryData(storeQuery(projectId, store.apiIdentifier).queryKey, (present) => present && counted(present));
}

const replaced = (item: Item) => (items: Item[]) => items.map((one) => (one._id === item._id ? item : one));

export function useItemWrites(place: Place) {
  const { projectId, store } = place;
  const update = useItems(place);
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (data: ItemData) =>
      trackWrite(
        projectId,
        take(api.POST("/api/stores/items/{itemId}", { params: { path: { itemId: store._id } }, body: { data } })),
      ),
    onSuccess: (item) => update((items) => [...items.filter(({ _id }) => _id !== item._id), item], 1),
  });
  // An item's own calls have its id where a store's have theirs.
  const change = useMutation({
    mutationFn: ({ item, data }: { item: Item; data: ItemData }) =>
      trackWrite(
        projectId,
        take(
          api.PUT("/api/stores/items/{itemId}", {
            params: { path: { itemId: item._id } },
            body: { data, revision: item.revision },
          }),
        ),
      ),
    onSuccess: (item) => update(replaced(item)),
  });
  const remove = useMutation({
    mutationFn: (item: Item) =>
      trackWrite(projectId, take(api.DELETE("/api/stores/items/{itemId}", { params: { path: { itemId: item._id } } }))),
    onSuccess: (_, item) => update((items) => items.filter(({ _id }) => _id !== item._id), -1),
  });
  const fill = useMutation({
    mutationFn: ({ item, target, reference, overwrite }: Fill) =>
      trackWrite(
        projectId,
        take(
          api.POST("/api/stores/items/{itemId}/auto-translate", {
            params: { path: { itemId: item._id } },
            body: {
              targetLanguage: target,
              referenceLanguage: reference,
              overwrite,
            },
          }),
        ),
      ),
    onSuccess: ({ item }) => update(replaced(item)),
  });
  const rollBack = useMutation({
    mutationFn: ({ item, versionId, revision, isDraftOnly }: Back) =>
      trackWrite(
        projectId,
        take(
          api.POST("/api/stores/items/{itemId}/rollback/{versionId}", {
            params: { path: { itemId: item._id, versionId } },
            body: { expected: revision, draftOnly: isDraftOnly },
          }),
        ),
      ),
    onSuccess: async ({ item }) => {
      update(replaced(item));
      await client.invalidateQueries({ queryKey: itemsQuery(projectId, store._id).queryKey });
    },
    onError: async (error) => {
      if (!isStaleDraft(error)) return;
      await client.invalidateQueries({ queryKey: itemsQuery(projectId, store._id).queryKey });
      await client.invalidateQueries({ queryKey: itemVersionsKey(projectId) });
    },
  });
  return { create, change, remove, fill, rollBack };
}

/** The draft is not the one that was seen: nothing was overwritten. */
export const isStaleDraft = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "stale_draft";

interface Back {
  item: Item;
  versionId: string;
  /** Which draft was seen. */
  revision: number;
  /** Whether apps keep what they have. */
  isDraftOnly: boolean;
}

export interface Fill {
  item: Item;
  target: string;
  reference: string;
  overwrite: boolean;
}
