import { expect, test } from "vitest";
import { type Conventions, readSource } from "../src/reading.js";

const I18NEXT: Conventions = { usual: "i18next", namespace: "translation" };
const LIVERY: Conventions = { usual: "livery", namespace: "translation" };

function read(source: string, conventions = LIVERY, file = "app.tsx") {
  return readSource(file, source, conventions);
}

const keys = (source: string, conventions = LIVERY, file = "app.tsx") =>
  read(source, conventions, file).map((one) => one.key ?? `${one.prefix}*`);

test("the t of useT reads texts with default, parameters and line", () => {
  const source = `import { useT } from "@livery/react";
    export function Page() {
      const say = useT();
      return <p>{say("home.title", "Home")}{say("home.hello", { name }, "Hello")}{say("bye", {}, { default: "Bye" })}</p>;
    }`;

  expect(read(source)).toEqual([
    { key: "home.title", name: "home.title", file: "app.tsx", line: 4, fallback: "Home", params: [] },
    { key: "home.hello", name: "home.hello", file: "app.tsx", line: 4, fallback: "Hello", params: ["name"] },
    { key: "general.bye", name: "bye", file: "app.tsx", line: 4, fallback: "Bye", params: [] },
  ]);
});

test("clients, useText and renamed names are found", () => {
  const source = `import { createLivery, useText as text } from "@livery/react";
    const client = createLivery({});
    client.t("a.one"); livery.t("a.two"); text("a.three"); useLivery().t("a.four"); this.$t("a.five");
    const { t: say } = client; say("a.six");
    const t2 = client.t; t2("a.seven");
    other.t("a.none"); say2("a.none"); client.color("a.none");`;

  expect(keys(source)).toEqual(["a.one", "a.two", "a.three", "a.four", "a.five", "a.six", "a.seven"]);
});

test("names of i18next become keys by the rule of names", () => {
  const source = `import { useTranslation } from "react-i18next"; import i18n from "i18next";
    const { t } = useTranslation();
    t("cart.items-left", { count, defaultValue: "Left" }); t("Welcome back!"); t("common:save"); i18n.t("settings.title");
    t("save", { ns: "common" });
    function Inner() { const { t } = useTranslation("shop", { keyPrefix: "list" }); return t("empty"); }
    t("outer");`;

  expect(keys(source, I18NEXT)).toEqual([
    "cart.items_left",
    "general.Welcome_back_",
    "common.save",
    "settings_.title",
    "common.save",
    "shop.list_empty",
    "general.outer",
  ]);
  expect(read(source, I18NEXT)[0]).toMatchObject({ fallback: "Left", params: ["count"] });
});

test("a name means what the nearest declaration makes of it", () => {
  const source = `const [t] = useTranslation("shop"); t("a.one");
    const format = (t: TFunction) => t("a.two");
    function Inner() { const t = getTranslations(); return t("a.three"); }
    const say = getFixedT("en", "shop"); say("a.four");
    function Other() { const say = speak(); say("a.none"); }
    function Given(say) { say("a.none"); }
    const i18n = createInstance(); i18n.t("a.five");`;

  expect(keys(source, I18NEXT)).toEqual(["shop.a_one", "a.two", "a.three", "shop.a_four", "a.five"]);
});

test("a Trans has the key, the default and the parameters of its element", () => {
  const source = `import { Trans } from "react-i18next";
    <Trans i18nKey="home.hello" values={{ name }} defaults="Hello {{name}}" />;
    <Trans i18nKey="home.inbox" count={n}>You have <b>{{ unread }}</b></Trans>;
    <Trans i18nKey="home.spread" {...props} />;
    <Trans i18nKey="home.plain" ns="shop">
      Plain text
    </Trans>;`;

  expect(read(source, I18NEXT).map(({ key, fallback, params }) => [key, fallback, params])).toEqual([
    ["home.hello", "Hello {name}", ["name"]],
    ["home.inbox", "You have <1>{unread}</1>", ["count", "unread"]],
    ["home.spread", undefined, undefined],
    ["shop.home_plain", "Plain text", []],
  ]);
});

test("a T of @livery/react has the key, the fallback and the parameters of its element", () => {
  const source = `import { T, T as Rich } from "@livery/react";
    <T id="home.terms" components={{ link: <a /> }} params={{ shop, who: <b /> }} fallback="Read <link>this</link>" />;
    <Rich id="home.spread" {...props} />;
    <T id={\`home.\${name}\`} />;`;

  const uses = read(source);

  expect(uses.map(({ key, fallback, params, prefix }) => [key ?? prefix, fallback, params])).toEqual([
    ["home.terms", "Read <link>this</link>", ["shop", "who"]],
    ["home.spread", undefined, undefined],
    ["home.", undefined, []],
  ]);
  expect(read('import { T } from "./types"; <T id="home.terms" />')).toEqual([]);
});

test("the default of a Trans is the text that react-i18next makes of its children", () => {
  const source = `import { Trans } from "react-i18next";
    <Trans i18nKey="a.link">Questions? <a href="#help">Write to <b>us</b></a>.</Trans>;
    <Trans i18nKey="a.kept">One<br/>two <strong>three</strong> <strong id="x">four</strong></Trans>;
    <Trans i18nKey="a.lines">
      First {"quoted"} {/* a comment */}
      second {{ price, format: "number" }}
      <img src="a.png" />
    </Trans>;
    <Trans i18nKey="a.computed">Hello {name}</Trans>;
    <Trans i18nKey="a.empty" />;`;

  expect(read(source, I18NEXT).map(({ fallback }) => fallback)).toEqual([
    "Questions? <1>Write to <1>us</1></1>.",
    "One<br/>two <strong>three</strong> <5>four</5>",
    "First quoted second {{price, number}}<5></5>",
    undefined,
    undefined,
  ]);
});

test("computed names have the beginning that the code shows", () => {
  const source = `const t = useT();
    t(\`errors.\${code}\`); t("errors." + code); t(isNew ? "home.new" : "home.old"); t(name); t(["a.x", "a.y"]);`;

  expect(keys(source)).toEqual(["errors.*", "errors.*", "home.new", "home.old", "*", "a.x", "a.y"]);
});

test("a context reads the key with every ending", () => {
  const [use] = read(`t("friend", { context: "male" })`, I18NEXT);

  expect(use).toMatchObject({ key: "general.friend", prefix: "general.friend_", params: [] });
});

test("expressions inside TypeScript's own syntax are read", () => {
  const source = `const t: LiveryReader["t"] = useT<Keys>();
    enum Label { A = t("a.enum") } namespace Inner { export const x = t("a.namespace") as string; }
    class Page { private title: string = t!("a.field"); constructor(private name = t("a.parameter")) {} }
    const y = <T,>(z: T = t("a.default") satisfies string) => z; export default t("a.export");`;

  expect(keys(source, LIVERY, "app.ts").sort()).toEqual([
    "a.default",
    "a.enum",
    "a.export",
    "a.field",
    "a.namespace",
    "a.parameter",
  ]);
});

test("parameters that the code computes are unknown", () => {
  expect(read("const t = useT(); t('a.b', values); t('a.c', { ...values });").map((one) => one.params)).toEqual([
    undefined,
    undefined,
  ]);
});

test("scripts and markup of Vue, Svelte and HTML are read", () => {
  const vue = `<template>\n  <p data-livery="home.lead">{{ $t("home.title") }}</p>\n</template>
<script setup lang="ts">\nconst { t } = useI18n();\nt("home.script" as string);\n</script>`;

  expect(read(vue, I18NEXT, "app.vue").map((one) => [one.key, one.line])).toEqual([
    ["home.script", 6],
    ["home.lead", 2],
    ["home.title", 2],
  ]);
  expect(keys(`<script>let x = 1;</script><h1>{$t('home.title')}</h1>`, I18NEXT, "app.svelte")).toEqual(["home.title"]);
});

test("default texts of i18next have the placeholders of Livery", () => {
  const code = `const { t } = useTranslation(); t("a.b", "Hi {{ who }}, {{price, number}}, {{- raw}}, {own}");`;

  expect(read(code, I18NEXT).map((one) => one.fallback)).toEqual(["Hi {who}, {{price, number}}, {{- raw}}, {own}"]);
  expect(read(`const t = useT(); t("a.b", "Hi {{who}}");`).map((one) => one.fallback)).toEqual(["Hi {{who}}"]);
});

test("marks of a page are read, in markup and in JSX", () => {
  const element = `<input data-livery="a.b" data-livery-placeholder="a.c" data-livery-params='{"d": "a.e"}' data-liverypool="a.f" />`;

  expect(keys(element, undefined, "page.html")).toEqual(["a.b", "a.c"]);
  expect(keys(`const x = ${element};`)).toEqual(["a.b", "a.c"]);
});

test("comments, other words and broken files give no uses", () => {
  expect(keys(`// t("a.comment")\nconst s = 't("a.text")'; import("x"); format("a.b");`)).toEqual([]);
  expect(() => read("const t = useT(; t('a.b'")).not.toThrow();
});
