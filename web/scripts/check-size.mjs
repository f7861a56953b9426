// Fails when a first visit loads too much JavaScript, or too many files of it. A visit loads the script of the page, the entry and the
// page that is opened, each with all it imports. A tab of a project is visited with the project's frame, and each of the two is put
// together from several features. What a page fetches once it is drawn is not included.
import { readFileSync } from "node:fs";
import { sent } from "../../scripts/precompress.mjs";

const KB = 1024;
/** All visits, by the bytes of the gzip copies. */
const GZIP_LIMIT = 250 * KB;
/** By the bytes of the brotli copies, which browsers get, and by the number of files. */
const BUDGETS = {
  "/login": { bytes: 180 * KB, files: 10 },
  "a project's screen": { bytes: 230 * KB, files: 10 },
};

const dist = new URL("../dist/", import.meta.url);
const source = (path) => readFileSync(new URL(`../src/app/${path}`, import.meta.url), "utf8");
/** The files of the build: what each has of `src/`, and the files that it imports (`vite.config.ts`). */
const chunks = JSON.parse(readFileSync(new URL(".vite/chunks.json", dist), "utf8"));
const sizes = new Map();

async function sizeOf(file) {
  if (!sizes.has(file)) {
    const bytes = readFileSync(new URL(file, dist));
    sizes.set(file, { br: (await sent(bytes, "br")).length, gz: (await sent(bytes, "gz")).length });
  }
  return sizes.get(file);
}

function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const imported of chunks[file].imports) withImports(imported, found);
  return found;
}

/** The file with a module, as the routes name the module. */
function fileOf(module) {
  const path = module.replace(/^@\//, "src/").replace(/^\.\//, "src/app/");
  const found = Object.keys(chunks).filter((file) =>
    chunks[file].modules.some((name) => name.replace(/\.tsx?$/, "") === path),
  );
  if (found.length !== 1) throw new Error(`${module} is in ${found.length} files.`);
  return found[0];
}

const modulesIn = (code) => [...code.matchAll(/import\("([^"]+)"\)/g)].map(([, module]) => module);

/** The modules of each lazily loaded route in a list of `routes.tsx`: the visits of `guestRoutes`, for example. */
function visitsOf(list) {
  const [, code] = source("routes.tsx").match(new RegExp(`^const ${list}: RouteObject\\[\\] = \\[\\n(.*?)^\\];`, "ms"));
  return code
    .split(/^ {4}path: /m)
    .map((route) => [route.match(/^"([^"]+)"/)?.[1], modulesIn(route)])
    .filter(([, modules]) => modules.length > 0);
}

/** What a tab of a project loads, by where that is written: its loading function, or its line of the routes. */
function projectVisits() {
  const code = source("project-routes.tsx");
  const functions = [...code.matchAll(/^(?:export )?async function (\w+)\(\) \{\n(.*?)^\}/gms)];
  const lines = [...code.matchAll(/lazy: async .*$/gm)];
  const visits = new Map();
  for (const [, name, body] of functions) visits.set(name, modulesIn(body));
  for (const [line] of lines) for (const module of modulesIn(line)) visits.set(module, [module]);
  const { loadFrame: frame, loadScreen: screen, ...others } = Object.fromEntries(visits);
  if (!frame || !screen || Object.keys(others).length < 2)
    throw new Error("The routes of a project are written in a way not known here.");
  return Object.entries({ "a project's screen": screen, ...others }).map(([name, modules]) => [
    name in BUDGETS ? name : `a project, ${name}`,
    [...frame, ...modules],
  ]);
}

const guests = [...visitsOf("guestRoutes"), ...visitsOf("openRoutes")];
const members = [...visitsOf("memberRoutes"), ...projectVisits()].map(([name, modules]) => [
  name,
  ["./shell", ...modules],
]);
const missing = Object.keys(BUDGETS).filter((name) => ![...guests, ...members].some(([visit]) => visit === name));
if (missing.length > 0) throw new Error(`The routes have no ${missing.join(", ")}.`);

const problems = [];
for (const [name, modules] of [["entry", []], ...guests, ...members]) {
  const files = new Set(["src/main", ...modules].flatMap((module) => [...withImports(fileOf(module))]));
  files.add("theme.js");
  let [br, gz] = [0, 0];
  for (const file of files) {
    const size = await sizeOf(file);
    br += size.br;
    gz += size.gz;
  }
  const row = [`${(br / KB).toFixed(1)} KB br`, `${(gz / KB).toFixed(1)} KB gzip`, `${files.size} files`];
  console.log(row.map((text) => text.padStart(14)).join(""), "", name);
  const budget = BUDGETS[name];
  if (gz > GZIP_LIMIT) problems.push(`${name} loads more than ${GZIP_LIMIT / KB} KB (gzip) of JavaScript.`);
  if (budget && br > budget.bytes)
    problems.push(`${name} loads more than ${budget.bytes / KB} KB (brotli) of JavaScript.`);
  if (budget && files.size > budget.files)
    problems.push(`${name} loads more than ${budget.files} files of JavaScript.`);
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
