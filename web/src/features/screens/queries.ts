/** The keys of one screen: reading them, and putting what a write answered in their place. */
import type { QueryClient } from "@tanstack/react-query";
import type { Answer } from "@/lib/api-types";
import { put } from "@/lib/put";
import { type KeyRecord, screenQuery } from "@/lib/queries";

export type { KeyRecord };
export { screenQuery };

type Screen = Answer<"/api/translations/{projectId}/{tabName}", "get">;

/** Every read of the screen that is here, whatever its languages: where its languages begin in the key, and its answer. */
function readsOf(client: QueryClient, projectId: string, screen: string) {
  const { queryKey } = screenQuery(projectId, screen);
  return client
    .getQueriesData<Screen>({ queryKey })
    .flatMap(([key, data]) => (data === undefined ? [] : [{ key, languages: key[queryKey.length], data }]));
}

/** Applies `change` to the cached keys. A read under way is dropped, since it may be older than what is put in. */
function updateKeys(
  client: QueryClient,
  projectId: string,
  screen: string,
  change: (records: KeyRecord[]) => KeyRecord[],
): void {
  for (const { key, data } of readsOf(client, projectId, screen)) {
    void client.cancelQueries({ queryKey: key, exact: true });
    client.setQueryData<Screen>(key, { ...data, keys: change(data.keys) });
  }
}

/** The names of the screen's keys as far as they are known here. */
export function knownNames(client: QueryClient, projectId: string, screen: string): ReadonlySet<string> {
  const reads = readsOf(client, projectId, screen);
  return new Set(reads.flatMap(({ data }) => data.keys.map(({ key }) => key)));
}

/** Merges the key's texts from all cached reads, the newest revision last. Reads of hidden languages keep a deleted key. */
export function textsKnown(client: QueryClient, projectId: string, screen: string, id: string): Record<string, string> {
  const records = readsOf(client, projectId, screen).flatMap(({ data }) => data.keys.filter(({ _id }) => _id === id));
  return Object.assign({}, ...records.sort((a, b) => a.revision - b.revision).map(({ values }) => values));
}

/** The keys of a screen with at least their texts in `language`: as they are here, else read. */
export async function recordsIn(
  client: QueryClient,
  projectId: string,
  screen: string,
  language: string,
): Promise<readonly KeyRecord[]> {
  const here = readsOf(client, projectId, screen).find(
    ({ languages }) =>
      languages === undefined || (typeof languages === "string" && languages.split(",").includes(language)),
  );
  if (here !== undefined) return here.data.keys;
  const { keys } = await client.ensureQueryData({ ...screenQuery(projectId, screen, [language]), retry: false });
  return keys;
}

/** Puts a record in the place of its former self, or at the end. */
export function putRecord(client: QueryClient, projectId: string, screen: string, record: KeyRecord): void {
  updateKeys(client, projectId, screen, (records) => put(records, record, ({ _id }) => _id === record._id));
}

export function dropRecord(client: QueryClient, projectId: string, screen: string, id: string): void {
  updateKeys(client, projectId, screen, (records) => records.filter((present) => present._id !== id));
}

/** The current record that a refusal for a stale revision carries; undefined for any other body. */
export function currentRecord(body: unknown): KeyRecord | undefined {
  if (typeof body !== "object" || body === null || !("current" in body)) return undefined;
  const { current } = body;
  const isRecord =
    typeof current === "object" && current !== null && "_id" in current && "values" in current && "revision" in current;
  return isRecord ? (current as KeyRecord) : undefined;
}
