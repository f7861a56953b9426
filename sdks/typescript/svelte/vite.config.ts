import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Tests run on the client's source, so that they need no build. Svelte's code for browsers is behind the condition.
export default defineConfig({
  plugins: [svelte({ configFile: false })],
  resolve: {
    alias: { "@livery/client": source("../client/src/index.ts") },
    ...(process.env.VITEST && { conditions: ["browser"] }),
  },
  test: {
    include: ["tests/**/*.test.ts"],
    globalSetup: "tests/render-on-server.ts",
    environment: "jsdom",
    testTimeout: 30_000,
  },
});
