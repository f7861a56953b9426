/**
 * Texts that try to be code stay texts, whichever field they were written in. This holds on every page of the dashboard, in its dialogs and in
 * the running app.
 */
import { Texts } from "./support/hostile.js";
import { expectRefusals, visitEveryPage } from "./support/hostile-walk.js";
import { expect, test } from "./support/server.js";

// The limits of calls are tried elsewhere.
test.use({ freshServer: "hostile-texts", settings: { LIVERY_RATE_LIMITS: "off" }, actionTimeout: 60_000 });
test.setTimeout(600_000);

/** Some of each class; the whole list is tried by the walk of all. */
const texts = Texts.oneOf(8);

test("what is no text is refused, with the field named", async ({ server, greeting }) => {
  expect([texts.xss.length >= 25, texts.css.length >= 10]).toEqual([true, true]);
  await expectRefusals(server, greeting, texts);
});

test("no text of a person runs anywhere", async ({ context, page, server, greeting }) => {
  await visitEveryPage({ context, page, server, greeting }, texts);
});
