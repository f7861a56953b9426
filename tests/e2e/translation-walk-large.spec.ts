/** A writer's afternoon at a screen of 400 keys, of which eleven lack German. */
import { test } from "./support/server.js";
import { spendAfternoon } from "./support/translation-walk.js";

test.use({ freshServer: "translation-walk-large" });

test("a writer fills, translates, fixes, undoes and publishes a screen of 400 keys", { tag: "@deep" }, async ({
  page,
  server,
  greeting,
}) => {
  const missing = [7, 41, 42, 99, 130, 177, 203, 264, 310, 388, 399];
  await spendAfternoon({ page, server, greeting }, { keys: 400, missing });
});
