/** A draft with three changes, and the button that opens their review. */

import { screen } from "@testing-library/react";
import type { KeyChange } from "@/lib/diff";
import { aDiff, PROJECT_ID } from "./fixtures";

export const DIFF = `/api/projects/${PROJECT_ID}/diff`;

export const PUBLISH = `/api/translations/${PROJECT_ID}/publish`;

export const MARA = "usr_mara";

export const at = "2026-11-20T10:00:00Z";

/** A change of one German text, by Mara. */
export const change = (key: string, old: string, next: string): KeyChange => ({
  ref: `text:key_${key}`,
  byId: MARA,
  needs: [],
  tie: null,
  key,
  change: old === "" ? "added" : next === "" ? "removed" : "changed",
  by: "Mara Lindt",
  at,
  values: [{ language: "de", old, new: next, ref: `text:key_${key}/de`, byId: MARA, needs: [], tie: null, by: null }],
});

export const diff = aDiff({
  total: 3,
  screens: [
    {
      screen: "home",
      place: "screen/home",
      ref: null,
      change: "changed",
      total: 2,
      keys: [change("cta_book", "Jetzt buchen", "Jetzt reservieren"), change("farewell", "", "Bis bald")],
    },
  ],
  colors: [
    {
      ref: "color:primary",
      byId: MARA,
      needs: [],
      tie: null,
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
  people: [{ id: MARA, name: "Mara Lindt", total: 3 }],
});

export const publishButton = () => screen.findByRole("button", { name: /^Publish Changes/ });
