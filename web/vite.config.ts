/** Builds the dashboard into dist/, which the Python server serves with every unknown path answered by index.html. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { AtRule, Rule as PostCssRule } from "postcss";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { groups } from "./chunks.ts";
import { BREAKPOINTS } from "./src/ui/breakpoints.ts";
import { classOf } from "./src/ui/look.ts";
import { WORDS } from "./src/ui/words.ts";

const serverPort = process.env["LIVERY_PORT"] ?? "8000";

/**
 * The shorthands of our style sheets. `@media (--small)` becomes the width that ui/breakpoints.ts has for the name. `@steps gap { gap: step; }`
 * becomes a class for each value of the word in ui/words.ts. `@spoken;` hides an element from the eye: only screen readers read it.
 */
const shorthands = {
  postcssPlugin: "shorthands",
  AtRule: {
    media: (rule: { params: string }) => {
      for (const [name, width] of Object.entries(BREAKPOINTS))
        rule.params = rule.params.replace(`(--${name})`, `(max-width: ${width}px)`);
    },
    spoken: (rule: AtRule) => {
      rule.before("position: absolute; overflow: hidden; width: 1px; height: 1px; clip-path: inset(50%)");
      rule.remove();
    },
    steps: (rule: AtRule, { Rule }: { Rule: typeof PostCssRule }) => {
      const values: readonly (number | string | true)[] = WORDS[rule.params as keyof typeof WORDS];
      const classes = values.map((value) => {
        const of = new Rule({
          selector: `.${classOf(rule.params, value)}`,
          nodes: rule.nodes?.map((node) => node.clone()),
        });
        of.walkDecls((decl) => {
          const step = typeof value === "number" && value > 0 ? `${value}px` : `${value}`;
          const isWhole = value === "inherit" || value === "none";
          decl.value = isWhole ? value : decl.value.replace("step", step).replace("value", `${value}`);
        });
        return of;
      });
      rule.replaceWith(...classes);
    },
  },
};

/** Writes what each file of the build imports and has of `src/`, for `scripts/check-size.mjs`. Vite's manifest lacks the modules of a group. */
const chunkList: Plugin = {
  name: "chunk-list",
  writeBundle({ dir }, bundle) {
    const root = fileURLToPath(new URL(".", import.meta.url));
    const chunks = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [file] : []));
    const list = chunks.map(({ fileName, imports, moduleIds }) => {
      const modules = moduleIds.filter((id) => id.startsWith(`${root}src/`)).map((id) => id.slice(root.length));
      return [fileName, { imports, modules }];
    });
    mkdirSync(`${dir}/.vite`, { recursive: true });
    writeFileSync(`${dir}/.vite/chunks.json`, JSON.stringify(Object.fromEntries(list)));
  },
};

export default defineConfig({
  // The same build runs at the root of a host and below any path: the server puts the path into the page.
  base: "./",
  plugins: [react(), chunkList],
  css: { postcss: { plugins: [shorthands] } },
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
    // The page's policy allows fonts and scripts from its own origin only: nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups } },
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
    // Transformed modules stay in node_modules for the next run. `npx vitest --clearCache` deletes them.
    experimental: { fsModuleCache: true },
  },
});
