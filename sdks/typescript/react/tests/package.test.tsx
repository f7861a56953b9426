// @vitest-environment node
/** What the built package looks like from outside. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("every file of the package begins with the directive for client components", { timeout: 60_000 }, () => {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const folder = mkdtempSync(join(tmpdir(), "livery-react-"));
  try {
    const options = [
      "-p",
      join(root, "tsconfig.build.json"),
      "--outDir",
      folder,
      "--noCheck",
      "--declaration",
      "false",
    ];
    spawnSync(process.execPath, [compiler, ...options]);
    for (const file of ["index.js", "hooks.js", "provider.js", "rich-text.js", "intl.js"])
      expect(readFileSync(join(folder, file), "utf8")).toMatch(/^"use client";\n/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
