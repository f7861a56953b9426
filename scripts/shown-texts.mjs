/** Prints, for each TypeScript file it gets, the texts of its strings and of its markup: [line, text]. A value in a text is an `x`. */
import { readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";

const isNode = (value) => typeof value === "object" && value !== null && typeof value.type === "string";

function* children(node) {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
  }
}

/** The text between the tags of an element. */
function textOf({ children: parts }) {
  return parts
    .map((part) => (part.type === "JSXText" ? part.value : part.type === "JSXElement" ? textOf(part) : "x"))
    .join("");
}

function* textsIn(node) {
  if (node.type === "ImportDeclaration") return;
  if (node.type === "Literal" && typeof node.value === "string") yield [node.start, node.value];
  if (node.type === "TemplateLiteral") yield [node.start, node.quasis.map((quasi) => quasi.value.cooked).join("x")];
  const hasText =
    node.type === "JSXElement" && node.children.some((part) => part.type === "JSXText" && part.value.trim());
  if (hasText) yield [node.start, textOf(node)];
  for (const child of children(node)) yield* textsIn(child);
}

const found = process.argv.slice(2).map((name) => {
  const source = readFileSync(name, "utf8");
  const lang = name.endsWith("x") ? "tsx" : "ts";
  const texts = [...textsIn(parseAst(source, { lang }))].map(([start, text]) => [
    source.slice(0, start).split("\n").length,
    text.replaceAll(/\s+/g, " ").trim(),
  ]);
  return [name, texts];
});
console.log(JSON.stringify(Object.fromEntries(found)));
