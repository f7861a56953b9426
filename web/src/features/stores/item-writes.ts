/** Creating, changing, translating, rolling back and deleting items. */
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { invalidate, keep } from "@/lib/query";
import { type Item, itemLists, itemsOf, type Store, storeLists } from "./queries";

const ITEMS = "/api/stores/items/{itemId}";

export type Filled = Answer<"/api/stores/items/{itemId}/auto-translate", "post">;
export type ItemData = Record<string, unknown>;

/** The store and the project that items are of. */
export interface Place {
  projectId: string;
  store: Store;
}

/** After a change of items: the stores count them, and the project counts what is unpublished. */
function noteItems(client: QueryClient, { projectId, store }: Place, counts: -1 | 0 | 1): void {
  const path = { projectId };
  if (counts !== 0) {
    const counted = (one: Store): Store =>
      one._id === store._id ? { ...one, itemCount: Math.max(one.itemCount + counts, 0) } : one;
    storeLists.change(client, { path }, (stores) => stores.map(counted));
    const { apiIdentifier } = store;
    keep(client, "/api/stores/{projectId}/{apiIdentifier}", { path: { ...path, apiIdentifier } }, counted);
  }
  void invalidate(client, "/api/stores/{projectId}", { path }, { refetchType: "none" });
  refreshProjectSoon(client, projectId);
}

export function useItemWrites(place: Place) {
  const { projectId, store } = place;
  const client = useQueryClient();
  const items = itemsOf(store);
  const show = (item: Item, counts: 0 | 1 = 0) => {
    itemLists.put(client, items, item);
    noteItems(client, place, counts);
  };
  const write = <Answer>(call: Parameters<typeof take<Answer>>[0]) => trackWrite(projectId, take(call));
  const create = useMutation({
    mutationFn: (data: ItemData) => write(api.POST("/api/stores/items/{itemId}", { params: items, body: { data } })),
    onSuccess: (item) => show(item, 1),
  });
  // An item's own calls have its id where a store's have theirs.
  const change = useMutation({
    mutationFn: ({ item, data }: { item: Item; data: ItemData }) =>
      write(
        api.PUT("/api/stores/items/{itemId}", {
          params: { path: { itemId: item._id } },
          body: { data, revision: item.revision },
        }),
      ),
    onSuccess: (item) => show(item),
    onError: (error) => void itemLists.conflict(client, items, error),
  });
  const remove = useMutation({
    mutationFn: (item: Item) =>
      write(api.DELETE("/api/stores/items/{itemId}", { params: { path: { itemId: item._id } } })),
    onSuccess: (_, { _id }) => {
      itemLists.remove(client, items, _id);
      noteItems(client, place, -1);
    },
  });
  const fill = useMutation({
    mutationFn: ({ item, target, reference, overwrite }: Fill) =>
      write(
        api.POST("/api/stores/items/{itemId}/auto-translate", {
          params: { path: { itemId: item._id } },
          body: { targetLanguage: target, referenceLanguage: reference, overwrite },
        }),
      ),
    onSuccess: ({ item }) => show(item),
  });
  const rollBack = useMutation({
    mutationFn: ({ item, versionId, revision, isDraftOnly }: Back) =>
      write(
        api.POST("/api/stores/items/{itemId}/rollback/{versionId}", {
          params: { path: { itemId: item._id, versionId } },
          body: { expected: revision, draftOnly: isDraftOnly },
        }),
      ),
    onSuccess: async ({ item }) => {
      show(item);
      await invalidate(client, ITEMS, items);
    },
    onError: async (error) => {
      if (!isStaleDraft(error)) return;
      await invalidate(client, ITEMS, items);
      await invalidate(client, `${ITEMS}/versions/{versionId}`);
    },
  });
  return { create, change, remove, fill, rollBack };
}

/** Whether the draft is not the draft that the person saw: nothing was overwritten. */
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
