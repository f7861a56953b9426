/** A person without a mouse: everything is reached with Tab, and what has the focus can be seen to have it. */
import { expect, type Locator, type Page } from "@playwright/test";

type Role = Parameters<Page["getByRole"]>[0];

/** More than any page of ours has. */
const STEPS = 60;

export class Keyboard {
  constructor(readonly page: Page) {}

  /** The element of this role and name, shown and in reach of a screen reader. */
  at(role: Role, name: string | RegExp): Locator {
    return this.page.getByRole(role, typeof name === "string" ? { name, exact: true } : { name });
  }

  /** Expects the focus here without a key being pressed: a page or dialog put it there. */
  async expectAt(role: Role, name: string | RegExp): Promise<void> {
    await expect(this.at(role, name)).toBeFocused();
    await expectVisibleFocus(this.page, `${role} ${name}`);
  }

  /** Expects the focus inside an element of this role. A menu that has just opened takes it a moment later, and Tab before that leaves the menu. */
  async expectIn(role: Role): Promise<void> {
    await expect(this.page.getByRole(role).locator(":focus")).toBeVisible();
  }

  /** Presses Tab until this element has the focus; it must look so at every step. */
  async tabTo(role: Role, name: string | RegExp, { backwards = false } = {}): Promise<void> {
    const target = this.at(role, name);
    await target.waitFor();
    for (let step = 0; step < STEPS; step += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press(backwards ? "Shift+Tab" : "Tab");
      await expectVisibleFocus(this.page, `on the way to ${role} ${name}`);
    }
    throw new Error(`${STEPS} times Tab do not lead to ${role} ${name}`);
  }

  /** Goes there and presses Enter, as on a link or a button. */
  async enter(role: Role, name: string | RegExp, options?: { backwards?: boolean }): Promise<void> {
    await this.tabTo(role, name, options);
    await this.page.keyboard.press("Enter");
  }

  /** Goes to a text field and puts `text` in the place of what it holds. */
  async write(name: string | RegExp, text: string, options?: { backwards?: boolean }): Promise<void> {
    await this.tabTo("textbox", name, options);
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.type(text);
  }

  /** The focus is on something, and not on the page as a whole: the next key goes where the person left off. */
  async expectNotLost(where: string): Promise<void> {
    await expect
      .poll(() => this.page.evaluate(() => document.activeElement !== document.body), { message: where })
      .toBe(true);
  }
}

/**
 * Expects that an element with the focus is drawn differently than without. The element, the label or card around it, or what is drawn for it
 * has an outline, shadow or border of its own. The page as a whole and a region to read have no such mark, and need no mark.
 */
async function expectVisibleFocus(page: Page, where: string): Promise<void> {
  const problem = () =>
    page.evaluate(() => {
      const focused = document.activeElement;
      if (!(focused instanceof HTMLElement) || focused === document.body || focused.tabIndex === -1) return null;
      const drawn: [Element, string?][] = [[focused], [focused, "::before"], [focused, "::after"]];
      const around = focused.closest(":is(label, [class*=wrapper])");
      if (around !== null) drawn.push([around]);
      const isRinged = drawn.some(([element, pseudo]) => {
        const style = getComputedStyle(element, pseudo);
        const isOutlined = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0;
        return isOutlined || style.boxShadow !== "none";
      });
      const box = focused.getBoundingClientRect();
      const isInView = box.bottom > 0 && box.right > 0 && box.top < window.innerHeight && box.left < window.innerWidth;
      return isRinged && isInView
        ? null
        : `${isRinged ? "out of view" : "not to be seen"}: ${focused.outerHTML.slice(0, 300)}`;
    });
  // A drawer may still be sliding in.
  await expect.poll(problem, { message: where, intervals: [0, 50, 100] }).toBeNull();
}
