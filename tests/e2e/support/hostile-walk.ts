/**
 * Texts that try to be code stay texts, whichever field they were written in. This holds on every page of the dashboard, in its dialogs and in
 * the running app.
 */
import type { BrowserContext, Locator, Page } from "@playwright/test";
import { Desk } from "./desk.js";
import { LANGUAGES, type Texts, Watch } from "./hostile.js";
import {
  each,
  fillColorsAndImages,
  fillMembers,
  fillStores,
  fillTexts,
  imageForm,
  rewrite,
  tryWhatIsRefused,
} from "./hostile-project.js";
import { publish } from "./publish.js";
import { expect, type LiveryServer, ownerIn, test } from "./server.js";

/** Shows every row of a list that draws only what is in view. */
async function scrollThrough(page: Page): Promise<void> {
  const height = await page.evaluate(() => {
    const boxes = [document.scrollingElement, ...document.querySelectorAll("*")];
    return Math.max(...boxes.map((box) => box?.scrollHeight ?? 0));
  });
  await page.mouse.move(800, 500);
  for (let top = 0; top < height; top += 700) {
    await page.mouse.wheel(0, 700);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
}

async function currentOf(desk: Desk): Promise<number> {
  return Number((await desk.done("GET", `/projects/${desk.projectId}`))["release"]);
}

async function imageOf(desk: Desk, key: string): Promise<string> {
  const images = (await desk.done("GET", `/images/${desk.projectId}`)) as unknown as { _id: string; key: string }[];
  return images.find((image) => image.key === key)?._id ?? "";
}

/** Opens every section that is folded, and draws every line of it. */
async function unfold(part: Locator): Promise<void> {
  const folded = part.locator('button[aria-expanded="false"]:not([aria-haspopup])');
  const more = part.getByRole("button", { name: /^Show [\d,]+ more$/ });
  for (const button of [folded, more]) {
    while ((await button.count()) > 0) await button.first().click();
  }
}

/** What a lead sees of a publish and after it, in a project where every name and every text is hostile. */
class Lead {
  constructor(
    readonly page: Page,
    readonly watch: Watch,
    readonly project: string,
  ) {}

  /** The unfolded review, with old beside new; it is left as it is. */
  async review(by: string): Promise<void> {
    const { page, watch } = this;
    await page.goto(`${this.project}/general`);
    await page.getByRole("button", { name: /^Publish Changes/ }).click();
    const review = page.getByRole("dialog", { name: "Publish Changes" });
    await review.getByText(by).first().waitFor();
    await unfold(review);
    for (const part of ["general", "Colours", "Data Store"])
      await expect(review.getByRole("region", { name: part }).first()).toBeVisible();
    await watch.look(page, "the unfolded review");
    await this.close();
  }

  /** A release, compared with the release before and with the draft. */
  async release(number: number): Promise<void> {
    const { page, watch } = this;
    await page.goto(`${this.project}/releases?release=${number}`);
    const release = page.getByRole("article", { name: `Release ${number}`, exact: true });
    for (const [against, said] of [
      ["previous", /It made|The first release/],
      ["draft", /Since release|The draft is as/],
    ] as const) {
      await release.getByLabel("Compare with").selectOption(against);
      await release.getByText(said).waitFor();
      await unfold(release);
      await watch.look(page, `release ${number} beside ${against}`);
    }
  }

  async restore(number: number): Promise<void> {
    const { page, watch } = this;
    await page.goto(`${this.project}/releases?release=${number}`);
    await page.getByRole("button", { name: "Restore this release" }).click();
    const question = page.getByRole("dialog", { name: `Restore release ${number}?` });
    await question.getByText("What changes for apps").waitFor();
    await unfold(question);
    await watch.look(page, "the question before a restore");
    await question.getByRole("button", { name: `Restore release ${number}` }).click();
    await expect(page.getByRole("button", { name: "Undo" })).toBeVisible({ timeout: 30_000 });
    await watch.look(page, "what came of the restore");
  }

  /** The schedule of a colleague: while it is pending, the question before it is cancelled, and afterwards. */
  async schedule(by: string): Promise<void> {
    const { page, watch } = this;
    await page.goto(`${this.project}/general`);
    await page
      .getByRole("button", { name: /^Publishes / })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "Manage Scheduled Publishes" });
    await expect(dialog.getByRole("region", { name: "Waiting" })).toContainText(by);
    await watch.look(page, "what is scheduled");
    await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Cancel this scheduled publish?" });
    await question.waitFor();
    await watch.look(page, "the question before a cancel");
    await question.getByRole("button", { name: "Cancel publish" }).click();
    await expect(dialog.getByRole("region", { name: "Earlier" })).toContainText(`Scheduled by ${by}.`);
    await watch.look(page, "what was scheduled");
    await this.close();
  }

  /** Preview links for apps at such addresses; the last one stays in the field the next time. */
  async preview(addresses: readonly string[]): Promise<void> {
    const { page, watch } = this;
    const open = () => page.getByRole("button", { name: "Preview draft" }).click();
    const dialog = page.getByRole("dialog", { name: "Preview draft" });
    await open();
    for (const address of addresses) {
      await dialog.getByLabel("Your app's address").fill(address);
      await dialog.getByRole("button", { name: /^Make a (new )?link$/ }).click();
      const answer = dialog.getByRole("region", { name: "Preview link" });
      await answer.or(dialog.getByText("Enter the address of your app")).waitFor();
      await watch.look(page, `a preview at ${address}`);
    }
    await this.close();
    await open();
    await expect(dialog.getByLabel("Your app's address")).toHaveValue(/^https:/);
    await watch.look(page, "the address that is remembered");
    await this.close();
  }

  /** The key of an image that apps ask for, and which items show the image, asked before it is deleted. */
  async uses(key: string): Promise<void> {
    const { page, watch } = this;
    await page.goto(`${this.project}/images`);
    await page.getByRole("button", { name: `Edit ${key}` }).click();
    await page.getByRole("button", { name: "Rename…" }).click();
    await page.getByRole("dialog").getByLabel("Image Key").waitFor();
    await watch.look(page, "a new key for an image");
    await this.close();
    await page.getByRole("button", { name: `Delete ${key}` }).click();
    const question = page.getByRole("dialog", { name: "Delete image" });
    await question.getByText(/this image, and would show no image/).waitFor();
    await watch.look(page, "the deletion of an image");
    await this.close();
  }

  async close(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await expect(this.page.getByRole("dialog")).toHaveCount(0);
  }
}

/** What is no text is refused, with the field named. */
export async function expectRefusals(server: LiveryServer, greeting: string, texts: Texts): Promise<void> {
  const desk = await Desk.ofOwner(server, greeting);
  const destinations = await desk.done("GET", `/stores/${desk.projectId}/destinations`);
  await tryWhatIsRefused(desk, texts, String(destinations["_id"]));
}

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly server: LiveryServer;
  readonly greeting: string;
}

/** No text of a person runs anywhere: each is written into every field, and every page is looked at. */
export async function visitEveryPage({ context, page, server, greeting }: Visit, texts: Texts): Promise<void> {
  const { email, password } = ownerIn(greeting);
  const desk = await Desk.of(server, email, password);
  const { projectId } = desk;
  const project = `${server.url}/projects/${projectId}`;
  const watch = new Watch(context, server.url);
  await watch.begin();
  const name = texts.namesOf(100)[0] ?? "";
  const destinations = await desk.done("GET", `/stores/${projectId}/destinations`);
  const storeId = String(destinations["_id"]);

  const { storesOfFields, colleagues } = await test.step("every field is filled", async () => {
    await desk.done("PUT", "/user/me", { name });
    await fillTexts(desk, texts);
    await fillColorsAndImages(desk, texts);
    const made = await fillStores(desk, texts, storeId);
    const joined = await fillMembers(desk, texts);
    const names = texts.namesOf(100).filter((_, position) => position % 3 === 0);
    await each(names, (text) => desk.done("POST", "/projects", { name: text, description: text }));
    await desk.done("PUT", `/projects/${projectId}`, {
      name: texts.xss[0],
      description: texts.xss.join("\n").slice(0, 2_000),
    });
    return { storesOfFields: made, colleagues: joined };
  });

  const see = async (address: string, shown: string, { scroll = true } = {}) => {
    await page.goto(address);
    await page.getByText(shown).first().waitFor();
    if (scroll) await scrollThrough(page);
    await watch.look(page, address);
  };
  const lead = new Lead(page, watch, project);
  const close = () => lead.close();

  await test.step("the pages around the projects", async () => {
    await page.goto(`${server.url}/login`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await expect(page.getByRole("heading", { level: 2, name: `Welcome, ${name}` })).toBeVisible();
    const activity = page.getByRole("listitem").filter({ hasText: name });
    await activity.first().waitFor();
    await watch.look(page, "the activity");
    await see(`${server.url}/projects`, texts.namesOf(100)[0] ?? "");
    await see(`${server.url}/settings`, name);
  });

  await test.step("the texts", async () => {
    for (const screen of ["general", "home", "checkout"]) {
      await page.goto(`${project}/${screen}`);
      for (const language of LANGUAGES.slice(1)) {
        await page.getByRole("combobox", { name: "Second language" }).selectOption(language);
        await page.getByRole("gridcell").first().waitFor();
        await scrollThrough(page);
        await watch.look(page, `${screen} in ${language}`);
      }
    }
    await page.getByRole("button", { name: "Search all screens" }).click();
    for (const wanted of ["<script", "hit=1", "javascript:"]) {
      await page.getByRole("combobox", { name: "Search keys and texts" }).fill(wanted);
      await expect(page.getByRole("listbox", { name: "Results" })).toContainText(wanted);
      await watch.look(page, `the search for ${wanted}`);
    }
  });

  await test.step("the publish", async () => {
    await page.goto(`${project}/general`);
    await page.getByRole("button", { name: /^Publish Changes/ }).click();
    const review = page.getByRole("dialog", { name: "Publish Changes" });
    await review.getByText("hostile_0").first().waitFor();
    await watch.look(page, "the review");
    await publish(page);
    await page.getByRole("button", { name: "History" }).click();
    await page.getByText("Version 1", { exact: true }).click();
    await page.getByRole("dialog").getByText("hostile_0").first().waitFor();
    await watch.look(page, "the history of texts");
  });

  await test.step("colours and images", async () => {
    await see(`${project}/colors`, "hostile_0");
    await page.getByRole("button", { name: "Edit hostile_0" }).click();
    await page.getByRole("button", { name: "History" }).click();
    await page.getByText("Version 1", { exact: true }).click();
    await page.getByRole("dialog").getByText("hostile_0").first().waitFor();
    await watch.look(page, "the history of colours");
    await see(`${project}/images`, "javascript.alert-1");
    await page.getByRole("button", { name: "Edit prototype" }).click();
    await page.getByRole("dialog").waitFor();
    await watch.look(page, "an image");
  });

  await test.step("data stores", async () => {
    await see(`${project}/stores`, "hostile_0");
    await page.getByRole("button", { name: `Delete ${name}`, exact: true }).click();
    await page.getByRole("dialog").waitFor();
    await watch.look(page, "the deletion of a store");
    for (const identifier of storesOfFields) {
      await see(`${project}/stores/${identifier}`, identifier, { scroll: false });
      await page
        .getByRole("button", { name: /^Edit: / })
        .first()
        .click();
      await page.getByRole("dialog", { name: "Edit Item" }).waitFor();
      await watch.look(page, `an item of ${identifier}`);
      await close();
      await page.getByRole("button", { name: "Edit fields" }).click();
      await page.getByRole("dialog", { name: "Edit Data Store" }).waitFor();
      await watch.look(page, `the fields of ${identifier}`);
    }
    await see(`${project}/stores/destinations`, "Lofoten, Norway");
    for (const language of LANGUAGES) {
      await page.getByRole("combobox", { name: /language/i }).selectOption(language);
      await scrollThrough(page);
      await watch.look(page, `the items in ${language}`);
    }
    for (const number of [6, 12]) {
      await page
        .getByRole("button", { name: /^Edit: / })
        .nth(number)
        .click();
      for (const language of ["German", "Arabic", "Japanese", "English"]) {
        await page.getByRole("tab", { name: new RegExp(language) }).click();
        await watch.look(page, `item ${number} in ${language}`);
      }
      await close();
    }
    // Not scrolled: in a scrolled list, the first row that is drawn is above the visible part, and moves when it is scrolled to.
    await see(`${project}/stores/destinations`, "Lofoten, Norway", { scroll: false });
    await page
      .getByRole("button", { name: /^Version History: / })
      .first()
      .click();
    await page.getByRole("dialog", { name: "Version History" }).getByText(name).first().waitFor();
    await watch.look(page, "the history of an item");
  });

  await test.step("the settings of the project", async () => {
    await see(`${project}/settings`, texts.colleagues[1]);
    await page.getByRole("button", { name: "Connect your app" }).first().click();
    await page.getByRole("dialog").waitFor();
    await watch.look(page, "how an app is connected");
  });

  await test.step("the running app", async () => {
    for (const language of LANGUAGES) {
      await page.goto(`${server.url}/storefront/`);
      await page.locator('[data-status="live"]').waitFor();
      await page.getByRole("combobox").selectOption(language);
      const [{ [language]: text = "" } = {}] = texts.quartets;
      await expect(page.locator(".departure h3", { hasText: text }).first()).toBeAttached();
      await watch.look(page, `the app in ${language}`);
    }
    await page.goto(`${server.url}/storefront/#/checkout/kyoto`);
    await page.getByRole("textbox").waitFor();
    await watch.look(page, "the app's checkout");
  });

  const [first, second] = colleagues;
  if (first === undefined || second === undefined) throw new Error("nobody joined");

  await test.step("the review of what a colleague changed", async () => {
    await rewrite(first, texts, storeId);
    await desk.done(
      "PUT",
      `/images/${projectId}/${await imageOf(desk, "onerror")}`,
      imageForm("onerror", { width: 9 }),
    );
    await lead.review(texts.colleagues[0]);
  });

  await test.step("the releases", async () => {
    const former = await currentOf(desk);
    await first.done("POST", `/translations/${projectId}/publish`);
    const current = await currentOf(desk);
    expect(current).toBe(former + 1);
    await page.goto(`${project}/releases`);
    const list = page.getByRole("navigation", { name: "Releases, newest first" });
    await expect(list.getByRole("link", { name: new RegExp(`^Release ${current}\\b`) })).toContainText(
      texts.colleagues[0],
    );
    await watch.look(page, "the list of releases");
    await lead.release(current);
    await lead.release(former);
    await lead.release(former - 1);
    await second.done("PUT", `/translations/${projectId}/general/hostile_0`, {
      key: "hostile_0",
      values: texts.quartets[3],
    });
    await lead.restore(former - 1);
  });

  await test.step("the schedule of a colleague", async () => {
    const publishAtString = new Date(Date.now() + 172_800_000).toISOString();
    await second.done("POST", `/schedule/project/${projectId}`, { publishAtString });
    await lead.schedule(texts.colleagues[1]);
  });

  await test.step("previews", async () => {
    const inside = texts.xss.filter((text) => /script|onerror/.test(text) && !/\s/.test(text)).slice(0, 3);
    await lead.preview([
      ...[
        "javascript:window.__hit=1",
        "javascript://%0awindow.__hit=1",
        "data:text/html,<script>parent.__hit=1</script>",
      ],
      ...inside.flatMap((text) => [text, `https://canary.invalid/?q=${text}`, `https://canary.invalid/#${text}`]),
    ]);
    await each(texts.all, async (appUrl) => {
      const { status, body } = await desk.send("POST", `/projects/${projectId}/preview-links`, { appUrl });
      expect([201, 409, 422], appUrl).toContain(status);
      if (status === 201) expect(String(body["url"])).toMatch(/^https?:\/\//);
    });
  });

  await test.step("the uses of an image", () => lead.uses("prototype"));

  await test.step("the activity of colleagues", async () => {
    // Only the newest is shown.
    await second.done("POST", `/translations/${projectId}/general`, {
      key: "by_a_colleague",
      values: texts.quartets[5],
    });
    await page.goto(`${server.url}/dashboard`);
    await page.getByRole("listitem").filter({ hasText: texts.colleagues[1] }).first().waitFor();
    await watch.look(page, "the activity of colleagues");
  });
  await watch.end(page);
}
