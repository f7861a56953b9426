/** Puts the focus on the page, from what goes. */
export function focusPage(): void {
  document.querySelector("main")?.focus({ preventScroll: true });
}

/**
 * Puts the focus on the page when no element has it, or on the dialog that is open. The element that had it is gone.
 * The next key must not start at the window's top, nor behind an open dialog.
 */
export function focusPageIfLost(): void {
  if (!isLost()) return;
  const dialog = [...document.querySelectorAll<HTMLElement>('[aria-modal="true"]')].at(-1);
  if (dialog === undefined) focusPage();
  else dialog.focus({ preventScroll: true });
}

/** Mantine gives the focus back 10 ms after a dialog closed. */
const RETURNED_MS = 20;

/**
 * As `focusPageIfLost`, after a dialog has faded. The dialog is gone in a moment, and a different dialog may have
 * closed just then.
 */
export function focusPageIfStaysLost(): void {
  window.setTimeout(() => {
    // A dialog that is open by now sees to it when it goes itself.
    if (isLost()) window.setTimeout(focusPageIfLost, RETURNED_MS);
  }, RETURNED_MS);
}

function isLost(): boolean {
  return document.activeElement === document.body;
}
