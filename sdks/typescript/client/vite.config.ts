import { defineConfig } from "vitest/config";

// The only bundle we ship: one file for plain pages (`<script src>`). Everyone else bundles the ES modules that tsc wrote.
export default defineConfig({
  build: {
    lib: { entry: "src/index.ts", formats: ["iife"], name: "Livery", fileName: () => "livery.global.js" },
    target: "es2022",
    minify: true,
    // Loaded from beside the file, and only by a page that shows a draft.
    rolldownOptions: { external: ["./preview.js"], output: { generatedCode: { symbols: false } } },
    emptyOutDir: false,
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 30_000 },
});
