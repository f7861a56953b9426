// Fails when a first visit loads too much JavaScript. No page may have over 250 KB gzipped. The two pages that people open first have BUDGETS, too:
// of bytes as the server sends them (brotli), and of files. A visit loads the entry with all it imports, and the page that is opened.
// A tab of a project is visited with the project's frame, and each of the two is put together from several features.
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

const limit = 250 * 1024;
const BUDGETS = {
  "the log-in page": { kilobytes: 190, files: 14 },
  "a project, loadScreen": { kilobytes: 218, files: 40 },
};
const dist = new URL("../dist/", import.meta.url);
const routes = new URL("../src/app/project-routes.tsx", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
const modules = JSON.parse(readFileSync(new URL(".vite/modules.json", dist), "utf8"));
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

/** The chunk of a module as the routes name it. */
function chunkOf(module) {
  const source = module.replace("@/", "src/");
  const [file] = Object.keys(modules).filter((file) =>
    modules[file].some((id) => id.replace(/\.tsx?$/, "") === source),
  );
  const found = Object.keys(manifest).find((name) => manifest[name].file === file);
  if (found === undefined) throw new Error(`${module} has no chunk.`);
  return found;
}

/** What is loaded before a part of a project is shown, by where that is written: its loading function, or its line of the routes. */
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

const routed = [
  ...readFileSync(new URL("../src/app/routes.tsx", import.meta.url), "utf8").matchAll(/import\("(@\/[^"]+)"\)/g),
];
const pages = routed.map(([, module]) => [
  module.endsWith("login-page") ? "the log-in page" : module,
  [chunkOf(module)],
]);
const isOver = [];
for (const [name, chunks] of [...pages, ...projectVisits()]) {
  const files = new Set([...shared, ...chunks.flatMap((chunk) => [...filesOf(chunk)])]);
  report(total(files), `${name} (${files.size} files)`);
  if (total(files) > limit) isOver.push(`${name}: more than ${limit / 1024} KB gzipped`);
  const budget = BUDGETS[name];
  if (budget === undefined) continue;
  const sent =
    [...files].reduce((sum, file) => sum + brotliCompressSync(readFileSync(new URL(file, dist))).length, 0) / 1024;
  console.log(
    `${sent.toFixed(1).padStart(7)} KB  as sent, of ${budget.kilobytes}; ${files.size} files of ${budget.files}`,
  );
  if (sent > budget.kilobytes || files.size > budget.files) isOver.push(`${name}: over its budget`);
}
if (isOver.length > 0) {
  console.error(isOver.join("\n"));
  process.exit(1);
}
