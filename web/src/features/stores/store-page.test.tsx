import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import { anItem, aProject, aStore, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

type Item = Answer<"/api/stores/items/{itemId}", "get">[number];

type ItemVersion = Item["publishedVersions"][number];

type ItemVersionDiff = Answer<"/api/stores/items/{itemId}/versions/{versionId}", "get">;

type Store = Answer<"/api/stores/{projectId}", "get">[number];

const ID = "prj_k7m2xq4tz8ha3b5c";

const STORE = `/api/stores/${ID}/destinations`;

const ITEMS = "/api/stores/items/sto_1";

const PAGE = `/projects/${ID}/stores/destinations`;

const lofoten = anItem({
  title: { en: "Lofoten", de: "Die Lofoten" },
  price: 1290.5,
  open: true,
  from: "2026-05-14",
  story: { en: "<h2>Light</h2><p>Go <strong>north</strong> &amp; stay.</p>" },
  photo: `/media/${ID}/lofoten`,
});

const oslo = anItem({ title: { en: "Oslo" }, price: 90, open: false }, { _id: "itm_2", state: "new" });

const bergen = anItem({ title: { en: "bergen" } }, { _id: "itm_3", state: "changed" });

async function openStore(
  items: Item[] = [lofoten, oslo, bergen],
  project: Partial<Project> = {},
  store: Store = aStore(),
) {
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/projects/${ID}`, aProject(project)),
    answer("get", STORE, store),
    answer("get", ITEMS, items),
  );
  const opened = openSignedIn(PAGE);
  await screen.findByRole("heading", { name: store.name }, { timeout: 15_000 });
  return opened;
}

const rows = async () =>
  within(await screen.findByRole("table"))
    .getAllByRole("row")
    .slice(1);

const cells = (row: HTMLElement | undefined) =>
  within(row as HTMLElement)
    .getAllByRole("cell")
    .map((cell) => cell.lastElementChild?.textContent);

const firstCells = async () => (await rows()).map((row) => cells(row)[0]);

test("the table has a column per field, and values as text", async () => {
  await openStore();

  const table = within(await screen.findByRole("table", { name: "Items of Destinations" }));
  expect(table.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([
    "title",
    "price",
    "open",
    "from",
    "story",
    "photo",
    "State",
    "Actions",
  ]);
  const [first, second, third] = await rows();
  expect(cells(first).slice(0, 7)).toEqual([
    "Lofoten",
    "1,290.5",
    "Yes",
    "May 14, 2026",
    "Light Go north & stay.",
    "lofoten",
    "Published",
  ]);
  expect((first as HTMLElement).querySelector("img")).toHaveAttribute("src", `/media/${ID}/lofoten?w=64`);
  expect(cells(second).slice(0, 7)).toEqual(["Oslo", "90", "No", "–", "–", "–", "New"]);
  expect(cells(third)[6]).toBe("Changed");
  expect(screen.getByRole("link", { name: "Back to Data Stores" })).toHaveAttribute("href", `/projects/${ID}/stores`);
});

test("deleting an item asks first", async () => {
  const { user } = await openStore();
  server.use(answer("delete", "/api/stores/items/itm_1", { message: "Item deleted." }));

  await user.click(await screen.findByRole("button", { name: "Delete: “Lofoten”" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete “Lofoten”?" }));
  expect(dialog.getByText(/Apps keep it until you publish\./)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Delete item" }));

  expect(await screen.findByText("Item deleted successfully.")).toBeInTheDocument();
  await waitFor(async () => expect(await firstCells()).toEqual(["Oslo", "bergen"]));
});

const history: Partial<Project> = { hasHistory: true, activeTier: "pro", tierName: "Pro Tier" };

const versions: Item["publishedVersions"] = [
  aVersion(3, { release: 6, restored: 4 }),
  aVersion(2, { release: 5, kind: "draft" }),
  aVersion(1, { release: 2, by: "Ada Lovelace" }),
];

type Changes = ItemVersionDiff["apps"];

const none: Changes = { total: 0, values: [] };

function aVersion(number: number, has: Partial<ItemVersion>): ItemVersion {
  const timestamp = `2026-11-${17 + number}T10:00:00Z`;
  const made = { by: "Grace Hopper", kind: "release" as const, release: number, restored: null };
  return { _id: `ver_${number}`, versionNumber: number, timestamp, ...made, ...has };
}

/** A version beside the draft and beside what apps have. */
const compared = (number: number, has: Partial<ItemVersionDiff>) =>
  answer("get", `/api/stores/items/itm_1/versions/ver_${number}`, {
    version: versions.find(({ versionNumber }) => versionNumber === number),
    revision: 1,
    publishes: false,
    apps: none,
    overwritten: none,
    ...none,
    ...has,
  });

async function openVersions(item: Item, project: Partial<Project> = history) {
  const { user } = await openStore([item], project);
  const changes: Changes = {
    total: 2,
    values: [
      { field: "title", type: "String", language: "en", old: "Lofoten", new: "Lofoten of old" },
      { field: "price", type: "Number", language: null, old: 1290.5, new: null },
    ],
  };
  server.use(compared(1, { revision: item.revision, publishes: true, apps: changes, ...changes }));
  await user.click(await screen.findByRole("button", { name: "Version History: “Lofoten”" }));
  return { user, dialog: within(await screen.findByRole("dialog", { name: "Version History" })) };
}

test("rolling back is confirmed, publishes, and reloads the items", async () => {
  let calls = 0;
  const { user, dialog } = await openVersions({ ...lofoten, publishedVersions: versions });
  const rows = dialog.getAllByRole("listitem");
  expect(rows[0]).toHaveTextContent(/^Version 3 Live nowNov 20, 2026/);
  expect(within(rows[0] as HTMLElement).queryByRole("button")).not.toBeInTheDocument();
  expect(rows[2]).toHaveTextContent(/^Version 1 Nov 18, 2026.*Ada Lovelace/);
  const back = anItem({ title: { en: "Lofoten of old" } }, { revision: 2 });
  server.use(
    answer("post", "/api/stores/items/itm_1/rollback/ver_1", {
      message: "Item rolled back and project published successfully!",
      published: true,
      item: back,
    }),
    answer("get", ITEMS, [back], {
      onCall: () => {
        calls += 1;
      },
    }),
  );

  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const confirm = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));
  expect(
    confirm.getByText("Rolling back overwrites the current draft with version 1 and re-publishes the project."),
  ).toBeVisible();
  expect(await confirm.findByRole("region", { name: "What changes for apps" })).toHaveTextContent(
    /^title enLofotenLofoten of oldprice1,290\.5$/,
  );
  expect(confirm.queryByRole("region", { name: /draft/ })).not.toBeInTheDocument();
  // It answers the question and leaves the list below it.
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Confirm Rollback" })).not.toBeInTheDocument());
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const again = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));
  await user.click(again.getByRole("button", { name: "Rollback" }));

  expect(await screen.findByText("Item rolled back and project published successfully!")).toBeInTheDocument();
  await waitFor(async () => expect(await firstCells()).toEqual(["Lofoten of old"]));
  expect(calls).toBe(1);
});
