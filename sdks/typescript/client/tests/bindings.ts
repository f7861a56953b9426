/** What the tests of the bindings for React, Vue and Svelte share: a client with a bundle, and releases that arrive. */

import { createLivery, type LiveryClient, type LiveryContent, type LiveryOptions } from "@livery/client";
import { FakePlatform } from "./fake-platform.js";

export const first: LiveryContent = {
  projectId: "prj_test",
  version: "e1.1",
  release: 1,
  language: "en",
  languages: ["en", "ar"],
  texts: { home: { title: "Hello {name}", other: "Other" } },
  colors: { primary: "#010101" },
  images: { logo: { url: "/logo", width: 1, height: 1 } },
  stores: {},
};

export const newer: LiveryContent = {
  ...first,
  version: "e1.2",
  release: 2,
  texts: { home: { title: "Newer {name}", other: "New" } },
};

export interface Connected {
  readonly client: LiveryClient;
  readonly platform: FakePlatform;
}

/** A client that shows `first` from its bundle and asks for the release. */
export function setUp(options: Partial<LiveryOptions> = {}): Connected {
  const platform = new FakePlatform(0.5);
  const all = { projectId: "prj_test", key: "lvp_test", baseUrl: "https://livery.test", language: "en" };
  return { platform, client: createLivery({ ...all, fallback: first, ...options }, platform) };
}

/** The server answers with `content`, and the stream begins. */
export async function goLive({ platform }: Connected, content: LiveryContent = first): Promise<void> {
  await platform.advance(0);
  platform.serve({ status: 200, text: JSON.stringify(content) });
  await platform.advance(0);
  platform.answerStream();
  platform.streams[0]?.push(new TextEncoder().encode('event: hello\ndata: {"version":"e1.1"}\n\n'));
  await platform.advance(0);
}

/** Release `from + 1` arrives on the stream. */
export async function release({ platform }: Connected, from: number, patch: object, passing = 0): Promise<void> {
  const data = { from: `e1.${from}`, version: `e1.${from + 1}`, patch };
  platform.streams[0]?.push(new TextEncoder().encode(`event: release\ndata: ${JSON.stringify(data)}\n\n`));
  await platform.advance(passing);
}

/** The server answers with an item of the store `products`. */
export async function serveProduct({ platform }: Connected, version: string, hash: string, title: string) {
  const text = JSON.stringify({ version, hash, language: "en", items: [{ _id: "a", title }] });
  platform.serve({ status: 200, text }, "store");
  await platform.advance(0);
}
