import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const sources = import.meta.glob<string>("/src/**/*.tsx", { query: "?raw", import: "default", eager: true });
const styles = dirname(createRequire(import.meta.url).resolve("@mantine/core/styles/Button.layer.css"));
const loaded = readFileSync(join(import.meta.dirname, "mantine.css"), "utf8");

test("every component of Mantine that the dashboard draws has its styles", () => {
  const imports = Object.values(sources).flatMap((source) => [
    ...source.matchAll(/import \{([^}]+)\} from "@mantine\/core"/g),
  ]);
  const names = imports.flatMap(([, list = ""]) => list.split(",")).map((name) => name.trim().replace(/^type .*/, ""));
  const drawn = [...new Set(names)].filter((name) => name !== "" && existsSync(join(styles, `${name}.layer.css`)));

  expect(drawn).toContain("Modal");
  expect(drawn.filter((name) => !loaded.includes(`/${name}.layer.css`))).toEqual([]);
});
