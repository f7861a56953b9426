/**
 * A lead without a mouse leaves a colleague's change out of a publish, discards it and brings it back. Then apps get the release before, and
 * the draft keeps what it has.
 */
import { Desk } from "./support/desk.js";
import { Keyboard } from "./support/keyboard.js";
import { picture } from "./support/pictures.js";
import { expect, test } from "./support/server.js";

const WRITER = { name: "Ines Duarte", email: "ines@aurora.example", password: "nine grey herons" };

test("a lead leaves a change out, discards it, and restores apps alone", async ({ page, server, greeting }) => {
  const lead = await Desk.ofOwner(server, greeting);
  const first = await lead.settleDemo();
  const writer = await lead.haveEditor(WRITER);
  const { projectId } = lead;
  const home = `/translations/${projectId}/home`;
  const send = (desk: Desk, key: string, en: string) => desk.done("PUT", `${home}/${key}`, { key, values: { en } });
  const { publishableKey } = (await lead.done("GET", `/projects/${projectId}`)) as { publishableKey: string };
  const shown = async () => {
    const headers = { Authorization: `Bearer ${publishableKey}` };
    const read = await page.request.get(`${server.url}/sdk/v1/${projectId}/content?lang=en`, { headers });
    const { texts } = (await read.json()) as { texts: { home: Record<string, string> } };
    return [texts.home["cta_explore"], texts.home["trips_title"]];
  };
  const [explore, trips] = await shown();
  await send(lead, "cta_explore", "See the trips");
  await send(writer, "trips_title", "Not ready yet");
  await lead.signIn(page);
  await page.goto(`${server.url}/projects/${projectId}/home`);
  const keyboard = new Keyboard(page);
  const publishing = page.getByRole("button", { name: /^Publish Changes/ });
  const review = page.getByRole("dialog", { name: "Publish Changes" });
  const box = (name: string) => review.getByRole("checkbox", { name, exact: true });

  await test.step("leaves the writer's change out", async () => {
    await publishing.press("Enter");
    await expect(review.getByRole("button", { name: "Publish 2 changes" })).toBeFocused();
    await keyboard.tabTo("checkbox", "Everything, 2 of 2 selected");
    await page.keyboard.press("End");
    await expect(box("Ines Duarte, 1 of 1 selected")).toBeFocused();
    await page.keyboard.press("Space");
    await expect(box("trips_title")).not.toBeChecked();
    await expect(review.getByText("stays in the draft", { exact: true })).toBeVisible();
    await picture(page, "leave-out-review");
    await keyboard.enter("button", "Publish 1 of 2");
    await expect(review).toBeHidden();
    await expect(page.getByText("Changes published successfully! 1 stays in the draft.")).toBeVisible();
    await expect.poll(shown).toEqual(["See the trips", trips]);
  });

  await test.step("discards the writer's change, and brings it back", async () => {
    await publishing.press("Enter");
    await expect(review.getByRole("button", { name: "Publish 1 change" })).toBeFocused();
    await keyboard.tabTo("checkbox", "All changes of home");
    await page.keyboard.press("ArrowDown");
    await expect(box("trips_title")).toBeFocused();
    await keyboard.enter("button", "Discard trips_title");
    await expect(review.getByText("There is nothing new to publish.")).toBeVisible();
    await picture(page, "leave-out-discarded");
    await keyboard.enter("button", "Undo");
    await expect(box("trips_title")).toBeChecked();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("gridcell", { name: "trips_title, English: Not ready yet" })).toBeVisible();
  });

  await test.step("gives apps the former release, and the draft keeps both changes", async () => {
    await page.goto(`${server.url}/projects/${projectId}/releases?release=${first}`);
    await keyboard.enter("button", "Restore this release");
    const question = page.getByRole("dialog", { name: `Restore release ${first}?` });
    await expect(question.getByRole("radio", { name: "Apps", exact: true })).toBeChecked();
    await expect(question).toContainText("The draft then differs from what apps have by 2 changes.");
    await picture(page, "leave-out-restore");
    await keyboard.enter("button", `Restore release ${first}`);
    await expect(page.getByRole("button", { name: /^Publish Changes.*2 changes/ })).toBeVisible();
    await expect.poll(shown).toEqual([explore, trips]);
  });

  await test.step("discards the whole draft", async () => {
    await keyboard.enter("button", "Discard all unpublished changes");
    const question = page.getByRole("dialog", { name: "Discard all unpublished changes?" });
    await expect(question).toContainText("You can undo this right after it.");
    await keyboard.enter("button", "Discard 2 changes");
    await expect(page.getByText("Discarded 2 changes.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Publish Changes", exact: true })).toBeVisible();
    await page.goto(`${server.url}/projects/${projectId}/home`);
    await expect(page.getByRole("gridcell", { name: `trips_title, English: ${trips}` })).toBeVisible();
  });
});
