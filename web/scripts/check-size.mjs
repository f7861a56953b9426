// Fails when the JavaScript of a first visit exceeds 250 KB gzipped: the entry with all it imports, and the page that is opened.
// A tab of a project is visited with the project's frame, and each of the two is put together from several features.
import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { gzipSync } from "node:zlib";

const limit = 250 * 1024;
const dist = new URL("../dist/", import.meta.url);
const routes = new URL("../src/app/project-routes.tsx", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
const sizes = new Map();
const [entry] = Object.keys(manifest).filter((name) => manifest[name].isEntry);

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

/** The chunk of a module as the routes name it. One that other chunks share has no source in the manifest, only a name. */
function chunkOf(module) {
  const source = module.replace("@/", "src/");
  const found = manifest[entry].dynamicImports.filter((name) =>
    manifest[name].src === undefined
      ? manifest[name].name === basename(source)
      : name.replace(extname(name), "") === source,
  );
  if (found.length !== 1) throw new Error(`${module} has ${found.length} chunks.`);
  return found[0];
}

/** What is loaded before a part of a project stands, by where that is written: its loading function, or its line of the routes. */
function projectVisits() {
  const code = readFileSync(routes, "utf8");
  const modulesIn = (text) => [...text.matchAll(/import\("([^"]+)"\)/g)].map(([, module]) => module);
  const functions = [...code.matchAll(/^async function (\w+)\(\) \{\n(.*?)^\}/gms)];
  const lines = [...code.matchAll(/lazy: async .*$/gm)];
  const visits = new Map();
  for (const [, name, body] of functions) visits.set(name, modulesIn(body));
  for (const [line] of lines) for (const module of modulesIn(line)) visits.set(module, [module]);
  const frame = visits.get("loadFrame");
  visits.delete("loadFrame");
  if (frame === undefined || visits.size < 2)
    throw new Error("The routes of a project are written in a way not known here.");
  return [...visits].map(([name, modules]) => [`a project, ${name}`, [...frame, ...modules].map(chunkOf)]);
}

const total = (files) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);
const report = (bytes, name) => console.log(`${(bytes / 1024).toFixed(1).padStart(7)} KB  ${name}`);

const shared = filesOf(entry);
report(total(shared), "entry");

const pages = (manifest[entry].dynamicImports ?? []).map((page) => [page, [page]]);
let largest = total(shared);
for (const [name, chunks] of [...pages, ...projectVisits()]) {
  const bytes = total(new Set([...shared, ...chunks.flatMap((chunk) => [...filesOf(chunk)])]));
  report(bytes, name);
  largest = Math.max(largest, bytes);
}
if (largest > limit) {
  console.error(`The largest first visit loads more than ${limit / 1024} KB of JavaScript.`);
  process.exit(1);
}
