/** Keeps the token of a preview for the tab, and shows a badge that ends it. Loaded only by pages that show a draft. */

import type { LiveryClient } from "./types.js";

const BOX: Partial<CSSStyleDeclaration> = {
  position: "fixed",
  bottom: "max(12px, env(safe-area-inset-bottom))",
  insetInlineStart: "12px",
  zIndex: "2147483647",
  display: "flex",
  alignItems: "center",
  gap: "8px",
  boxSizing: "border-box",
  maxWidth: "calc(100% - 24px)",
  padding: "4px 4px 4px 12px",
  borderRadius: "19px",
  border: "1px solid rgba(255, 255, 255, 0.25)",
  background: "#17171c",
  color: "#ffffff",
  font: "500 13px/20px system-ui, sans-serif",
  letterSpacing: "normal",
  boxShadow: "0 2px 10px rgba(0, 0, 0, 0.3)",
};
const BUTTON: Partial<CSSStyleDeclaration> = {
  all: "revert",
  minWidth: "28px",
  minHeight: "28px",
  padding: "0 10px",
  borderRadius: "999px",
  border: "0",
  background: "#ffffff",
  color: "#17171c",
  font: "600 12px/20px system-ui, sans-serif",
  cursor: "pointer",
};

const PARAMETER = "livery-preview";

/** Keeps `token` for this tab and shows the badge, until `client` shows no draft any more. */
export function startPreview(client: LiveryClient, projectId: string, token: string): void {
  const key = `${PARAMETER}:${projectId}`;
  keep(key, token);
  const remove = showBadge(client);
  const check = () => {
    if (isShowing(client)) return;
    unsubscribe();
    remove();
    if (client.state !== "closed") forget(key);
  };
  const unsubscribe = client.subscribeState(check);
  check();
}

const isShowing = (client: LiveryClient) => client.preview && client.state !== "closed";

/** Where the tab can't keep it, the address goes on doing so. */
function keep(key: string, token: string): void {
  try {
    sessionStorage.setItem(key, token);
    const url = new URL(location.href);
    if (!url.searchParams.has(PARAMETER)) return;
    // Whoever is sent the address of a page is not meant to get the draft with it.
    url.searchParams.delete(PARAMETER);
    history.replaceState(history.state, "", url);
  } catch {
    // A sandboxed frame, a blocked storage.
  }
}

function forget(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/**
 * Shows the badge, outside of what the app has drawn. It never takes the focus. Returns a function that ends it. If
 * nobody ended the preview here and `client` goes on, that function shows a notice, which stays until it is closed.
 * Without the notice, people could take the published content for the draft. The notice also appears when the preview
 * ended before there was a badge.
 */
function showBadge(client: LiveryClient): () => void {
  const box = document.createElement("aside");
  const words = document.createElement("span");
  const button = document.createElement("button");
  let isWanted = true;
  // A page with a strict policy takes styles from scripts, but no style elements.
  Object.assign(box.style, BOX);
  Object.assign(button.style, BUTTON);
  box.setAttribute("role", "status");
  words.textContent = "Draft preview";
  button.type = "button";
  button.textContent = "End";
  button.setAttribute("aria-label", "End the draft preview");
  button.onclick = () => {
    isWanted = false;
    client.endPreview();
  };
  box.append(words, button);
  const show = () => (document.body ?? document.documentElement).append(box);
  if (isShowing(client)) show();
  return () => {
    if (!isWanted || client.state === "closed") return box.remove();
    words.textContent = "The draft preview has ended. This is what is published.";
    button.textContent = "Close";
    button.removeAttribute("aria-label");
    button.onclick = () => box.remove();
    show();
  };
}
