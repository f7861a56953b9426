/** What each scope of a project token allows, in a line. */
import type { ProjectToken } from "./queries";

export type Scope = ProjectToken["scopes"][number];

export const allowanceOf: Readonly<Record<Scope, { label: string; meaning: string }>> = {
  read: { label: "Read", meaning: "Reads the draft and the releases: texts, colours, images and items." },
  write: { label: "Write", meaning: "Changes the draft, imports files and adds languages. It reads, too." },
  publish: { label: "Publish", meaning: "Publishes the draft and restores releases. It reads, too." },
};

/** From the least to the most. */
export const scopes: readonly Scope[] = ["read", "write", "publish"];
