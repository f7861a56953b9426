/** Renders the page as a server does, with Svelte's code for servers, before the tests that hydrate it in a browser's document. */

import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    markup: string;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const server = await createServer({
    root,
    server: { middlewareMode: true, hmr: false, ws: false },
    logLevel: "error",
  });
  try {
    const { render } = await server.ssrLoadModule("/tests/page-on-server.ts");
    project.provide("markup", render());
  } finally {
    await server.close();
  }
}
