/** A store of three places, the versions of one of them, and the table of items. */

import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { Answer, Project } from "@/lib/api-types";
import { anItem, PROJECT_ID } from "./fixtures";
import { answer, server } from "./server";

export type Item = Answer<"/api/stores/items/{itemId}", "get">[number];

export type ItemVersion = Item["publishedVersions"][number];

export type ItemVersionDiff = Answer<"/api/stores/items/{itemId}/versions/{versionId}", "get">;

export type Store = Answer<"/api/stores/{projectId}", "get">[number];

export const STORE = `/api/stores/${PROJECT_ID}/destinations`;

export const ITEMS = "/api/stores/items/sto_1";

export const lofoten = anItem({
  title: { en: "Lofoten", de: "Die Lofoten" },
  price: 1290.5,
  open: true,
  from: "2026-05-14",
  story: { en: "<h2>Light</h2><p>Go <strong>north</strong> &amp; stay.</p>" },
  photo: `/media/${PROJECT_ID}/lofoten`,
});

export const oslo = anItem({ title: { en: "Oslo" }, price: 90, open: false }, { _id: "itm_2", state: "new" });

export const bergen = anItem({ title: { en: "bergen" } }, { _id: "itm_3", state: "changed" });

export const rows = async () =>
  within(await screen.findByRole("table"))
    .getAllByRole("row")
    .slice(1);

export const cells = (row: HTMLElement | undefined) =>
  within(row as HTMLElement)
    .getAllByRole("cell")
    .map((cell) => cell.lastElementChild?.textContent);

export const firstCells = async () => (await rows()).map((row) => cells(row)[0]);

export const history: Partial<Project> = { hasHistory: true, activeTier: "pro", tierName: "Pro Tier" };

export const versions: Item["publishedVersions"] = [
  aVersion(3, { release: 6, restored: 4 }),
  aVersion(2, { release: 5, kind: "draft" }),
  aVersion(1, { release: 2, by: "Ada Lovelace" }),
];

export type Changes = ItemVersionDiff["apps"];

export const none: Changes = { total: 0, values: [] };

export function aVersion(number: number, has: Partial<ItemVersion>): ItemVersion {
  const timestamp = `2026-11-${17 + number}T10:00:00Z`;
  const made = { by: "Grace Hopper", kind: "release" as const, release: number, restored: null };
  return { _id: `ver_${number}`, versionNumber: number, timestamp, ...made, ...has };
}

/** A version, compared with the draft and with the content of apps. */
export const compared = (number: number, has: Partial<ItemVersionDiff>) =>
  answer("get", `/api/stores/items/itm_1/versions/ver_${number}`, {
    version: versions.find(({ versionNumber }) => versionNumber === number),
    revision: 1,
    publishes: false,
    apps: none,
    overwritten: none,
    ...none,
    ...has,
  });

/** Opens the versions of Lofoten. The first one differs from the draft and from the content of apps. */
export async function showVersions(user: UserEvent, item: Item) {
  const changes: Changes = {
    total: 2,
    values: [
      { field: "title", type: "String", language: "en", old: "Lofoten", new: "Lofoten of old" },
      { field: "price", type: "Number", language: null, old: 1290.5, new: null },
    ],
  };
  server.use(compared(1, { revision: item.revision, publishes: true, apps: changes, ...changes }));
  await user.click(await screen.findByRole("button", { name: "Version History: “Lofoten”" }));
  return within(await screen.findByRole("dialog", { name: "Version History" }));
}
