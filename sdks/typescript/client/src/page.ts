/** @livery/client/page: for pages without a framework, and for style sheets of pages that a server renders. */

import { applyColors } from "./css.js";
import type { LiveryClient, PlainTextKey } from "./types.js";

export { colorStyleSheet, colorVariableName } from "./style-sheet.js";

/**
 * Sets the text of every `[data-livery]` below `root`, the colours as CSS variables, and `lang` and `dir` of the page.
 * It never sets HTML. The text that the page had is the default. Call it again for elements that are added later.
 * Returns a function that ends the binding.
 */
export function bindPage(client: LiveryClient, root: ParentNode = document): () => void {
  const defaults = new Map<Element, string>();
  const update = () => {
    for (const element of root.querySelectorAll("[data-livery]")) {
      if (!defaults.has(element)) defaults.set(element, element.textContent ?? "");
      const text = client.t(element.getAttribute("data-livery") as PlainTextKey, defaults.get(element) ?? "");
      if (element.textContent !== text) element.textContent = text;
    }
    if (client.language) document.documentElement.lang = client.language;
    document.documentElement.dir = client.direction;
  };
  update();
  const stops = [client.subscribe(update), applyColors(client)];
  return () => {
    for (const stop of stops) stop();
  };
}
