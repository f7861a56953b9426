/** Content from a CDN: which addresses are read, what is believed, and that the server is asked after each fault. */

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
// Loaded parts take no time that a test would have to wait for.
import "../src/copies.js";
import { createLivery, type LiveryOptions } from "../src/index.js";
import { FakeBrowser, FakePlatform } from "./fake-platform.js";

const CDN = "https://cdn.test/prj_test/abc";
const base = {
  projectId: "prj_test",
  key: "lvp_test",
  baseUrl: "https://livery.test",
  language: "en",
  contentUrl: CDN,
};

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

class HashingPlatform extends FakePlatform {
  readonly digest = async (bytes: Uint8Array) => sha256(bytes);
}

function content(release: number, title: string, rest: object = {}): string {
  const head = { projectId: "prj_test", version: `e1.${release}`, release, language: "en", languages: ["en", "de"] };
  return JSON.stringify({ ...head, texts: { home: { title } }, colors: {}, images: {}, stores: {}, ...rest });
}

function pointer(body: string, rest: object = {}): string {
  const { version, release, language, projectId } = JSON.parse(body);
  const name = {
    format: 1,
    projectId,
    version,
    release,
    language,
    content: `../releases/${version}-9c41/en-5d0f.json`,
  };
  return JSON.stringify({ ...name, sha256: sha256(body), sizeBytes: Buffer.byteLength(body), ...rest });
}

function setUp(options: Partial<LiveryOptions> = {}, platform: FakePlatform = new HashingPlatform(0.5)) {
  const client = createLivery({ ...base, ...options }, platform);
  return { client, platform, title: () => client.t("home.title") };
}

const paths = (platform: FakePlatform) =>
  platform.requests.filter(({ kind }) => kind === "content").map(({ path }) => path);

const SERVER = "/sdk/v1/prj_test/content";
const POINTER = "/prj_test/abc/en.json";
const COPY = "/prj_test/releases/e1.3-9c41/en-5d0f.json";

async function serve(platform: FakePlatform, ...texts: string[]): Promise<void> {
  for (const text of texts) platform.serve({ status: 200, text });
  await platform.advance(0);
}

async function hear(platform: FakePlatform, event: string, data: object): Promise<void> {
  if (platform.waitsForStream) platform.answerStream();
  platform.streams.at(-1)?.push(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  await platform.advance(0);
}

test("the first content comes from the CDN without the key, and the stream confirms it", async () => {
  const { client, platform, title } = setUp();
  let isLatest = false;
  void client.waitForLatest().then((latest) => (isLatest = latest));
  const body = content(3, "Copy");

  await serve(platform, pointer(body), body);

  expect(title()).toBe("Copy");
  expect(paths(platform)).toEqual([POINTER, COPY]);
  expect(platform.requests.slice(0, 2).map(({ headers }) => headers)).toEqual([{}, {}]);
  expect(isLatest).toBe(false);
  await hear(platform, "hello", { version: "e1.3" });
  expect(isLatest).toBe(true);
  expect(platform.warnings).toEqual([]);
});

test("a language that the CDN does not have is read in its parent, then in the default language", async () => {
  const { platform, title } = setUp({ language: "de-AT" });
  const body = content(3, "Default");

  platform.serve({ status: 404 });
  platform.serve({ status: 403 });
  await serve(platform, pointer(body), body);

  expect(title()).toBe("Default");
  expect(paths(platform).slice(0, 3)).toEqual(["de-at", "de", "_default"].map((name) => `/prj_test/abc/${name}.json`));
});

const right = content(3, "Copy");
const forged = content(3, "Forged");
const strange = content(3, "Strange", { projectId: "prj_other" });
test.each([
  ["a pointer answers 500", [{ status: 500 }]],
  ["no pointer is there", [{ status: 404 }, { status: 404 }]],
  ["a pointer is a page", [{ status: 200, text: "<html>" }]],
  ["a pointer is of a newer format", [{ status: 200, text: pointer(right, { format: 2 }) }]],
  ["a pointer is of another project", [{ status: 200, text: pointer(strange) }]],
  ["a pointer leads elsewhere", [{ status: 200, text: pointer(right, { content: "../releases/../../evil/x.json" }) }]],
  ["a pointer leads to another host", [{ status: 200, text: pointer(right, { content: "//evil.test/x.json" }) }]],
  ["the content is absent", [{ status: 200, text: pointer(right) }, { status: 404 }]],
  [
    "the content is cut off",
    [
      { status: 200, text: pointer(right) },
      { status: 200, text: right.slice(0, -9) },
    ],
  ],
  [
    "the content is forged",
    [
      { status: 200, text: pointer(right) },
      { status: 200, text: forged },
    ],
  ],
  [
    "the content is of another release",
    [
      { status: 200, text: pointer(right, { version: "e1.4" }) },
      { status: 200, text: right },
    ],
  ],
])("the server is asked at once, and from then on, where %s", async (_fault, answers) => {
  const { platform, title } = setUp({ connection: "once" });
  for (const answer of answers) platform.serve(answer);

  await serve(platform, content(4, "Server"));

  expect(title()).toBe("Server");
  expect(paths(platform).filter((path) => path === SERVER)).toHaveLength(1);
  expect(platform.warnings).toHaveLength(1);
  expect(platform.warnings[0]).toContain("since the CDN failed");
});

test("a CDN that does not answer for three seconds delays the first content by as much", async () => {
  const { platform, title } = setUp({ connection: "once" });
  await platform.advance(2_999);
  expect(paths(platform)).toEqual([POINTER]);

  await platform.advance(1);
  await serve(platform, content(3, "Server"));

  expect(title()).toBe("Server");
});

test("content that is on the device already is not read again, and a different epoch is the server's to judge", async () => {
  const browser = new FakeBrowser();
  const first = setUp({}, new HashingPlatform(0.5, browser));
  await serve(first.platform, pointer(right), right);
  first.client.close();

  const same = setUp({}, new HashingPlatform(0.5, browser));
  await serve(same.platform, pointer(right));
  expect(paths(same.platform)).toEqual([POINTER]);
  expect(same.title()).toBe("Copy");
  same.client.close();

  const foreign = setUp({}, new HashingPlatform(0.5, browser));
  await serve(foreign.platform, pointer(right, { version: "e2.1" }), content(1, "Server", { version: "e2.1" }));
  expect(paths(foreign.platform)).toEqual([POINTER, SERVER]);
  expect(foreign.title()).toBe("Server");
});

test("a release that the stream names is read from the server while the CDN has an older release", async () => {
  const { platform, title } = setUp();
  await serve(platform, pointer(right), right);
  await hear(platform, "hello", { version: "e1.3" });

  await hear(platform, "release", { version: "e1.4", refetch: true, spreadMs: 0 });
  await serve(platform, pointer(right), content(4, "Server"));

  expect(title()).toBe("Server");
  expect(paths(platform).slice(2)).toEqual([POINTER, SERVER]);
});

test("a release that the stream names is read from the CDN once it is there", async () => {
  const { platform, title } = setUp();
  await serve(platform, pointer(right), right);
  await hear(platform, "hello", { version: "e1.3" });
  const next = content(4, "Next");

  await hear(platform, "release", { version: "e1.4", refetch: true, spreadMs: 0 });
  await serve(platform, pointer(next), next);

  expect(title()).toBe("Next");
  expect(paths(platform)).not.toContain(SERVER);
});

test("a draft is read from the server alone, and so is everything where the platform has no hash", async () => {
  const draft = setUp({ preview: "prv_1" });
  const plain = setUp({}, new FakePlatform(0.5));
  for (const { platform, title } of [draft, plain]) {
    await serve(platform, content(3, "Server"));
    expect(title()).toBe("Server");
    expect(paths(platform)).toEqual([SERVER]);
  }
});
