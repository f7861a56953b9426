/**
 * Prints the sizes of the client, and fails the build above the budgets. The README names the budget of the core.
 *
 * - `core`: what an app has from the start, which is all that the package exports without the parts that `import()` loads
 * - a part: what it adds to the core
 * - `shared`: what network and stores both need; the first of them to load brings it
 *
 * Vite makes the bundle, as an app makes its own. Each file of the bundle is compressed by itself.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { sent } from "../../../../scripts/precompress.mjs";

/** Bytes, with gzip of level 9. */
const BUDGETS = { core: 7_680, network: 5_248, shared: 3_328, stores: 2_752, copies: 1_152, preview: 1_024 };
/** Bytes of `livery.global.js` as the server sends it: everything in one file. */
const GLOBAL_BUDGETS = { br: 16_896, gz: 18_688 };

const dist = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

const [{ output }] = await build({
  configFile: false,
  logLevel: "error",
  build: {
    write: false,
    target: "es2022",
    lib: { entry: dist("index.js"), formats: ["es"], fileName: "index" },
    rolldownOptions: { output: { minify: true, chunkFileNames: "[name].js" } },
  },
});
const files = new Map(output.map((file) => [file.fileName, file]));

/** The names of a file and of all files that it imports from the start. */
function reach(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of files.get(name).imports) reach(imported, found);
  return found;
}

const core = reach("index.js");
const [network, stores, copies, preview] = ["network", "stores", "copies", "preview"].map((part) => {
  return [...reach(`${part}.js`)].filter((name) => !core.has(name));
});
const shared = network.filter((name) => stores.includes(name));
const isOwn = (name) => !shared.includes(name);
const measured = {
  core: [...core],
  network: network.filter(isOwn),
  shared,
  stores: stores.filter(isOwn),
  copies: copies.filter((name) => !network.includes(name)),
  preview,
};

let isWrong = false;

function report(name, bytes, budget) {
  console.log(`${name}: ${bytes} bytes (budget ${budget})`);
  if (bytes > budget) isWrong = true;
}

for (const [name, budget] of Object.entries(BUDGETS)) {
  const sizes = measured[name].map((file) => gzipSync(files.get(file).code, { level: 9 }).length);
  report(
    name,
    sizes.reduce((sum, size) => sum + size, 0),
    budget,
  );
}
const script = readFileSync(dist("livery.global.js"));
if (/\bimport\(["'`]\.\//.test(script.toString())) {
  console.log("livery.global.js loads a file, which it can't find from a page of another origin");
  isWrong = true;
}
for (const [encoding, budget] of Object.entries(GLOBAL_BUDGETS)) {
  report(`livery.global.js (${encoding})`, (await sent(script, encoding)).length, budget);
}
if (isWrong) process.exit(1);
