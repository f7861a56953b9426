import type { ReactNode } from "react";

/** What a formatted text may look like here; of other elements only the words are shown. */
const TAGS = new Set([
  "p",
  "br",
  "strong",
  "b",
  "em",
  "i",
  "u",
  "s",
  "ul",
  "ol",
  "li",
  "blockquote",
  "code",
  "sub",
  "sup",
]);
/** What is no text to read. */
const SILENT = new Set(["script", "style", "template", "noscript", "iframe", "title", "textarea", "svg", "math"]);

/**
 * A formatted text of Livery as elements. The server has sanitised it; an app that puts no HTML into its page needs to trust nobody for that.
 */
export function RichText({ html }: { html: string }) {
  // Parsing makes a document that never runs, loads or shows anything.
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return <div className="rich">{childrenOf(body)}</div>;
}

function childrenOf(node: Node): ReactNode[] {
  return [...node.childNodes].map((child, position) => elementOf(child, position));
}

function elementOf(node: Node, position: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
  if (!(node instanceof Element) || SILENT.has(node.localName)) return null;
  const children = childrenOf(node);
  if (node.localName === "a") {
    return (
      <a key={position} href={webAddress(node.getAttribute("href") ?? "")} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  }
  if (!TAGS.has(node.localName)) return <span key={position}>{children}</span>;
  const Tag = node.localName as "p";
  return children.length > 0 ? <Tag key={position}>{children}</Tag> : <Tag key={position} />;
}

/** A text may hold anything; a link only leads to the web. */
export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) ? text : undefined;
}
