// Prints the size of the one-file build and fails the build above the budget that the README promises.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGET = 12 * 1024;
const file = readFileSync(new URL("../dist/livery.global.js", import.meta.url));
const zipped = gzipSync(file, { level: 9 }).length;
console.log(`livery.global.js: ${file.length} bytes, ${zipped} gzipped (budget ${BUDGET})`);
if (zipped > BUDGET) process.exit(1);
