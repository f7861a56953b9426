/**
 * The hooks where an app has named its keys. The names hold for all files of a program, so this folder is a program of its own.
 * `npm run typecheck` compiles it, and nothing runs it.
 */

import type { TextKeys, TextParam } from "@livery/client";
import { expectTypeOf } from "vitest";
import { useColor, useImage, useStore, useT, useText } from "../../src/index.js";

interface Bundle {
  texts: { home: { title: string; greeting: string } };
  colors: { primary: string };
}

declare module "@livery/client" {
  interface LiveryKeys {
    texts: TextKeys<Bundle>;
    params: { "home.greeting": { name: TextParam; count: number } };
    colors: keyof Bundle["colors"];
    images: "logo";
    stores: { products: { title?: string; price?: number } };
  }
}

export function useNamedKeys() {
  const t = useT();
  expectTypeOf(t("home.title", { name: "Ada" })).toBeString();
  expectTypeOf(useText("home.title")).toBeString();
  expectTypeOf(useColor("primary", "#000000")).toBeString();
  useImage("logo");
  t("home.greeting", { name: "Ada", count: 2, later: "a placeholder of a coming release" });
  useText("home.greeting", { name: "Ada", count: 2 }, "Hello");

  const [first] = useStore("products") ?? [];
  expectTypeOf(first?._id).toEqualTypeOf<string | undefined>();
  expectTypeOf(first?.title).toEqualTypeOf<string | undefined>();
  expectTypeOf(first?.price).toEqualTypeOf<number | undefined>();

  // @ts-expect-error: the screen has no such key
  t("home.titel");
  // @ts-expect-error: the text needs parameters
  t("home.greeting");
  // @ts-expect-error: the text needs two parameters
  useText("home.greeting", { name: "Ada" });
  // @ts-expect-error: the number of a plural is a number
  t("home.greeting", { name: "Ada", count: "2" });
  // @ts-expect-error: there is no such screen
  useText("hom.title");
  // @ts-expect-error: there is no such colour
  useColor("primry");
  // @ts-expect-error: there is no such image
  useImage("lgo");
  // @ts-expect-error: there is no such store
  useStore("produkts");
  // @ts-expect-error: the store has no such field
  first?.prize;
}
