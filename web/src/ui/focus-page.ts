/** Puts the focus on the page, from what goes. */
export function focusPage(): void {
  document.querySelector("main")?.focus({ preventScroll: true });
}

/** Puts the focus on the page when nothing has it: what had it is gone, and the next key must not start at the window's top. */
export function focusPageIfLost(): void {
  if (document.activeElement === document.body) focusPage();
}
