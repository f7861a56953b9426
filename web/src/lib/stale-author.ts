/** Returns the person that a refusal for a stale revision names as the last editor; undefined if it names nobody. */
export function authorIn(body: unknown): string | undefined {
  const by: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "by") : undefined;
  return typeof by === "string" ? by : undefined;
}

/** Returns the last editor that the error of a call names, to begin a sentence with: `Somebody else` if it names nobody. */
export const editorIn = (error: unknown): string =>
  authorIn(typeof error === "object" && error !== null ? Reflect.get(error, "body") : undefined) ?? "Somebody else";
