import { defineConfig } from "vitest/config";

// The only bundle we ship: one file for plain pages (`<script src>`). Everyone else bundles the ES modules that tsc wrote.
export default defineConfig({
  build: {
    lib: { entry: "src/script.ts", formats: ["iife"], name: "Livery", fileName: () => "livery.global.js" },
    target: "es2022",
    minify: true,
    // One file with all parts: a script of another origin can't find a file beside itself, because browsers hide its address from it.
    rolldownOptions: { output: { generatedCode: { symbols: false } } },
    emptyOutDir: false,
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 30_000 },
});
