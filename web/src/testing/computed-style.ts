/**
 * What tests ask of computed styles, without jsdom's search through the rules of its own style sheet for every element.
 * The search took more than half of the suite's time. Tests load no style sheets of ours, so only attributes, inline
 * styles and the kind of element matter.
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

/** Inherited properties, and their values where no style is set. */
const INHERITED = {
  fontFamily: "serif",
  fontSize: "16px",
  fontStyle: "normal",
  fontWeight: "400",
  letterSpacing: "normal",
  lineHeight: "normal",
  pointerEvents: "auto",
  tabSize: "8",
  textIndent: "0px",
  textRendering: "auto",
  textTransform: "none",
  visibility: "visible",
  wordBreak: "normal",
  wordSpacing: "0px",
} as const;

/** What the toasts' own style sheet makes reachable again, inside a frame that is not. */
const isToast = (element: HTMLElement): boolean => /^go\d/.test(element.parentElement?.className ?? "");

/** Returns the value of the nearest element that has it set. */
function inherited(element: HTMLElement, name: keyof typeof INHERITED): string {
  for (let one: HTMLElement | null = element; one !== null; one = one.parentElement) {
    if (one.style?.[name]) return one.style[name];
    if (name === "pointerEvents" && isToast(one)) return "auto";
  }
  return INHERITED[name];
}

const NO_EDGE = Object.fromEntries(
  ["Top", "Right", "Bottom", "Left"].flatMap((side) => [
    [`margin${side}`, "0px"],
    [`padding${side}`, "0px"],
    [`border${side}Width`, "0px"],
  ]),
);
/** What floating boxes ask of every ancestor, and growing text areas of themselves; the values where no style is set. */
const INITIAL: Readonly<Record<string, string>> = {
  ...NO_EDGE,
  backdropFilter: "none",
  boxSizing: "content-box",
  contain: "none",
  filter: "none",
  height: "auto",
  overflow: "visible",
  overflowX: "visible",
  overflowY: "visible",
  perspective: "none",
  position: "static",
  rotate: "none",
  scale: "none",
  scrollbarGutter: "auto",
  transform: "none",
  translate: "none",
  width: "auto",
  willChange: "auto",
};

function initialOf(element: HTMLElement, name: string): string | undefined {
  const initial = INITIAL[name];
  return initial === undefined ? undefined : element.style?.[name as "width"] || initial;
}

const known: Readonly<Record<string, (element: HTMLElement) => string>> = {
  display: displayOf,
  ...Object.fromEntries(
    Object.keys(INHERITED).map((name) => [
      name,
      (element: HTMLElement) => inherited(element, name as keyof typeof INHERITED),
    ]),
  ),
  opacity: ({ style }) => style?.opacity || "1",
  "pointer-events": (element) => inherited(element, "pointerEvents"),
  content: () => "",
  direction: (element) => element.closest<HTMLElement>("[dir]")?.dir || "ltr",
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
    const read = (name: string) =>
      pseudo ? "" : (known[name]?.(element as HTMLElement) ?? initialOf(element as HTMLElement, name));
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
