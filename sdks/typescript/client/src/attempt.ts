/** Runs what surroundings may forbid (storage, history, channels). */

/** Whether `action` ran to its end. */
export function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
