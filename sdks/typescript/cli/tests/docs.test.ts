/** The commands in the documents exist, with their options. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findFiles } from "../src/files.js";
import { App } from "./app.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const paths = ["README.md", "docs/**/*.md", "sdks/**/README.md", "examples/*/README.md"];

test("each command of a document is a command, and its options are its options", async () => {
  const calls = findFiles(root, paths).flatMap((path) =>
    [
      ...readFileSync(`${root}${path}`, "utf8").matchAll(/npx (?:@livery\/cli|livery-cli) ([a-z]+)((?: [^\n`#|&]+)?)/g),
    ].map(([, command = "", rest = ""]) => ({ path, command, options: rest.match(/--[a-z-]+/g) ?? [] })),
  );
  const app = new App();
  const faults: string[] = [];
  for (const { path, command, options } of calls) {
    const { status, out } = await app.run(command, "--help");
    if (status !== 0) faults.push(`${path}: there is no command ${command}`);
    else for (const one of options) if (!out.includes(one)) faults.push(`${path}: ${command} has no option ${one}`);
  }

  expect(calls.length).toBeGreaterThan(15);
  expect(faults).toEqual([]);
});
