/** The data stores of a project and their items, as they are read. */
import type { Answer } from "@/lib/api-types";
import { apiQuery, listCache } from "@/lib/query";

export type Store = Answer<"/api/stores/{projectId}", "get">[number];
export type StoreField = Store["fields"][number];
export type FieldType = StoreField["type"];
export type Item = Answer<"/api/stores/items/{itemId}", "get">[number];
export type ItemVersion = Item["publishedVersions"][number];
export type ItemVersionDiff = Answer<"/api/stores/items/{itemId}/versions/{versionId}", "get">;
export type Image = Answer<"/api/images/{projectId}", "get">[number];

export const storeLists = listCache("/api/stores/{projectId}", { list: undefined });
export const itemLists = listCache("/api/stores/items/{itemId}", { list: undefined });
/** The parameters of a store's items. The id of the store is in the place of an item's. */
export const itemsOf = ({ _id }: Pick<Store, "_id">) => ({ path: { itemId: _id } });

/** The data stores of a project. */
export const storesQuery = (projectId: string) =>
  apiQuery("/api/stores/{projectId}", { path: { projectId } }, { refetchOnWindowFocus: "always" });

export const storeQuery = (projectId: string, apiIdentifier: string) =>
  apiQuery(
    "/api/stores/{projectId}/{apiIdentifier}",
    { path: { projectId, apiIdentifier } },
    { refetchOnWindowFocus: "always" },
  );

export const itemsQuery = (projectId: string, storeId: string) =>
  apiQuery("/api/stores/items/{itemId}", itemsOf({ _id: storeId }), { more: { projectId } });

/** What a table shows first of a store with very many items, while all of them are on their way. */
export const FIRST_ITEMS = 100;

export const firstItemsQuery = (projectId: string, storeId: string) =>
  apiQuery(
    "/api/stores/items/{itemId}",
    { ...itemsOf({ _id: storeId }), query: { limit: FIRST_ITEMS } },
    { more: { projectId }, gcTime: 0 },
  );

/** What rolling back to a version would change in the draft as it is now, and in what apps have. */
export function itemVersionQuery(projectId: string, { _id, revision, publishedVersions }: Item, versionId: string) {
  // A publish changes what apps have, and not the revision.
  const newest = publishedVersions[0]?._id;
  return apiQuery(
    "/api/stores/items/{itemId}/versions/{versionId}",
    { path: { itemId: _id, versionId } },
    { more: { projectId, revision, newest }, staleTime: 0 },
  );
}

export const imagesQuery = (projectId: string) => apiQuery("/api/images/{projectId}", { path: { projectId } });
