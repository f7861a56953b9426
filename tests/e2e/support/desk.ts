/** A person's calls to the dashboard's API, for what a walk needs and isn't about. */
import type { Page } from "@playwright/test";
import { expect, type LiveryServer, ownerIn } from "./server.js";

const TITLE = { key: "welcome_title", values: { en: "Where to next, {name}?" } };

export interface Answer {
  status: number;
  body: { message?: string; fields?: Record<string, string>; [name: string]: unknown };
}

export class Desk {
  constructor(
    readonly server: LiveryServer,
    readonly token: string,
    readonly projectId = "",
    readonly user: unknown = undefined,
  ) {}

  static async of(server: LiveryServer, email: string, password: string): Promise<Desk> {
    const { token, user } = await new Desk(server, "").done("POST", "/auth/login", { email, password });
    const config = (await (await fetch(`${server.url}/storefront/config.json`)).json()) as { projectId: string };
    return new Desk(server, String(token), config.projectId, user);
  }

  /** The owner of the demo project. */
  static async ofOwner(server: LiveryServer, greeting: string): Promise<Desk> {
    const { email, password } = ownerIn(greeting);
    return Desk.of(server, email, password);
  }

  /** A person with a verified account; how one gets it is the account walk's to show. */
  static async ofNewPerson(server: LiveryServer, person: { name: string; email: string; password: string }) {
    const nobody = new Desk(server, "");
    await nobody.done("POST", "/auth/register", person);
    const link = await server.linkTo(person.email, "verify");
    await nobody.done("POST", `/auth/verify-email/${link.split("/").at(-1)}`);
    return Desk.of(server, person.email, person.password);
  }

  async send(method: string, path: string, data?: object): Promise<Answer> {
    const isForm = data instanceof FormData;
    const answer = await fetch(`${this.server.url}/api${path}`, {
      method,
      headers: {
        ...(this.token === "" ? {} : { Authorization: `Bearer ${this.token}` }),
        ...(isForm ? {} : { "Content-Type": "application/json" }),
      },
      ...(data === undefined ? {} : { body: isForm ? data : JSON.stringify(data) }),
    });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  }

  async done(method: string, path: string, data?: object): Promise<Answer["body"]> {
    const { status, body } = await this.send(method, path, data);
    expect(status, `${method} ${path} ${JSON.stringify(data)}: ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  }

  /** Expects a refusal that names each of these fields, and does not repeat what was sent. */
  async refused(method: string, path: string, data: object, sent: string, ...fields: string[]): Promise<void> {
    const { status, body } = await this.send(method, path, data);
    expect([status, Object.keys(body.fields ?? {})], `${method} ${path} ${JSON.stringify(sent)}`).toEqual([
      422,
      expect.arrayContaining(fields),
    ]);
    if (sent.length > 8) expect(JSON.stringify(body)).not.toContain(JSON.stringify(sent).slice(1, -1));
  }

  /** Makes a colleague, who joins this person's project as an editor. */
  async haveEditor(person: { name: string; email: string; password: string }): Promise<Desk> {
    const theirs = await Desk.ofNewPerson(this.server, person);
    await this.done("POST", `/projects/${this.projectId}/members`, { email: person.email, role: "editor" });
    const mail = (await this.server.mailTo(person.email, { kind: "invitation" })).replaceAll(/=\r?\n/g, "");
    const [, invitation = ""] = /\/invite\/([\w-]+)/.exec(mail) ?? [];
    await theirs.done("POST", `/invitations/${invitation}/accept`);
    return theirs;
  }

  /** Leaves no change unpublished, and the demo's title as it was: other files use this server too. Gives the live release. */
  async settleDemo(): Promise<number> {
    await this.done("PUT", `/translations/${this.projectId}/home/${TITLE.key}`, TITLE);
    await this.done("POST", `/translations/${this.projectId}/publish`);
    return Number((await this.done("GET", `/projects/${this.projectId}`))["release"]);
  }

  /** Signs this person in at a browser, as the login page does; how it does so is the account walk's to show. */
  async signIn(page: Page): Promise<void> {
    // A page of the same origin that loads nothing: the server doesn't get this call.
    const address = `${this.server.url}/signed-in`;
    await page.route(address, (route) =>
      route.fulfill({ contentType: "text/html", body: '<link rel="icon" href="data:,">' }),
    );
    await page.goto(address);
    await page.evaluate(
      ([token, user]) => {
        localStorage.setItem("authToken", token);
        localStorage.setItem("user", user);
      },
      [this.token, JSON.stringify(this.user)] as const,
    );
    await page.unroute(address);
  }
}
