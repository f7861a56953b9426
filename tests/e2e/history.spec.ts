/** A lead looks at what two people did to a screen, brings an older version back into the draft, and takes that back. Apps keep what they have. */
import { Desk } from "./support/desk.js";
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";

const WRITER = { name: "Ines Duarte", email: "ines@aurora.example", password: "nine grey herons" };
const RIGHT_TO_LEFT = "اكتشف الرحلات <b>الآن</b>";
const LONG = `Go on${" and on".repeat(60)}`;

test.use({ freshServer: "history" });

test("a lead compares a screen with its history, rolls back and undoes it", async ({ page, server, greeting }) => {
  const lead = await Desk.ofOwner(server, greeting);
  await lead.settleDemo();
  const writer = await lead.haveEditor(WRITER);
  const home = `/translations/${lead.projectId}/home`;
  const send = (desk: Desk, key: string, en: string) => desk.done("PUT", `${home}/${key}`, { key, values: { en } });
  await send(writer, "cta_explore", "See the trips");
  await lead.done("POST", `/translations/${lead.projectId}/publish`);
  await send(lead, "trips_title", RIGHT_TO_LEFT);
  await send(lead, "cta_explore", LONG);
  const drafted = async () => {
    const { keys } = (await lead.done("GET", home)) as { keys: { key: string; values: Record<string, string> }[] };
    return ["cta_explore", "trips_title"].map((key) => keys.find((one) => one.key === key)?.values["en"]);
  };
  await lead.signIn(page);
  await page.goto(`${server.url}/projects/${lead.projectId}/home`);

  await page.getByRole("button", { name: "History" }).click();
  const panel = page.getByRole("dialog", { name: /^History of/ });
  await panel.getByText("Version 2", { exact: true }).click();
  await panel.getByRole("button", { name: "What it changed" }).click();
  await expect(panel.getByText("Ines Duarte")).toBeVisible();
  await picture(page, "screen-history-what-it-changed");
  await panel.getByText("Version 1", { exact: true }).click();
  await panel.getByRole("button", { name: "If you roll back" }).click();
  await expect(panel.getByText("Rolling back changes 2 keys of the draft.")).toBeVisible();
  await expect(panel.getByText(RIGHT_TO_LEFT)).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 768, 375]) {
      await page.setViewportSize({ width, height: 900 });
      await picture(page, `screen-history-${width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 900 });

  await panel.getByRole("button", { name: "Roll back", exact: true }).click();
  await page
    .getByRole("dialog", { name: /^Roll back to version 1/ })
    .getByRole("button", { name: "Roll back" })
    .click();
  await expect(page.getByText("Rolled back to version 1: 2 keys changed.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText(RIGHT_TO_LEFT)).toHaveCount(0);
  expect(await drafted()).toEqual(["Explore trips", "Picked for this season"]);
  await picture(page, "screen-history-rolled-back");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(drafted).toEqual([LONG, RIGHT_TO_LEFT]);
});
