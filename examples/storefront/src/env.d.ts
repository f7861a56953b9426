/// <reference types="vite/client" />

declare module "virtual:fallback" {
  import type { LiveryFallback } from "@livery/client";

  export const snapshots: Readonly<Record<string, LiveryFallback>>;
  export const defaultLanguage: string;
}
