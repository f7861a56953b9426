/**
 * What tests ask of computed styles, without jsdom's search through the rules of its own style sheet for every element: more than half of
 * the suite's time. Style sheets of ours are not loaded in tests, so only attributes, inline styles and the kind of element say anything.
 */
const BLOCKS = new Set(
  "ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CENTER DD DETAILS DIALOG DIR DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HGROUP HR HTML LEGEND LISTING MAIN MENU NAV OL OPTGROUP OPTION P PRE SEARCH SECTION SUMMARY UL".split(
    " ",
  ),
);
const OTHERS: Readonly<Record<string, string>> = {
  BUTTON: "inline-block",
  INPUT: "inline-block",
  LI: "list-item",
  SELECT: "inline-block",
  TABLE: "table",
  TBODY: "table-row-group",
  TD: "table-cell",
  TEXTAREA: "inline-block",
  TH: "table-cell",
  THEAD: "table-header-group",
  TR: "table-row",
};
const UNSEEN = new Set("AREA BASE DATALIST HEAD LINK META NOSCRIPT PARAM RP SCRIPT STYLE TEMPLATE TITLE".split(" "));

function displayOf(element: HTMLElement): string {
  const { tagName, style } = element;
  if (style?.display) return style.display;
  if (UNSEEN.has(tagName) || element.hasAttribute("hidden")) return "none";
  if (tagName === "DIALOG" && !element.hasAttribute("open")) return "none";
  return BLOCKS.has(tagName) ? "block" : (OTHERS[tagName] ?? "inline");
}

/** What the toasts' own style sheet makes reachable again, inside a frame that is not. */
const isToast = (element: HTMLElement): boolean => /^go\d/.test(element.parentElement?.className ?? "");

/** Of the nearest element that says it. */
function inherited(element: HTMLElement, name: "visibility" | "pointerEvents", initial: string): string {
  for (let one: HTMLElement | null = element; one !== null; one = one.parentElement) {
    if (one.style?.[name]) return one.style[name];
    if (name === "pointerEvents" && isToast(one)) return "auto";
  }
  return initial;
}

const known: Readonly<Record<string, (element: HTMLElement) => string>> = {
  display: displayOf,
  visibility: (element) => inherited(element, "visibility", "visible"),
  opacity: ({ style }) => style?.opacity || "1",
  pointerEvents: (element) => inherited(element, "pointerEvents", "auto"),
  "pointer-events": (element) => inherited(element, "pointerEvents", "auto"),
  content: () => "",
};

/** Puts it in the place of jsdom's; what it does not know is still asked of jsdom. */
export function installComputedStyle(): void {
  const real = window.getComputedStyle.bind(window);
  window.getComputedStyle = (element, pseudo) => {
    let whole: CSSStyleDeclaration | undefined;
    // jsdom has no styles of pseudo-elements.
    const rest = () => {
      whole ??= pseudo ? document.createElement("i").style : real(element);
      return whole;
    };
    const read = (name: string) => (pseudo ? "" : known[name]?.(element as HTMLElement));
    return new Proxy({} as CSSStyleDeclaration, {
      get(_target, name) {
        if (name === "getPropertyValue")
          return (property: string) => read(property) ?? rest().getPropertyValue(property);
        const value = typeof name === "string" ? read(name) : undefined;
        if (value !== undefined) return value;
        const found: unknown = Reflect.get(rest(), name);
        return typeof found === "function" ? found.bind(rest()) : found;
      },
    });
  };
}
