/** What the package accepts, gives and refuses. `npm run typecheck` compiles this file, and nothing runs it. */

import type { LiveryClient } from "@livery/client";
import i18next, { type i18n } from "i18next";
import { expectTypeOf } from "vitest";
import type * as exports from "../src/index.js";
import { type LiveryI18next, type LiveryI18nextOptions, livery } from "../src/index.js";

declare const client: LiveryClient;
const access = { projectId: "prj_1", key: "lvp_1", baseUrl: "" };

// A new value needs its tests below.
expectTypeOf<keyof typeof exports>().toEqualTypeOf<"livery">();

expectTypeOf(i18next.use(livery(access))).toEqualTypeOf<i18n>();
expectTypeOf(livery(access)).toEqualTypeOf<LiveryI18next>();
expectTypeOf(livery({ client, screen: "app" }).client).toEqualTypeOf<LiveryClient | undefined>();
expectTypeOf(livery(access).close()).toBeVoid();
expectTypeOf(livery).parameter(0).toEqualTypeOf<LiveryI18nextOptions>();
livery({ ...access, fallback: { texts: {} }, mode: "manual", screen: undefined });
// @ts-expect-error: without an address
livery({ projectId: "prj_1", key: "lvp_1" });
// @ts-expect-error: the language is i18next's
livery({ ...access, language: "de" });
// @ts-expect-error: a screen is a name
livery({ client, screen: 1 });
// @ts-expect-error: the client belongs to the plugin
livery(access).client = client;
