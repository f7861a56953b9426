// What the app itself remembers on this device. Storage may be closed (private mode, sandboxed frame): then nothing is kept.

const PREFIX = "aurora:";

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // The app works without memory.
  }
}
