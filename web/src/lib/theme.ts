/** Light or dark: the person's choice under the local-storage key `theme`, else the system's. */
import { useSyncExternalStore } from "react";
import { readStored, removeStored, writeStored } from "./storage";

export type Theme = "light" | "dark";
export type ThemeChoice = Theme | "system";

const listeners = new Set<() => void>();
const system = window.matchMedia("(prefers-color-scheme: dark)");

function currentChoice(): ThemeChoice {
  const stored = readStored("theme");
  return stored === "light" || stored === "dark" ? stored : "system";
}

function currentTheme(): Theme {
  const choice = currentChoice();
  if (choice !== "system") return choice;
  return system.matches ? "dark" : "light";
}

function apply(): void {
  document.documentElement.dataset["theme"] = currentTheme();
  for (const listener of listeners) listener();
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === "system") removeStored("theme");
  else writeStored("theme", choice);
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

/** What is shown. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, currentChoice);
}
