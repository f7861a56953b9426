/** The data stores of a project and their items, as they are read. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { keys } from "@/lib/queries";

export type Store = Answer<"/api/stores/{projectId}", "get">[number];
export type StoreField = Store["fields"][number];
export type FieldType = StoreField["type"];
export type Item = Answer<"/api/stores/items/{itemId}", "get">[number];
export type ItemVersion = Item["publishedVersions"][number];
export type ItemVersionDiff = Answer<"/api/stores/items/{itemId}/versions/{versionId}", "get">;
export type Image = Answer<"/api/images/{projectId}", "get">[number];

/** The data stores of a project. */
export function storesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/stores/{projectId}"] as const,
    queryFn: ({ signal }) => take(api.GET("/api/stores/{projectId}", { params: { path: { projectId } }, signal })),
    refetchOnWindowFocus: "always",
  });
}

export function storeQuery(projectId: string, apiIdentifier: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/stores/{projectId}/{apiIdentifier}", apiIdentifier] as const,
    queryFn: ({ signal }) =>
      take(
        api.GET("/api/stores/{projectId}/{apiIdentifier}", { params: { path: { projectId, apiIdentifier } }, signal }),
      ),
    refetchOnWindowFocus: "always",
  });
}

export function itemsQuery(projectId: string, storeId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/stores/items/{itemId}", storeId] as const,
    queryFn: ({ signal }) =>
      take(api.GET("/api/stores/items/{itemId}", { params: { path: { itemId: storeId } }, signal })),
  });
}

/** What a table shows first of a store with very many items, while all of them are on their way. */
export const FIRST_ITEMS = 100;

export function firstItemsQuery(projectId: string, storeId: string) {
  const { queryKey } = itemsQuery(projectId, storeId);
  const params = { path: { itemId: storeId }, query: { limit: FIRST_ITEMS } };
  return queryOptions({
    queryKey: [...queryKey, "first"] as const,
    queryFn: ({ signal }) => take(api.GET("/api/stores/items/{itemId}", { params, signal })),
    gcTime: 0,
  });
}

/** What rolling back to a version would change in the draft as it is now, and in what apps have. */
export const itemVersionsKey = (projectId: string) =>
  [...keys.project(projectId), "/api/stores/items/{itemId}/versions"] as const;

export function itemVersionQuery(projectId: string, { _id, revision, publishedVersions }: Item, versionId: string) {
  // A publish changes what apps have, and not the revision.
  const newest = publishedVersions[0]?._id;
  const params = { path: { itemId: _id, versionId } };
  return queryOptions({
    queryKey: [...itemVersionsKey(projectId), _id, revision, newest, versionId] as const,
    queryFn: ({ signal }) => take(api.GET("/api/stores/items/{itemId}/versions/{versionId}", { params, signal })),
    staleTime: 0,
  });
}

export function imagesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/images/{projectId}"] as const,
    queryFn: ({ signal }) => take(api.GET("/api/images/{projectId}", { params: { path: { projectId } }, signal })),
  });
}
