/** A clean browser before every test: the files of a worker share one set of modules and one page, so nothing may stay behind. */
import "./act";
import "@testing-library/jest-dom/vitest";
import { onlineManager } from "@tanstack/react-query";
import { cleanup, fireEvent } from "@testing-library/react";
import toast from "react-hot-toast";
import { afterAll, afterEach, expect, vi } from "vitest";
import { endCalls, endTimers, takeUnanswered } from "./page";
import { server } from "./server";

const realTimeout = globalThis.setTimeout;
const start = new URL("/", window.location.href).href;

afterEach(async () => {
  // In this order: a test may spy on the timers of its own clock.
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // Toasts stay as long as the pointer is over them, also over those of the next test.
  for (const toaster of document.querySelectorAll("[data-rht-toaster]")) fireEvent.mouseLeave(toaster);
  cleanup();
  endCalls();
  // Code that waits for an answer notices that no answer comes.
  await new Promise((resolve) => realTimeout(resolve));
  endTimers();
  server.resetHandlers();
  server.events.removeAllListeners();
  toast.remove();
  onlineManager.setOnline(true);
  window.localStorage.clear();
  window.sessionStorage.clear();
  for (const cookie of document.cookie.split("; ")) {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom lacks the Cookie Store API.
    document.cookie = `${cookie.split("=")[0]}=; Path=/; Max-Age=0`;
  }
  // Only where there is something to undo: after a new address jsdom searches the page for a <base> again.
  if (window.location.href !== start || window.history.state !== null) window.history.replaceState(null, "", "/");
  document.title = "";
  document.body.replaceChildren();
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  }
  expect(takeUnanswered(), "calls without an answer").toEqual([]);
  expect(globalThis.setTimeout, "the timers after a test").toBe(realTimeout);
});

// Vitest loads nothing between two files. An import that fails there would fail for every later file of the worker.
afterAll(() => vi.dynamicImportSettled());
