import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Tests run on the client's source, so that they need no build.
export default defineConfig({
  resolve: {
    alias: {
      "@livery/client/adapters": source("../client/src/adapters.ts"),
      "@livery/client": source("../client/src/index.ts"),
    },
  },
  test: { include: ["tests/**/*.test.tsx"], environment: "jsdom", testTimeout: 30_000 },
});
