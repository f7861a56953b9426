/** Version cursors `<epoch>.<release>` and the one rule of their order. */

export interface Version {
  readonly epoch: string;
  readonly release: number;
}

export type Order = "same" | "newer" | "older" | "foreign";

/** Epochs are opaque but travel in a header, so only visible ASCII is taken. */
const CURSOR = /^([\x21-\x7e]{1,100})\.(\d{1,15})$/;

export function parseVersion(cursor: unknown): Version | undefined {
  const match = typeof cursor === "string" ? CURSOR.exec(cursor) : null;
  return match ? { epoch: match[1] as string, release: Number(match[2]) } : undefined;
}

/** How `offered` compares to `own`; `foreign`: another epoch, or one of the two is no cursor: not comparable. */
export function order(own: string | undefined, offered: string | undefined): Order {
  const mine = parseVersion(own);
  const theirs = parseVersion(offered);
  if (!mine || !theirs || mine.epoch !== theirs.epoch) return "foreign";
  if (mine.release === theirs.release) return "same";
  return theirs.release > mine.release ? "newer" : "older";
}
