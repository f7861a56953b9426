/** The default text of a `<Trans>`, as react-i18next makes it of the children: tags become `<1>…</1>`, or stay as `<strong>…</strong>`. */

import { bare, child, list, literal, type Node, nameOf, propertiesOf } from "./syntax.js";

/** react-i18next's `transKeepBasicHtmlNodesFor`. */
const KEPT = new Set(["br", "strong", "i", "p"]);

/** The text that JSX makes of lines: spaces at the ends of lines go, and lines are joined by a space. */
function plain(raw: string): string {
  const lines = raw.split(/\r?\n/);
  const trimmed = lines.map((line, at) => {
    const start = at ? line.replace(/^[ \t]+/, "") : line;
    return at < lines.length - 1 ? start.replace(/[ \t]+$/, "") : start;
  });
  return trimmed.filter((line) => line).join(" ");
}

/** The children as React gets them: without empty lines and comments. */
function childrenOf(node: Node): Node[] {
  return list(node, "children").filter((one) =>
    one.type === "JSXText" ? plain(one["value"] as string) : child(one, "expression")?.type !== "JSXEmptyExpression",
  );
}

/** Returns the text; undefined if the code computes a part of it, or for an element without text. */
export function textInside(node: Node): string | undefined {
  const parts = childrenOf(node).map(partOf);
  return parts.length && parts.every((one) => one !== undefined) ? parts.join("").trim() || undefined : undefined;
}

function partOf(node: Node, at: number): string | undefined {
  if (node.type === "JSXText") return plain(node["value"] as string);
  if (node.type !== "JSXElement") return literal(node) ?? placeholder(node);
  const opening = child(node, "openingElement");
  const name = nameOf(child(opening, "name")) ?? "";
  const attributes = list(opening, "attributes").filter((one) => nameOf(child(one, "name")) !== "key");
  const isKept = KEPT.has(name) && attributes.length === 0;
  const children = childrenOf(node);
  if (!children.length) return isKept ? `<${name}/>` : `<${at}></${at}>`;
  const inner = children.map(partOf);
  if (inner.some((one) => one === undefined)) return undefined;
  const tag = isKept ? name : String(at);
  return `<${tag}>${inner.join("")}</${tag}>`;
}

/** The placeholder of an object such as `{{ name }}`, which has one name beside `format`. */
function placeholder(node: Node): string | undefined {
  const properties = propertiesOf(bare(node));
  if (!properties) return undefined;
  const names = [...properties.keys()].filter((one) => one !== "format");
  const format = literal(properties.get("format"));
  if (names.length !== 1 || (properties.has("format") && format === undefined)) return undefined;
  return `{{${names[0]}${format ? `, ${format}` : ""}}}`;
}
