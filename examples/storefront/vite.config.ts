import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { fallbackSnapshot } from "./build/fallback.ts";
import { serviceWorkerShell } from "./build/service-worker.ts";

export default defineConfig({
  // Relative addresses: the same build runs under /storefront/ and anywhere else.
  base: "./",
  plugins: [react(), fallbackSnapshot(), serviceWorkerShell()],
  build: {
    target: "es2022",
    // The strict CSP allows no data: scripts and few data: addresses, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: "index.html", sw: "sw/sw.ts" },
      output: {
        entryFileNames: (chunk) => (chunk.name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
