import { defineConfig } from "vitest/config";

// One file for Node. The parser of messages is the SDK's source: it is built in, since @livery/client doesn't export it.
export default defineConfig({
  build: {
    ssr: "src/main.ts",
    target: "node20",
    minify: false,
    rolldownOptions: { output: { entryFileNames: "livery-cli.js" } },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 60_000, hookTimeout: 200_000 },
});
