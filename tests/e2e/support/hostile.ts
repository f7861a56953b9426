/** Texts that try to be code, and a watch over pages that show them. Nothing runs, nothing leaves, and no markup of the texts is in the page. */
import { readFileSync } from "node:fs";
import { type BrowserContext, expect, type Page } from "@playwright/test";

type Classes = Readonly<Record<string, readonly string[]>>;

const vectors = JSON.parse(readFileSync(new URL("../../vectors/hostile.json", import.meta.url), "utf8")) as Readonly<
  Record<"xss" | "css", Classes>
>;

const INVISIBLE = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
export const LANGUAGES = ["en", "de", "ar", "ja"] as const;

const events = vectors.xss["events"] ?? [];
const breakingOut = vectors.css["breaking out"] ?? [];
const COLLEAGUES = [vectors.xss["tags"]?.[0] ?? "", events[0] ?? "", breakingOut[8] ?? ""] as const;

export class Texts {
  readonly all: readonly string[];
  /** The texts that no name may be. */
  readonly invisible: readonly string[];
  /** All texts, four at a time: one to a language. */
  readonly quartets: readonly Readonly<Record<string, string>>[];
  /** The names of colleagues: the same however many texts there are. */
  readonly colleagues = COLLEAGUES;

  constructor(
    readonly xss: readonly string[],
    readonly css: readonly string[],
  ) {
    this.all = [...xss, ...css];
    this.invisible = this.all.filter((text) => INVISIBLE.test(text));
    this.quartets = inGroups(
      this.all.filter((text) => text.trim() !== ""),
      LANGUAGES.length,
    ).map((texts) => Object.fromEntries(texts.map((text, position) => [LANGUAGES[position], text])));
  }

  /** Every text, or one of so many of each class. */
  static oneOf(number: number): Texts {
    const chosen = (classes: Classes) =>
      Object.values(classes).flatMap((texts) => texts.filter((_, position) => position % number === 0));
    return new Texts(chosen(vectors.xss), chosen(vectors.css));
  }

  /** Returns the texts that the server takes as a name, each once: one line without invisible characters, and at most `limit` long. */
  namesOf(limit: number): string[] {
    const lines = this.all.filter((text) => !INVISIBLE.test(text)).map((text) => text.normalize("NFC").trim());
    return [...new Set(lines)].filter((line) => line !== "" && line.length <= limit);
  }
}

export function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

const REFUSED = /^Failed to load resource: the server responded with a status of 422 /;

/** What the page itself notes, besides what can be seen from outside. */
interface Watched {
  reports?: string[];
}

/** Watches every page that is opened from now on. */
export class Watch {
  readonly #seen: string[] = [];
  readonly #policies = new Set<string>();
  #looks = 0;

  constructor(
    readonly context: BrowserContext,
    readonly origin: string,
  ) {}

  async begin(): Promise<void> {
    const { context, origin } = this;
    await context.addInitScript(() => {
      const watched = window as Watched;
      watched.reports = [];
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        watched.reports?.push(`${violatedDirective} ${blockedURI}`),
      );
    });
    context.on("dialog", (dialog) => {
      this.#seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin !== origin && /^(https?|wss?):$/.test(url.protocol)) this.#seen.push(`request: ${url}`);
    });
    context.on("response", (response) => {
      const request = response.request();
      if (request.isNavigationRequest()) {
        const policy = response.headers()["content-security-policy"] ?? "none";
        this.#policies.add(policy.replace(/'nonce-[\w-]{22}'/, "'nonce'"));
      }
    });
    context.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) this.#seen.push(`policy: ${message.text()}`);
      // A refusal that is wanted is no error of the page; the browser notes it all the same.
      else if (message.type() === "error" && !REFUSED.test(message.text())) this.#seen.push(`error: ${message.text()}`);
    });
    context.on("weberror", (error) => this.#seen.push(`error: ${error.error()}`));
    context.on(
      "page",
      (page) => void page.opener().then((opener) => opener && this.#seen.push(`window: ${page.url()}`)),
    );
  }

  /** Expects that what the page shows is only shown. */
  async look(page: Page, where: string): Promise<void> {
    this.#looks += 1;
    const found = await page.evaluate(() => {
      const ours = (address: string | null) => {
        const { origin, protocol } = new URL(address ?? "", location.href);
        return origin === location.origin || protocol === "blob:" || (address ?? "").startsWith("data:image/");
      };
      const odd = [...document.querySelectorAll("*")].filter((element) => {
        const loads = element.matches("img, script, link, source, video, iframe, object, embed, base, image, use");
        const attributes = [...element.attributes];
        return (
          attributes.some(({ name }) => name.startsWith("on") || name === "srcdoc" || name === "formaction") ||
          attributes.some(({ name, value }) => name === "style" && /canary|url\(|expression/i.test(value)) ||
          (loads && attributes.some(({ name, value }) => /^(src|href|data|poster)$/.test(name) && !ours(value))) ||
          (element instanceof HTMLAnchorElement && !/^(https?|mailto|blob|):$/.test(element.protocol)) ||
          element.matches("iframe, object, embed, base, meta[http-equiv=refresh], script:not([src]), marquee, frameset")
        );
      });
      const { reports = ["this page is not watched"] } = window as Watched;
      return { ran: "__hit" in window, reports, odd: odd.map(({ outerHTML }) => outerHTML.slice(0, 300)) };
    });
    expect(found, where).toEqual({ ran: false, reports: [], odd: [] });
    expect(this.#seen, where).toEqual([]);
  }

  /** Expects that every page came with a policy that lets no script in but the server's files, and that this watch was awake. */
  async end(page: Page): Promise<void> {
    expect(this.#looks).toBeGreaterThan(0);
    expect(this.#policies.size).toBeGreaterThan(0);
    for (const policy of this.#policies) {
      expect(policy).toMatch(/(^|; )default-src 'none'(;|$)/);
      expect(policy).toMatch(/(^|; )script-src 'self'(;|$)/);
      expect(policy).toMatch(/(^|; )style-src 'self'( 'nonce')?(;|$)/);
    }
    await page.evaluate(() => {
      document.body.insertAdjacentHTML(
        "beforeend",
        "<img src=x onerror=window.__hit=1><img src=https://canary.invalid/>",
      );
    });
    const reports = () => page.evaluate(() => (window as Watched).reports?.map((report) => report.split(" ")[0]));
    await expect.poll(reports).toEqual(expect.arrayContaining(["img-src", "script-src-attr"]));
    expect(await page.evaluate(() => "__hit" in window)).toBe(false);
  }
}
