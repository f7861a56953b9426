/** Which keys somebody else has just changed, and who: what a row and an open editor show of it. */
import { useSyncExternalStore } from "react";

const SHOWN_MS = 2_000;

interface Mark {
  readonly by: string;
  readonly isFresh: boolean;
}

const marks = new Map<string, Mark>();
const listeners = new Set<() => void>();
/** Names are kept for the editor's line; more than these are not needed. */
const KEPT = 500;

const idOf = (projectId: string, screen: string, key: string) => `${projectId}/${screen}/${key}`;

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notes who changed a key; `isShown` once its present text is on the page, and marks it for a moment. */
export function noteTouched(projectId: string, screen: string, key: string, by: string, isShown: boolean): void {
  const id = idOf(projectId, screen, key);
  const mark = { by, isFresh: isShown };
  marks.delete(id);
  marks.set(id, mark);
  const oldest = marks.keys().next().value;
  if (marks.size > KEPT && oldest !== undefined) marks.delete(oldest);
  tell();
  if (!isShown) return;
  setTimeout(() => {
    if (marks.get(id) !== mark) return;
    marks.set(id, { by, isFresh: false });
    tell();
  }, SHOWN_MS);
}

/** When a project is left. */
export function forgetTouched(): void {
  marks.clear();
  tell();
}

/** Whether somebody else changed the key within the last two seconds. */
export function useIsTouched(projectId: string, screen: string, key: string): boolean {
  return useSyncExternalStore(subscribe, () => marks.get(idOf(projectId, screen, key))?.isFresh ?? false);
}

/** The name of who changed the key last, as far as this page heard of it. */
export function useTouchedBy(projectId: string, screen: string, key: string): string | undefined {
  return useSyncExternalStore(subscribe, () => marks.get(idOf(projectId, screen, key))?.by);
}
