import { isRecord } from "./is-record";
import { readStored, writeStored } from "./storage";

/** What the server calls this device, by the email that logged in here: wrong passwords of others do not hold it up. */
const PLACE = "livery.devices";
const KEPT = 5;

function read(): [string, string][] {
  let known: unknown = null;
  try {
    known = JSON.parse(readStored(PLACE) ?? "null");
  } catch {
    // Nothing that can be read is nothing.
  }
  return isRecord(known) ? Object.entries(known).filter(isEntry) : [];
}

const isEntry = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === "string";

const canonical = (email: string) => email.trim().toLowerCase();

/** The name of this device for who has this email; null if they did not log in here lately. */
export const deviceFor = (email: string): string | null =>
  read().find(([known]) => known === canonical(email))?.[1] ?? null;

/** Keep the name of this device, beside those for the last four other emails. */
export function keepDevice(email: string, device: string): void {
  const others = read().filter(([known]) => known !== canonical(email));
  const kept = [...others.slice(1 - KEPT), [canonical(email), device] as const];
  writeStored(PLACE, JSON.stringify(Object.fromEntries(kept)));
}
