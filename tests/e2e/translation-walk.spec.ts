/** A writer's afternoon at a screen of 120 keys, of which eleven lack German. */
import { test, WITHOUT_PLANS } from "./support/server.js";
import { spendAfternoon } from "./support/translation-walk.js";

test.use({ settings: WITHOUT_PLANS });

test("a writer fills, translates, fixes, undoes and publishes a screen", async ({ page, server, greeting }) => {
  await spendAfternoon(
    { page, server, greeting },
    { keys: 120, missing: [7, 41, 42, 55, 60, 77, 83, 94, 100, 108, 119] },
  );
});
