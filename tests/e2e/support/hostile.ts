/** Texts that try to be code, and a watch over pages that show them: nothing runs, nothing leaves, and no markup of theirs is in the page. */
import { readFileSync } from "node:fs";
import { type BrowserContext, expect, type Page } from "@playwright/test";

type Classes = Readonly<Record<string, readonly string[]>>;

const vectors = JSON.parse(readFileSync(new URL("../../vectors/hostile.json", import.meta.url), "utf8")) as Readonly<
  Record<"xss" | "css", Classes>
>;

export const xss = Object.values(vectors.xss).flat();
export const css = Object.values(vectors.css).flat();
export const hostile = [...xss, ...css];

const INVISIBLE = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** Of a name, which is one line without invisible characters and at most `limit` long: those that the server takes, each once. */
export function namesOf(limit: number): string[] {
  const lines = hostile.filter((text) => !INVISIBLE.test(text)).map((text) => text.normalize("NFC").trim());
  return [...new Set(lines)].filter((line) => line !== "" && line.length <= limit);
}

/** Those that no name may be. */
export const invisible = hostile.filter((text) => INVISIBLE.test(text));

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
      if (request.isNavigationRequest()) this.#policies.add(response.headers()["content-security-policy"] ?? "none");
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
    expect(this.#policies.size).toBe(1);
    for (const policy of this.#policies) {
      expect(policy).toMatch(/(^|; )default-src 'none'(;|$)/);
      expect(policy).toMatch(/(^|; )script-src 'self'(;|$)/);
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
