/** Writes down everything that leaves or enters a browser, and what it keeps, to look for secrets in it afterwards. */
import type { BrowserContext, Page, Request, Response } from "@playwright/test";

/** Where something was written, in words that are the same in every run, and what was written there. */
export interface Note {
  readonly place: string;
  readonly text: string;
}

export class Recorder {
  readonly notes: Note[] = [];
  /** The origin of every request; of `data:` and `blob:` the scheme. */
  readonly origins = new Set<string>();
  /** The body of every page view that was reported. */
  readonly pageViews: string[] = [];
  #waiting: Promise<void>[] = [];

  constructor(readonly context: BrowserContext) {
    context.on("request", (request) => this.#later(this.#request(request)));
    context.on("response", (response) => this.#later(this.#response(response)));
    context.on("console", (message) => this.note("console", message.text()));
    context.on("weberror", (error) => this.note("console", String(error.error())));
    context.on("page", (page) => this.#follow(page));
  }

  note(place: string, text: string): void {
    this.notes.push({ place, text });
  }

  /** Notes what the browser keeps of this page: its storages, cookies and history entry. Returns these notes alone. */
  async keep(page: Page): Promise<Note[]> {
    const kept: Note[] = [];
    const stores = await page.evaluate(() => ({
      "local storage": { ...localStorage },
      "session storage": { ...sessionStorage },
      window: { name: window.name, history: JSON.stringify(history.state), title: document.title },
    }));
    for (const [store, values] of Object.entries(stores)) {
      for (const [key, value] of Object.entries(values))
        kept.push({ place: `${store} ${key}`, text: `${key}=${value}` });
    }
    for (const { name, value } of await this.context.cookies()) {
      kept.push({ place: `cookie ${name}`, text: `${name}=${value}` });
    }
    this.notes.push(...kept);
    return kept;
  }

  /** Waits for what is still being read. */
  async settle(): Promise<void> {
    while (this.#waiting.length > 0) await Promise.all(this.#waiting.splice(0));
  }

  #later(work: Promise<void>): void {
    this.#waiting.push(work);
  }

  #follow(page: Page): void {
    page.on("framenavigated", (frame) => this.note("address", frame.url()));
  }

  async #request(request: Request): Promise<void> {
    const url = new URL(request.url());
    this.origins.add(url.origin === "null" ? url.protocol : url.origin);
    const call = callOf(request);
    this.note(`${call} url`, request.url());
    for (const [name, value] of Object.entries(await request.allHeaders())) {
      // The address of the request itself is noted above.
      if (name !== ":path") this.note(`request header ${name}`, value);
    }
    const body = request.postData();
    if (body === null) return;
    this.note(`${call} body`, body);
    if (url.pathname === "/api/analytics/page-view") this.pageViews.push(body);
  }

  async #response(response: Response): Promise<void> {
    const call = callOf(response.request());
    for (const [name, value] of Object.entries(await response.allHeaders())) this.note(`${call} answer ${name}`, value);
    if (call.endsWith("/assets/…")) return; // what was built is the same for everybody
    // A redirect and an answer that a page did not wait for have no body to read.
    const body = await response.text().catch(() => "");
    this.note(`${call} answer`, body);
  }
}

/** `GET /api/projects/{projectId}`: what differs from run to run is named. */
function callOf(request: Request): string {
  const path = new URL(request.url()).pathname
    .replace(/prj_[a-z2-7]{16}/, "{projectId}")
    .replace(/(verify-email|reset-password)\/[^/]+$/, "$1/{token}")
    .replace(/^\/assets\/.*/, "/assets/…");
  return `${request.method()} ${path}`;
}
