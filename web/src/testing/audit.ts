/** Entries of an audit log, as the API gives them. */
import type { Entry } from "@/features/audit/queries";
import { PROJECT_ID } from "./fixtures";

export const AUDIT = `/api/projects/${PROJECT_ID}/audit`;

export function anEntry(number: number, values: Partial<Entry> = {}): Entry {
  return {
    _id: String(number),
    timestamp: "2026-11-20T10:00:00Z",
    actor: { kind: "person", _id: "usr_1", name: "Ada Lovelace", email: "ada@example.com" },
    action: `Changed text home.key_${number}`,
    code: "screens.key_updated",
    target: `home.key_${number}`,
    address: "203.0.113.7",
    requestId: "0123456789abcdef",
    before: { en: "Welcome to Bergen" },
    after: { en: "Welcome to Tromsø" },
    isCut: false,
    ...values,
  };
}

export const people = { people: [{ _id: "usr_1", name: "Ada Lovelace", email: "ada@example.com" }] };
