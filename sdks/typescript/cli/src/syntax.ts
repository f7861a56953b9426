/** Reading the syntax tree: literals, names of properties, and the children of a node. */

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

export function child(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
}

export function list(node: Node | undefined, field: string): Node[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

const WRAPPERS = new Set([
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "ChainExpression",
  "AwaitExpression",
  "JSXExpressionContainer",
]);

/** Returns the expression without parentheses, type assertions and `await`. */
export function bare(node: Node | undefined): Node | undefined {
  let found = node;
  while (found && WRAPPERS.has(found.type)) found = child(found, "expression") ?? child(found, "argument");
  return found;
}

export function nameOf(node: Node | undefined): string | undefined {
  const named = node?.type === "Identifier" || node?.type === "JSXIdentifier";
  return named ? (node.name as string) : undefined;
}

/** Returns a text that the code has as it is; undefined for a computed text. */
export function literal(node: Node | undefined): string | undefined {
  const found = bare(node);
  if (found?.type === "Literal" && typeof found.value === "string") return found.value;
  if (found?.type !== "TemplateLiteral" || list(found, "expressions").length) return undefined;
  return cooked(list(found, "quasis")[0]);
}

function cooked(quasi: Node | undefined): string | undefined {
  return (quasi?.["value"] as { cooked?: string } | undefined)?.cooked;
}

/** A text of the code: whole, or what a computed text begins with. */
export interface Text {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Returns every text that an expression can be, as far as the code shows it. */
export function textsOf(node: Node | undefined): Text[] {
  const found = bare(node);
  const whole = literal(found);
  if (whole !== undefined) return [{ text: whole, isWhole: true }];
  switch (found?.type) {
    case "TemplateLiteral":
      return [{ text: cooked(list(found, "quasis")[0]) ?? "", isWhole: false }];
    case "ConditionalExpression":
      return [...textsOf(child(found, "consequent")), ...textsOf(child(found, "alternate"))];
    case "LogicalExpression":
      return [...textsOf(child(found, "left")), ...textsOf(child(found, "right"))];
    case "ArrayExpression":
      return list(found, "elements").flatMap(textsOf);
    case "BinaryExpression":
      return textsOf(child(found, "left")).map(({ text }) => ({ text, isWhole: false }));
    default:
      return [{ text: "", isWhole: false }];
  }
}

/** Returns the properties of an object by name; undefined if the code computes some of them. */
export function propertiesOf(node: Node | undefined): Map<string, Node> | undefined {
  const found = bare(node);
  if (found?.type !== "ObjectExpression") return undefined;
  const properties = new Map<string, Node>();
  for (const one of list(found, "properties")) {
    const key = child(one, "key");
    const name = one["computed"] ? literal(key) : (nameOf(key) ?? literal(key));
    const value = child(one, "value");
    if (one.type !== "Property" || name === undefined || !value) return undefined;
    properties.set(name, value);
  }
  return properties;
}

/** Calls back for each child of a node. */
export function eachChild(node: Node, call: (one: Node) => void): void {
  for (const field in node) {
    const value = node[field];
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) call(one);
    } else if (isNode(value)) call(value);
  }
}
