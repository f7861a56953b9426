// Fails when the JavaScript of a first visit exceeds 250 KB gzipped: the entry with all it imports, and the one page that is opened.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const limit = 250 * 1024;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
const sizes = new Map();

function sizeOf(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, dist))).length);
  return sizes.get(file);
}

function filesOf(name, found = new Set()) {
  const chunk = manifest[name];
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

const total = (files) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);
const report = (bytes, name) => console.log(`${(bytes / 1024).toFixed(1).padStart(7)} KB  ${name}`);

const [entry] = Object.keys(manifest).filter((name) => manifest[name].isEntry);
const shared = filesOf(entry);
report(total(shared), "entry");

let largest = total(shared);
for (const page of manifest[entry].dynamicImports ?? []) {
  const bytes = total(new Set([...shared, ...filesOf(page)]));
  report(bytes, page);
  largest = Math.max(largest, bytes);
}
if (largest > limit) {
  console.error(`The largest first visit loads more than ${limit / 1024} KB of JavaScript.`);
  process.exit(1);
}
