/** What somebody wanted to activate when credits were short: kept in this browser, over the payment page and back. */
import { readStored, removeStored, writeStored } from "./storage";

const KEY = "pendingActivation";
const DAY_MS = 86_400_000;

export interface PendingActivation {
  projectId: string;
  projectName: string;
  tierId: string;
  tierName: string;
  months: number;
  /** Credits. */
  cost: number;
}

export function rememberActivation(wanted: PendingActivation): void {
  writeStored(KEY, JSON.stringify({ ...wanted, at: Date.now() }));
}

export function forgetActivation(): void {
  removeStored(KEY);
}

/** The wish of the last day, or null. */
export function pendingActivation(): PendingActivation | null {
  try {
    const value = JSON.parse(readStored(KEY) ?? "null") as (PendingActivation & { at: number }) | null;
    if (value === null || !(Date.now() - value.at < DAY_MS)) return null;
    return typeof value.projectId === "string" && typeof value.cost === "number" ? value : null;
  } catch {
    return null; // A broken entry counts as no entry.
  }
}
