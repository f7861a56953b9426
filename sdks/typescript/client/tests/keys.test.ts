/** Typed keys by augmentation: in a program of their own, because an augmentation holds for all files of a program. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

function compile(line: string): string {
  const folder = mkdtempSync(join(tmpdir(), "livery-keys-"));
  try {
    const source = `
      import { createLivery, type TextKeys } from "@livery/client";
      const bundled = { texts: { home: { title: "Hi" } }, colors: { primary: "#010203" } };
      declare module "@livery/client" {
        interface LiveryKeys {
          texts: TextKeys<typeof bundled>;
          colors: keyof typeof bundled.colors;
          stores: { products: { title?: string; price?: number } };
        }
      }
      const livery = createLivery({ projectId: "p", key: "k", baseUrl: "", fallback: bundled });
      ${line}`;
    writeFileSync(join(folder, "app.mts"), source);
    const compilerOptions = { types: [], paths: { "@livery/client": [join(root, "src/index.ts")] } };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["app.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    return spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("known keys compile and unknown keys do not", { timeout: 60_000 }, () => {
  expect(compile(`livery.t("home.title"); livery.color("primary"); livery.image("any");`)).toBe("");
  expect(compile(`livery.t("home.titel");`)).toContain("home.titel");
  expect(compile(`livery.color("primry");`)).toContain("primry");
});

test("items have the fields that were named", { timeout: 60_000 }, () => {
  const read = "const items = await livery.store('products').items(); const first = items[0];";
  expect(compile(`${read} first?.price?.toFixed(2); first?._id.length;`)).toBe("");
  expect(compile("for await (const item of livery.store('products').items()) item.title?.trim();")).toBe("");
  expect(compile(`${read} first?.prize;`)).toContain("prize");
  expect(compile("livery.store('produkts');")).toContain("produkts");
});
