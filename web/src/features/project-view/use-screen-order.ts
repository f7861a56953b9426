/** The order in which screens are listed: as they were made, or by name. Kept in this browser, the same in sidebar and dropdown. */
import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "@/lib/storage";

export type ScreenOrder = "created" | "name";

const KEY = "screenOrder";
const listeners = new Set<() => void>();

const chosen = (): ScreenOrder => (readStored(KEY) === "name" ? "name" : "created");

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function toggle(): void {
  writeStored(KEY, chosen() === "name" ? "created" : "name");
  for (const listener of listeners) listener();
}

export function useScreenOrder(): { order: ScreenOrder; toggle: () => void } {
  return { order: useSyncExternalStore(subscribe, chosen), toggle };
}
