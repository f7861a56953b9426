/** Prints what the npm packages export, with signatures and doc comments, as JSON: `node scripts/sdk-members.mjs`. It reads the built declarations. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const PACKAGES = join(dirname(fileURLToPath(import.meta.url)), "../sdks/typescript");
const NAMES = ["client", "react", "vue", "svelte", "i18next"];

const files = new Map();

function read(path) {
  let file = files.get(path);
  if (!file) {
    const source = readFileSync(path, "utf8");
    const { program, comments } = parseSync(path, source, { lang: "dts" });
    file = { path, source, body: program.body, comments };
    files.set(path, file);
  }
  return file;
}

/** The doc comment right before `node`, without its stars. */
function docOf({ source, comments }, node) {
  const comment = comments.find(
    ({ type, end }) => type === "Block" && end <= node.start && !source.slice(end, node.start).trim(),
  );
  if (!comment?.value.startsWith("*")) return "";
  return comment.value
    .slice(1)
    .replace(/^ *\* ?/gm, "")
    .trim();
}

/** The comment at the head of a module. It is read from the source: declarations lack it where a directive comes before it. */
function headOf(path) {
  const source = readFileSync(path.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts"), "utf8");
  return /^(?:"use client";\s*)?\/\*\* (.*?) \*\//s.exec(source)?.[1] ?? "";
}

const textOf = ({ source }, { start, end }) => source.slice(start, end).replace(/\s+/g, " ");

const namesOf = (declaration) =>
  declaration.type === "VariableDeclaration"
    ? declaration.declarations.map(({ id }) => id.name)
    : [declaration.id?.name];

/** Every export of a file: its name, with the places of its declarations. Its own declarations come before those of other files. */
function* exportsOf(path) {
  const file = read(path);
  const at = (source) => join(dirname(path), source.value.replace(/\.js$/, ".d.ts"));
  const isOther = ({ declaration }) => Number(!declaration);
  for (const statement of file.body.toSorted((a, b) => isOther(a) - isOther(b))) {
    if (statement.type === "ExportAllDeclaration") yield* exportsOf(at(statement.source));
    else if (statement.type !== "ExportNamedDeclaration") continue;
    else if (statement.source) {
      const found = new Map(exportsOf(at(statement.source)));
      for (const { local, exported } of statement.specifiers) yield [exported.name, found.get(local.name)];
    } else if (statement.declaration) {
      for (const name of namesOf(statement.declaration)) {
        const overloads = file.body.filter((other) => other.declaration && namesOf(other.declaration).includes(name));
        if (overloads[0] === statement) yield [name, { file, statements: overloads }];
      }
    }
  }
}

const isShown = ({ type, key, accessibility }) =>
  type !== "PropertyDefinition" || (key.type !== "PrivateIdentifier" && accessibility !== "private");

function membersOf(file, body) {
  return body
    .filter((member) => isShown(member) && member.kind !== "constructor")
    .map((member) => ({
      signature: textOf(file, member).replace(/;$/, ""),
      doc: docOf(file, member),
    }));
}

function describe([name, { file, statements }]) {
  const [{ declaration }] = statements;
  const doc = statements.map((statement) => docOf(file, statement)).find(Boolean) ?? docOf(file, declaration);
  const isObject = declaration.type === "TSInterfaceDeclaration" || declaration.type === "ClassDeclaration";
  if (isObject) {
    const head = file.source.slice(declaration.start, declaration.body.start).replace(/\s+/g, " ").trim();
    return { name, doc, signatures: [head.replace(/^declare /, "")], members: membersOf(file, declaration.body.body) };
  }
  const signatures = statements.map((statement) => textOf(file, statement.declaration).replace(/^declare |;$/g, ""));
  return { name, doc, signatures, members: [] };
}

const packages = NAMES.map((folder) => {
  const { name, exports } = JSON.parse(readFileSync(join(PACKAGES, folder, "package.json"), "utf8"));
  const entries = Object.entries(exports)
    .filter(([, target]) => target.types)
    .map(([entry, { types }]) => {
      const path = join(PACKAGES, folder, types);
      return {
        name: join(name, entry),
        doc: headOf(path),
        exports: [...exportsOf(path)].map(describe),
      };
    });
  return { name, entries };
});

console.log(JSON.stringify(packages));
