/** Returns the person that a refusal for a stale revision names as the last editor; undefined if it names nobody. */
export function authorIn(body: unknown): string | undefined {
  const by: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "by") : undefined;
  return typeof by === "string" ? by : undefined;
}

/** As `authorIn`, of the error itself. Words for the begin of a sentence. */
export const editorIn = (error: unknown): string =>
  authorIn(typeof error === "object" && error !== null ? Reflect.get(error, "body") : undefined) ?? "Somebody else";
