/**
 * Prints, for each TypeScript file it gets, its functions: [name, lines]. Lines with markup are not counted: the limit of the file is theirs.
 * A name starts with the names of the functions and classes around it.
 */
import { readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const CLASSES = new Set(["ClassDeclaration", "ClassExpression"]);
const MEMBERS = new Set(["Property", "MethodDefinition", "PropertyDefinition"]);

const isNode = (value) => typeof value === "object" && value !== null && typeof value.type === "string";

function* children(node) {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
  }
}

/** The name that a node gives to what is directly below it: a variable, a key, an attribute, or the function that is called with it. */
function nameBelow(node) {
  if (node.type === "VariableDeclarator") return node.id.name;
  if (MEMBERS.has(node.type)) return node.key.name ?? node.key.value;
  if (node.type === "JSXAttribute") return node.name.name;
  if (node.type === "CallExpression") return node.callee.name ?? node.callee.property?.name;
}

/** Adds the numbers of the lines that a node and the nodes below it have of markup. */
function addMarkup(node, lineAt, lines) {
  if (node.type !== "JSXElement" && node.type !== "JSXFragment") {
    for (const child of children(node)) addMarkup(child, lineAt, lines);
    return lines;
  }
  for (let line = lineAt(node.start); line <= lineAt(node.end); line += 1) lines.add(line);
  return lines;
}

function linesOf(node, lineAt) {
  const markup = addMarkup(node.body, lineAt, new Set());
  return lineAt(node.end) - lineAt(node.start) + 1 - markup.size;
}

function* functionsIn(node, lineAt, path = [], given = undefined) {
  const isFunction = FUNCTIONS.has(node.type);
  const isNamed = isFunction || CLASSES.has(node.type);
  const below = isNamed ? [...path, node.id?.name ?? given ?? "function"] : path;
  if (isFunction) yield [below.join("."), linesOf(node, lineAt)];
  const name = nameBelow(node) ?? (isNamed ? undefined : given);
  for (const child of children(node)) yield* functionsIn(child, lineAt, below, name);
}

/** Returns a function from a place in the source to the number of its line. */
function linesIn(source) {
  const numbers = new Uint32Array(source.length + 1).fill(1);
  for (let place = 0; place < source.length; place += 1) {
    numbers[place + 1] = numbers[place] + (source[place] === "\n" ? 1 : 0);
  }
  return (place) => numbers[place];
}

const found = {};
for (const file of process.argv.slice(2)) {
  const source = readFileSync(file, "utf8");
  const tree = parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" });
  found[file] = [...functionsIn(tree, linesIn(source))];
}
process.stdout.write(JSON.stringify(found));
