/** Calls of a server that does what it should not, and what such a server is sent. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { App } from "./app.js";

const TOKEN = "lvt_0123456789abcdefghij";

/** An app whose server answers as `answer` does, and what the server was sent. */
async function createApp(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const sent: { url: string; authorization: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    sent.push({ url: request.url ?? "", authorization: request.headers.authorization, body });
    answer(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = new App({ "livery.json": { server: `${url}/`, projectId: "prj_test", key: "lvp_test" } });
  app.env["LIVERY_TOKEN"] = TOKEN;
  return { app, sent, url };
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const content = (language: string, version: string) => ({
  projectId: "prj_test",
  version,
  release: Number(version.split(".")[1]),
  language,
  languages: ["en", "de"],
  texts: { general: { title: version } },
  colors: {},
  images: {},
  stores: {},
});

test("token and key are in headers and in no address", async () => {
  const { app, sent } = await createApp((request, response) => {
    const lang = new URL(request.url ?? "", "http://a").searchParams.get("lang") ?? "en";
    json(response, request.url?.startsWith("/api/stores/") ? [] : content(lang, "e.1"));
  });

  expect((await app.run("pull")).status).toBe(0);
  expect(sent.map((one) => [one.url, one.authorization])).toEqual([
    ["/sdk/v1/prj_test/content", "Bearer lvp_test"],
    ["/sdk/v1/prj_test/content?lang=de", "Bearer lvp_test"],
    ["/api/stores/prj_test", `Bearer ${TOKEN}`],
  ]);
});

test("all snapshots are of one release, also if the project is published at the same time", async () => {
  let count = 0;
  const { app } = await createApp((request, response) => {
    const lang = new URL(request.url ?? "", "http://a").searchParams.get("lang") ?? "en";
    json(response, request.url?.startsWith("/api/stores/") ? [] : content(lang, count++ ? "e.2" : "e.1"));
  });

  await app.run("pull");

  expect(["en", "de"].map((one) => JSON.parse(app.read(`livery/${one}.json`)).release)).toEqual([2, 2]);
});

test("a language that could leave the folder is refused", async () => {
  const { app } = await createApp((_, response) =>
    json(response, { ...content("../../x", "e.1"), languages: ["../../x"] }),
  );

  const { status, err } = await app.run("pull");

  expect([status, err]).toEqual([2, expect.stringContaining("can't be the name of a file")]);
});

test("snapshots of languages that the project no longer has are named", async () => {
  const { app } = await createApp((request, response) => {
    const lang = new URL(request.url ?? "", "http://a").searchParams.get("lang") ?? "en";
    json(response, request.url?.startsWith("/api/stores/") ? [] : content(lang, "e.1"));
  });
  app.write({ "livery/fr.json": content("fr", "e.0") });

  expect((await app.run("pull")).out).toContain("livery/fr.json has a language that this content lacks");
});

test("a redirect is not followed, and the other address is named", async () => {
  const { app, sent } = await createApp((_, response) =>
    response.writeHead(301, { location: "https://elsewhere.example.com/" }).end(),
  );

  const { status, err } = await app.run("pull", "--draft");

  expect([status, err]).toEqual([2, expect.stringContaining("https://elsewhere.example.com/")]);
  expect(sent.length).toBeGreaterThan(0);
});

test.each([
  [200, "<html>", "no JSON"],
  [502, "<html>", "the proxy in front of Livery"],
  [404, '{"detail":"Not Found"}', "status 404, and not as Livery does"],
  [429, '{"message":"Slow down.","code":"too_many"}', "Slow down. (429 too_many)"],
  [401, '{"message":"No.","code":"token_ended"}', "npx @livery/cli init --force"],
])("the answer %d %s is reported", async (status, body, words) => {
  const { app } = await createApp((_, response) => response.writeHead(status).end(body));

  const ran = await app.run("pull");

  expect([ran.status, ran.err]).toEqual([2, expect.stringContaining(words)]);
  expect(ran.err).not.toMatch(/lv[tp]_/);
});

test("an ended token is named where a call needs the token", async () => {
  const { app } = await createApp((_, response) => json(response, { message: "No.", code: "token_ended" }, 401));

  expect((await app.run("pull", "--draft")).err).toContain("npx @livery/cli login");
});

test("what was looked at is what is published or written: the server is given the token of the look", async () => {
  const plan = { token: "seen", counts: { new: 1 }, newScreens: [], unknownLanguages: [], rows: [], remarks: [] };
  const { app, sent } = await createApp((request, response) =>
    json(
      response,
      request.url?.endsWith("/plan") ? plan : { token: "seen", _id: "imp_a", number: 0, message: "Done." },
    ),
  );

  await app.run("publish");
  await app.run("push", "livery.json");

  const bodies = sent.filter((one) => /\/(?:publish|apply)$/.test(one.url)).map((one) => JSON.parse(one.body));
  expect(bodies).toEqual([{ expected: "seen" }, { take: ["new", "changed"], token: "seen" }]);
});

test("a push that has nothing new applies nothing, and leaves no import", async () => {
  const plan = { token: "seen", counts: { same: 2 }, newScreens: [], unknownLanguages: [], rows: [], remarks: [] };
  const { app, sent } = await createApp((request, response) =>
    json(response, request.url?.endsWith("/plan") ? plan : { _id: "imp_a", number: 3 }),
  );

  const ran = await app.run("push", "livery.json");

  expect([ran.status, ran.out]).toEqual([0, expect.stringContaining("there is nothing new")]);
  expect(sent.at(-1)?.url).toBe("/api/projects/prj_test/imports/imp_a/files/3");
  expect(sent.some(({ url }) => url.endsWith("/apply"))).toBe(false);
});
