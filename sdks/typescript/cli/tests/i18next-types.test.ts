/** The types of i18next's own `t`: what compiles with them in an app, and what doesn't. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Content } from "../src/content.js";
import { writeI18nextTypes } from "../src/i18next-types.js";
import { readSource } from "../src/reading.js";

const require = createRequire(
  fileURLToPath(new URL("../../../../examples/i18next-shop/src/main.tsx", import.meta.url)),
);
const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
const HEAD = `import i18next from "i18next"; import { Trans, useTranslation } from "react-i18next";
  export const hooks = () => { void [i18next, Trans, useTranslation]; `;

const content = (language: string, texts: Content["texts"]): Content => ({
  projectId: "prj_test",
  language,
  languages: ["en", "de"],
  texts,
  colors: {},
  images: {},
  stores: {},
});

const CONTENTS = [
  content("en", {
    general: { title: "Welcome" },
    cart: {
      items_left: "{count, plural, one {# item} other {# items}}",
      greeting: "Hello {name}",
      empty: "Nothing yet",
      items: "Items",
    },
    friends: { best_friend: "A friend", best_friend_male: "A boyfriend {name}" },
    checkout: { pay_now: "Pay {amount}" },
  }),
  content("de", { cart: { greeting: "Hallo {name} aus {city}" } }),
];

const RIGHT = [
  `const { t } = useTranslation(); t("title");`,
  `const { t } = useTranslation(); t("cart.items-left", { count: 2 });`,
  `const { t } = useTranslation(); t("cart.greeting", { name: "Ada", city: "Bonn" });`,
  `const { t } = useTranslation(undefined, { keyPrefix: "cart" }); t("empty"); t("items-left", { count: 1 });`,
  `const { t } = useTranslation("checkout"); t("pay.now", { amount: "3 €" });`,
  `const { t } = useTranslation(); t("cart.items"); t("cart.items.left", { count: 3 });`,
  `const { t } = useTranslation(); t("friends.best-friend"); t("friends.best-friend", { context: "male", name: "Al" });`,
  `return <Trans i18nKey="cart.empty">Nothing</Trans>;`,
  `i18next.t("cart.empty").toUpperCase();`,
  `const { t } = useTranslation(); t("cart.new", "A key that extract finds with its default text");`,
];
const WRONG = [
  `const { t } = useTranslation(); t("tittle");`,
  `const { t } = useTranslation(); t("cart.items-left");`,
  `const { t } = useTranslation(); t("cart.items-left", { count: "2" });`,
  `const { t } = useTranslation(); t("cart.greeting", { name: "Ada" });`,
  `const { t } = useTranslation(); t("cart.items-lef", { count: 2 });`,
  `const { t } = useTranslation("checkout"); t("pay.later");`,
  `return <Trans i18nKey="cart.emty">Nothing</Trans>;`,
];

/** The types of an app with these sources: a name is known as the code has it. */
const typesOf = (sources: readonly string[]) => {
  const conventions = { usual: "i18next", namespace: "translation" } as const;
  const uses = sources.flatMap((one, at) => readSource(`${at}.tsx`, `${HEAD}${one} }`, conventions));
  return writeI18nextTypes(CONTENTS, uses, "translation");
};

/** Returns the lines that do not compile. */
function refused(types: string, lines: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "livery-cli-i18next-"));
  try {
    const found = (name: string) => dirname(require.resolve(`${name}/package.json`));
    writeFileSync(join(folder, "i18next.d.ts"), types);
    for (const [number, line] of lines.entries()) writeFileSync(join(folder, `line${number}.tsx`), `${HEAD}${line} };`);
    const config = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        target: "es2022",
        module: "esnext",
        moduleResolution: "bundler",
        jsx: "react-jsx",
        types: [],
        paths: {
          i18next: [found("i18next")],
          "react-i18next": [found("react-i18next")],
          "react/*": [`${dirname(require.resolve("@types/react/package.json"))}/*`],
        },
      },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
    expect(stdout.split("\n").filter((one) => one.includes(": error TS") && !/line\d+\.tsx/.test(one))).toEqual([]);
    return lines.filter((_, number) => stdout.includes(`line${number}.tsx(`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("names of the code compile with all parameters, and wrong names or forgotten parameters do not", () => {
  const lines = [...RIGHT, ...WRONG];

  expect(refused(typesOf(RIGHT), lines)).toEqual(WRONG);
});

test("a key that no code reads has the name of Livery", () => {
  const types = typesOf([RIGHT[0] as string]);

  expect(
    refused(types, [`i18next.t("cart.items_left", { count: 2 });`, `i18next.t("checkout.pay_now", { amount: 3 });`]),
  ).toEqual([]);
});

test("the types change with keys and parameters, and not with texts", () => {
  const again = CONTENTS.map((one) => ({ ...one, texts: { ...one.texts, general: { title: "Hello!" } } }));

  expect(writeI18nextTypes(again.slice(0, 1), [], "translation")).toBe(
    writeI18nextTypes(CONTENTS.slice(0, 1), [], "translation"),
  );
});
