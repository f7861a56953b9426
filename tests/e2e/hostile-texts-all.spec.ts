/** The walk of hostile texts, with every text of the list. */
import { Texts } from "./support/hostile.js";
import { expectRefusals, visitEveryPage } from "./support/hostile-walk.js";
import { expect, test } from "./support/server.js";

// All that is written here would fill a trace, and the limits of calls are tried elsewhere.
test.use({
  freshServer: "hostile-texts-all",
  settings: { LIVERY_RATE_LIMITS: "off" },
  trace: "off",
  actionTimeout: 60_000,
});
test.setTimeout(600_000);

const texts = Texts.oneOf(1);

test("what is no text is refused, of every hostile text", { tag: "@deep" }, async ({ server, greeting }) => {
  expect([texts.xss.length >= 150, texts.css.length >= 60]).toEqual([true, true]);
  await expectRefusals(server, greeting, texts);
});

test("no text of a person runs anywhere, of every hostile text", { tag: "@deep" }, async ({
  context,
  page,
  server,
  greeting,
}) => {
  await visitEveryPage({ context, page, server, greeting }, texts);
});
