/** The import rule: app → features → ui → lib → api.gen, and a feature never imports another. */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";

const root = `${process.cwd()}/src/`;
const layers = ["app", "features", "ui", "lib", "api.gen"] as const;

function layerOf(file: string): number {
  return layers.findIndex((layer) => file === layer || file === `${layer}.ts` || file.startsWith(`${layer}/`));
}

function featureOf(file: string): string | undefined {
  return file.startsWith("features/") ? file.split("/")[1] : undefined;
}

/** The files a source names, relative to src/; packages are left out. */
export function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].flatMap(([, target = ""]) => {
    if (target.startsWith("@/")) return [target.slice(2)];
    if (target.startsWith(".")) return [posix.normalize(posix.join(posix.dirname(file), target))];
    return [];
  });
}

export function violations(file: string, source: string): string[] {
  const own = layerOf(file);
  return importsOf(file, source).flatMap((target) => {
    const other = layerOf(target);
    if (own === -1 || other === -1) return own === -1 ? [] : [`${file} imports ${target}, which is in no layer`];
    if (other < own) return [`${file} imports upwards: ${target}`];
    const [from, to] = [featureOf(file), featureOf(target)];
    return from !== undefined && to !== undefined && from !== to ? [`${file} imports another feature: ${target}`] : [];
  });
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const files = readdirSync(root, { encoding: "utf8", recursive: true })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\.tsx?$/.test(file) && !isTest(file) && !file.startsWith("testing/"));

test("every file imports only from its own layer or below, and no feature imports another", () => {
  expect(files.length).toBeGreaterThan(20);

  const found = files.flatMap((file) => violations(file, readFileSync(root + file, "utf8")));

  expect(found).toEqual([]);
});

test("only lib/time and lib/instant format dates, so that every date looks alike", () => {
  const formatting = /Intl\.DateTimeFormat|toLocale(Date|Time)String|(date|time)Style:/;

  const found = files.filter((file) => formatting.test(readFileSync(root + file, "utf8")));

  expect(found.sort()).toEqual(["lib/instant.ts", "lib/time.ts"]);
});

test("only lib/query makes keys of queries and marks queries as old; live changes ask its table", () => {
  const making = /queryKey: \[|\.(invalidate|remove|cancel|reset)Queries\(/;

  const found = files.filter((file) => making.test(readFileSync(root + file, "utf8")));

  expect(found.sort()).toEqual(["lib/live-changes.ts", "lib/query.ts"]);
});

test("only ui/focus asks whether the focus is lost and moves it without scrolling; lib/clipboard can't import it", () => {
  const moving = /activeElement [!=]== document\.body|focus\(\{ preventScroll: true/;

  const found = files.filter((file) => moving.test(readFileSync(root + file, "utf8")));

  expect(found.sort()).toEqual(["lib/clipboard.ts", "ui/focus.ts"]);
});

test("the check sees an upward import, a neighbour feature, and a lazy import", () => {
  expect(violations("lib/a.ts", 'import { b } from "@/ui/b";')).toHaveLength(1);
  expect(violations("features/a/x.tsx", 'import { b } from "../b/y";')).toHaveLength(1);
  expect(violations("ui/a.tsx", 'const b = () => import("@/features/b/y");')).toHaveLength(1);
  expect(violations("features/a/x.tsx", 'import { b } from "@/ui/b";')).toHaveLength(0);
});

test("icons come from ui/icons, which names each icon's own file, not from the package's index", () => {
  const index = /from "@tabler\/icons-react"/;
  const all = readdirSync(root, { encoding: "utf8", recursive: true }).filter((file) => /(?<!\.d)\.tsx?$/.test(file));

  const users = all.filter((file) => index.test(readFileSync(root + file, "utf8")));

  expect(users.filter((file) => !file.endsWith("imports.test.ts"))).toEqual([]);
  expect(readFileSync(`${root}ui/icons.ts`, "utf8")).toMatch(/icons-react\/dist\/esm\/icons\//);
});
