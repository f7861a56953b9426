/** Light or dark: the person's choice under the local-storage key `theme`, else the system's. */
import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "./storage";

export type Theme = "light" | "dark";

const listeners = new Set<() => void>();
const system = window.matchMedia("(prefers-color-scheme: dark)");

function currentTheme(): Theme {
  const stored = readStored("theme");
  if (stored === "light" || stored === "dark") return stored;
  return system.matches ? "dark" : "light";
}

function apply(): void {
  document.documentElement.dataset["theme"] = currentTheme();
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  writeStored("theme", theme);
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    system.addEventListener("change", apply);
    window.addEventListener("storage", apply);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      system.removeEventListener("change", apply);
      window.removeEventListener("storage", apply);
    }
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}
