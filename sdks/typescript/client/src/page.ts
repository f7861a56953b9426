/** @livery/client/page: for pages without a framework, and for style sheets of pages that a server renders. */

import { applyColors } from "./css.js";
import type { LiveryClient, PlainTextKey, TextParams } from "./types.js";

export { colorStyleSheet, colorVariableName } from "./style-sheet.js";

const MARK = "data-livery";
const PARAMS = `${MARK}-params`;
/** Attributes that people read. No other can be set: an address or a handler in a text would be code. */
const NAMES = ["alt", "aria-label", "aria-description", "content", "label", "placeholder", "title", "value"];
const MARKS = [MARK, ...NAMES.map((name) => `${MARK}-${name}`)];

/** The text node of an element that holds its words; children of the element stay. */
function wordsOf(element: Element): Text {
  const texts = [...element.childNodes].filter((node): node is Text => node.nodeType === 3);
  return texts.find(({ data }) => data.trim()) ?? texts[0] ?? element.appendChild(new Text());
}

function paramsOf(element: Element): TextParams | undefined {
  try {
    return JSON.parse(element.getAttribute(PARAMS) ?? "") as TextParams;
  } catch {
    return undefined; // the placeholders stay as they are written
  }
}

/**
 * Sets the texts of a page, the colours as CSS variables, and `lang` and `dir` of the page, now and after each change.
 *
 * `data-livery="home.title"` sets the text of an element; its children stay. `data-livery-placeholder="form.email"` sets an attribute (`alt`, `aria-label`,
 * `aria-description`, `content`, `label`, `placeholder`, `title`, `value`). `data-livery-params='{"count": 3}'` has the parameters of both. The text that the
 * page had is the default. It never sets HTML. Elements that come later, and marks that change, are found.
 *
 * Returns a function that ends the binding.
 */
export function bindPage(client: LiveryClient, root: ParentNode & Node = document): () => void {
  const defaults = new WeakMap<Element, Record<string, string>>();
  const update = () => {
    for (const element of root.querySelectorAll(MARKS.map((mark) => `[${mark}]`).join())) {
      const had = defaults.get(element) ?? {};
      defaults.set(element, had);
      const read = (mark: string, present: string) => {
        const key = element.getAttribute(mark) as PlainTextKey;
        had[mark] ??= present;
        return client.t(key, paramsOf(element), had[mark]);
      };
      if (element.hasAttribute(MARK)) {
        const words = wordsOf(element);
        const [, before = "", present = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(words.data) ?? [];
        const text = before + read(MARK, present) + after;
        if (words.data !== text) words.data = text;
      }
      for (const name of NAMES) {
        const mark = `${MARK}-${name}`;
        if (element.hasAttribute(mark)) element.setAttribute(name, read(mark, element.getAttribute(name) ?? ""));
      }
    }
    if (client.language) document.documentElement.lang = client.language;
    document.documentElement.dir = client.direction;
  };
  update();
  const observer = new MutationObserver(update);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: [...MARKS, PARAMS] });
  const stops = [client.subscribe(update), applyColors(client)];
  return () => {
    observer.disconnect();
    for (const stop of stops) stop();
  };
}
