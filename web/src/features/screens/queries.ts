/** The keys of one screen: reading them, and putting what a write answered in their place. */
import type { QueryClient } from "@tanstack/react-query";
import { type KeyRecord, screenQuery } from "@/lib/queries";

export type { KeyRecord };
export { screenQuery };

/** Applies `change` to the cached keys. A read under way is dropped, since it may be older than what is put in. */
function updateKeys(
  client: QueryClient,
  projectId: string,
  screen: string,
  change: (records: KeyRecord[]) => KeyRecord[],
): void {
  const { queryKey } = screenQuery(projectId, screen);
  if (client.getQueryData(queryKey) !== undefined) void client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (present) => (present === undefined ? undefined : { keys: change(present.keys) }));
}

/** Puts a record in the place of its former self, or at the end. */
export function putRecord(client: QueryClient, projectId: string, screen: string, record: KeyRecord): void {
  updateKeys(client, projectId, screen, (records) =>
    records.some((present) => present._id === record._id)
      ? records.map((present) => (present._id === record._id ? record : present))
      : [...records, record],
  );
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
