/** The ways in which the dashboard moves the focus. */
import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";

const MODAL = '[aria-modal="true"]';

export const isDialogOpen = (): boolean => document.querySelector(MODAL) !== null;

/** Whether no element has the focus. The element that had it is gone, or nothing had it yet. */
export const isFocusLost = (): boolean => document.activeElement === document.body;

/** Puts the focus on an element, and leaves the page where it is. */
export function focusInPlace(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true });
}

/** Puts the focus on the first element of a place that the selector matches. Returns the element. */
export function focusIn(place: Element | null | undefined, selector: string): HTMLElement | undefined {
  const found = place?.querySelector<HTMLElement>(selector) ?? undefined;
  found?.focus();
  return found;
}

/** Puts the focus on the first field of the form around an element that goes. */
export function focusFormOf(going: Element): void {
  const fields = going.closest("form")?.querySelectorAll<HTMLElement>("input, textarea") ?? [];
  [...fields].find((field) => field.tabIndex >= 0 && !field.matches(":disabled"))?.focus();
}

/** Puts the focus on the grid's cell around an element that goes. */
export function focusCellOf(going: Element): void {
  going.closest<HTMLElement>("[role=gridcell]")?.focus();
}

/** Puts the focus on the page, from an element that goes. */
export function focusPage(): void {
  focusInPlace(document.querySelector("main"));
}

/** As `focusPage`, but an open dialog keeps the focus. */
export function focusPageBesideDialogs(): void {
  if (!isDialogOpen()) focusPage();
}

/**
 * Puts the focus on the page when no element has it, or on the dialog that is open. The element that had it is gone.
 * The next key must not start at the window's top, nor behind an open dialog.
 */
export function focusPageIfLost(): void {
  if (!isFocusLost()) return;
  const dialog = [...document.querySelectorAll<HTMLElement>(MODAL)].at(-1);
  if (dialog === undefined) focusPage();
  else focusInPlace(dialog);
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
    if (isFocusLost()) window.setTimeout(focusPageIfLost, RETURNED_MS);
  }, RETURNED_MS);
}

/**
 * Puts the focus on the page after each change of page. Exceptions: the page chose a place itself, or the link that
 * opened it is still there.
 */
export function usePageFocus(): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the address asks again.
  useEffect(() => {
    // Later than what the page itself does with the focus.
    const timer = setTimeout(focusPageIfLost);
    return () => clearTimeout(timer);
  }, [pathname]);
}

/**
 * The ref of what takes the focus in a dialog that may have opened before it was there. Later than the dialog notes where
 * the focus was: it goes back there.
 */
export function useLateFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => {
    const timer = setTimeout(() => focusInPlace(element.current));
    return () => clearTimeout(timer);
  }, []);
  return element;
}

/** The ref of the button that opened a form in its place. It takes the focus when the form closes. */
export function useFocusAfter(isEditing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return button;
}
