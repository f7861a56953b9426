/** Prints the size of the plugin without the client, and fails the build above the budget. The README names the budget. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

/** Bytes, with gzip of level 9. */
const BUDGET = 2_560;

const [{ output }] = await build({
  configFile: false,
  logLevel: "error",
  build: {
    write: false,
    target: "es2022",
    lib: { entry: fileURLToPath(new URL("../dist/index.js", import.meta.url)), formats: ["es"], fileName: "index" },
    rolldownOptions: { external: [/^@livery\/client/], output: { minify: true } },
  },
});
const bytes = gzipSync(output[0].code, { level: 9 }).length;
console.log(`plugin: ${bytes} bytes (budget ${BUDGET})`);
if (output.length !== 1 || bytes > BUDGET) process.exit(1);
