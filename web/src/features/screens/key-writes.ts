/** Adds keys. Code that renames and deletes keys, which is rare, is in rename-key.ts and remove-key.ts. */
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, api, messageOf, take } from "@/lib/api";
import { KEY_CHARACTERS } from "@/lib/limits.gen";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { type KeyRecord, knownNames, putRecord } from "./queries";

export const INVALID_KEY = "Invalid key name. Use letters, numbers, underscores. Must start with a letter.";
export const DUPLICATE_KEY = "Key already exists in this screen.";

export interface Place {
  projectId: string;
  screen: string;
}

const KEY_NAME = new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${KEY_CHARACTERS - 1}}$`);

export const isKeyName = (name: string) => KEY_NAME.test(name);

const OFFLINE = "The server can't be reached. Please try again.";

/** The message under the field of a name: the server's message about the name, if it sent a message. */
export function refusalOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.fields["key"] ?? messageOf(error, fallback);
  return OFFLINE;
}

/** Adds a key, or throws: an `Error` whose message is for the field when the name can't be used. */
export function useAddKey(place: Place): (name: string, values: Record<string, string>) => Promise<KeyRecord> {
  const client = useQueryClient();
  return async (name, values) => {
    if (!isKeyName(name)) throw new Error(INVALID_KEY);
    if (knownNames(client, place.projectId, place.screen).has(name)) throw new Error(DUPLICATE_KEY);
    const path = { projectId: place.projectId, tabName: place.screen };
    const call = take(
      api.POST("/api/translations/{projectId}/{tabName}", { params: { path }, body: { key: name, values } }),
    );
    try {
      const record = await trackWrite(place.projectId, call);
      putRecord(client, place.projectId, place.screen, record);
      refreshProjectSoon(client, place.projectId);
      return record;
    } catch (error) {
      throw new Error(refusalOf(error, "Failed to add key"), { cause: error });
    }
  };
}
