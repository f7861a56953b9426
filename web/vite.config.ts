/** Builds the dashboard into dist/, which the Python server serves with every unknown path answered by index.html. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const serverPort = process.env["LIVERY_PORT"] ?? "8000";

export default defineConfig({
  plugins: [react()],
  // React's production build, which tests run on, lacks the other functions.
  ...(process.env["VITEST"] ? { oxc: { jsx: { development: false } } } : {}),
  resolve: {
    alias: {
      "@": fileURLToPath(new URL("./src", import.meta.url)),
      "@sdk": fileURLToPath(new URL("../sdks/typescript/client/src", import.meta.url)),
    },
  },
  // The server puts a new nonce here with each page (livery/core/site.py).
  html: { cspNonce: "LIVERY_NONCE" },
  build: {
    target: "es2022",
    manifest: true,
    // The page's policy allows fonts and scripts from its own origin only: nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "react",
              test: /node_modules\/(react|react-dom|scheduler|react-router|openapi-fetch|@tanstack\/(query-core|react-query))\//,
            },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": `http://127.0.0.1:${serverPort}`, "/media": `http://127.0.0.1:${serverPort}` },
  },
  preview: { host: "127.0.0.1" },
  test: {
    environment: "jsdom",
    // Tests draw with the React that users get: see src/testing/act.ts.
    env: { NODE_ENV: "production" },
    // All files of a worker share one page and one set of modules; src/testing/setup.ts cleans up after every test.
    isolate: false,
    pool: "forks",
    setupFiles: ["./src/testing/setup.ts"],
    css: false,
    restoreMocks: true,
    unstubGlobals: true,
    // A page with everything in it is slow to draw where other checks run beside.
    testTimeout: 60_000,
    include: ["src/**/*.test.{ts,tsx}"],
  },
});
