// Starts the app: paint first, then ask the server which project this is, then keep the app's files for offline reloads.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { Session } from "./session";
import "./styles/base.css";
import "./styles/home.css";
import "./styles/departures.css";
import "./styles/checkout.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html lost its #root");

const session = new Session();
createRoot(root).render(
  <StrictMode>
    <App session={session} />
  </StrictMode>,
);
void session.followServer();

// Colours glide when someone changes them, not while the page puts itself up.
requestAnimationFrame(() =>
  requestAnimationFrame(() => {
    document.documentElement.dataset.painted = "";
  }),
);

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("./sw.js", { scope: "./" }).catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: only a developer can mend it, and looks there
    console.warn("Aurora works, but a reload without network will not:", error);
  });
}
