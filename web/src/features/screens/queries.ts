/** The keys of one screen: reading them, and putting what a write answered in their place. */
import type { QueryClient } from "@tanstack/react-query";
import { type KeyRecord, screenQuery } from "@/lib/queries";
import { cached, listCache } from "@/lib/query";

export type { KeyRecord };
export { screenQuery };

const SCREEN = "/api/translations/{projectId}/{tabName}";
const lists = listCache(SCREEN, { list: "keys" });

/** Names every read of a screen, whatever its languages. */
const readsOf = (projectId: string, screen: string) => ({ path: { projectId, tabName: screen } });

/** The reads of the screen that are here: their languages, and their keys. */
const known = (client: QueryClient, projectId: string, screen: string) =>
  cached(client, SCREEN, readsOf(projectId, screen)).flatMap(({ named, answer }) =>
    answer === undefined ? [] : [{ languages: named.params.query["lang"], records: answer.keys }],
  );

/** The names of the screen's keys as far as they are known here. */
export function knownNames(client: QueryClient, projectId: string, screen: string): ReadonlySet<string> {
  return new Set(known(client, projectId, screen).flatMap(({ records }) => records.map(({ key }) => key)));
}

/** Merges the key's texts from all cached reads, the newest revision last. Reads of hidden languages keep a deleted key. */
export function textsKnown(client: QueryClient, projectId: string, screen: string, id: string): Record<string, string> {
  const records = known(client, projectId, screen).flatMap((read) => read.records.filter(({ _id }) => _id === id));
  return Object.assign({}, ...records.sort((a, b) => a.revision - b.revision).map(({ values }) => values));
}

/** The keys of a screen with at least their texts in `language`: as they are here, else read. */
export async function recordsIn(
  client: QueryClient,
  projectId: string,
  screen: string,
  language: string,
): Promise<readonly KeyRecord[]> {
  const here = known(client, projectId, screen).find(
    ({ languages }) => Array.isArray(languages) && languages.includes(language),
  );
  if (here !== undefined) return here.records;
  const { keys } = await client.ensureQueryData({ ...screenQuery(projectId, screen, [language]), retry: false });
  return keys;
}

/** Puts a record in the place of its former self, or at the end. */
export function putRecord(client: QueryClient, projectId: string, screen: string, record: KeyRecord): void {
  lists.put(client, readsOf(projectId, screen), record);
}

export function dropRecord(client: QueryClient, projectId: string, screen: string, id: string): void {
  lists.remove(client, readsOf(projectId, screen), id);
}

/** Puts the key as it is now in its place, from a refusal because somebody else changed it. Undefined for a different error. */
export const putCurrent = (
  client: QueryClient,
  projectId: string,
  screen: string,
  error: unknown,
): KeyRecord | undefined => lists.conflict(client, readsOf(projectId, screen), error);
