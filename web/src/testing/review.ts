/** A draft with three changes, and the button that opens their review. */

import { screen } from "@testing-library/react";
import { aDiff, PROJECT_ID } from "./fixtures";

export const DIFF = `/api/projects/${PROJECT_ID}/diff`;

export const PUBLISH = `/api/translations/${PROJECT_ID}/publish`;

export const at = "2026-11-20T10:00:00Z";

export const change = (key: string, old: string, next: string) => ({
  key,
  change: old === "" ? ("added" as const) : next === "" ? ("removed" as const) : ("changed" as const),
  by: "Mara Lindt",
  at,
  values: [{ language: "de", old, new: next }],
});

export const diff = aDiff({
  total: 3,
  screens: [
    {
      screen: "home",
      change: "changed",
      total: 2,
      keys: [change("cta_book", "Jetzt buchen", "Jetzt reservieren"), change("farewell", "", "Bis bald")],
    },
  ],
  colors: [
    {
      key: "primary",
      change: "changed",
      by: "Mara Lindt",
      at,
      old: "#0b5d5e",
      new: "#c8371c",
      oldNickname: "Sea",
      newNickname: "Vermilion",
    },
  ],
});

export const publishButton = () => screen.findByRole("button", { name: /^Publish Changes/ });
