/** Prints, for each TypeScript file it gets, every change a mutant can make there: [start, end, new text, operator] in code units. */
import { readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";

const SWAPPED = {
  "<": ["<=", "comparison"],
  "<=": ["<", "comparison"],
  ">": [">=", "comparison"],
  ">=": [">", "comparison"],
  "===": ["!==", "comparison"],
  "!==": ["===", "comparison"],
  "&&": ["||", "logic"],
  "||": ["&&", "logic"],
  "+": ["-", "arithmetic"],
  "-": ["+", "arithmetic"],
};
/** Nodes of types whose expression runs all the same. */
const TRANSPARENT = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);
/** One more or less of a number like this (milliseconds, bytes) is nothing that a test should see. */
const LARGE = 1_000;
const UNSEEN_ATTRIBUTES = new Set(["className", "style"]);

const isNode = (value) => typeof value === "object" && value !== null && typeof value.type === "string";
const isText = (node) =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string") || isSumOfText(node);
const isSumOfText = (node) =>
  node.type === "BinaryExpression" && node.operator === "+" && (isText(node.left) || isText(node.right));

function isUnseen(node) {
  if (node.type.startsWith("TS") && !TRANSPARENT.has(node.type)) return true;
  if (node.type === "ImportDeclaration") return true;
  if (node.type === "JSXAttribute") return UNSEEN_ATTRIBUTES.has(node.name.name);
  return node.type === "CallExpression" && node.callee.object?.name === "console";
}

function* children(node) {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
  }
}

function* ofLiteral(node, inAttribute) {
  if (typeof node.value === "boolean") yield [node.start, node.end, String(!node.value), "boolean"];
  if (!Number.isInteger(node.value) || node.value >= LARGE || inAttribute) return;
  yield [node.start, node.end, String(node.value + 1), "one more"];
  yield [node.start, node.end, node.value > 0 ? String(node.value - 1) : "(-1)", "one less"];
}

function* ofStatement(node) {
  if (node.type === "ReturnStatement" && node.argument && node.argument.name !== "undefined") {
    yield [node.argument.start, node.argument.end, "undefined", "return"];
  }
  if (node.type === "ThrowStatement") yield [node.start, node.end, "void 0;", "throw"];
  if (node.type !== "ExpressionStatement") return;
  let expression = node.expression;
  while (["AwaitExpression", "UnaryExpression", "ChainExpression"].includes(expression.type)) {
    expression = expression.argument ?? expression.expression;
  }
  if (expression.type === "CallExpression" && expression.callee.type !== "Super") {
    yield [node.start, node.end, "void 0;", "call"];
  }
}

function* changesOf(node, source, inAttribute) {
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
    const swap = SWAPPED[node.operator];
    if (swap && !(swap[1] === "arithmetic" && isText({ ...node, operator: "+" }))) {
      const at = source.indexOf(node.operator, node.left.end);
      yield [at, at + node.operator.length, ...swap];
    }
  } else if (node.type === "UnaryExpression" && node.operator === "!") {
    yield [node.start, node.argument.start, "", "not"];
  } else if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
    yield [node.test.start, node.test.end, "true", "if true"];
    yield [node.test.start, node.test.end, "false", "if false"];
  } else if (node.type === "Literal") {
    yield* ofLiteral(node, inAttribute);
  } else {
    yield* ofStatement(node);
  }
}

function* walk(node, source, inAttribute = false) {
  if (isUnseen(node)) return;
  const isAttribute = node.type === "JSXAttribute" || (inAttribute && !node.type.includes("Function"));
  yield* changesOf(node, source, isAttribute);
  for (const child of children(node)) yield* walk(child, source, isAttribute);
}

const found = {};
for (const file of process.argv.slice(2)) {
  const source = readFileSync(file, "utf8");
  found[file] = [...walk(parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }), source)];
}
process.stdout.write(JSON.stringify(found));
