import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aDiff, anItem, aProject, aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";
import {
  bergen,
  cells,
  firstCells,
  history,
  ITEMS,
  type Item,
  lofoten,
  oslo,
  rows,
  STORE,
  type Store,
  showVersions,
  versions,
} from "@/testing/stores";

const PAGE = `/projects/${PROJECT_ID}/stores/destinations`;

async function openStore(
  items: Item[] = [lofoten, oslo, bergen],
  project: Partial<Project> = {},
  store: Store = aStore(),
) {
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", STORE, store),
    answer("get", ITEMS, items),
  );
  const opened = openSignedIn(PAGE);
  await screen.findByRole("heading", { name: store.name }, { timeout: 15_000 });
  return opened;
}

// spec: items-1
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
  expect((first as HTMLElement).querySelector("img")).toHaveAttribute("src", `/media/${PROJECT_ID}/lofoten?w=64`);
  expect(cells(second).slice(0, 7)).toEqual(["Oslo", "90", "No", "–", "–", "–", "New"]);
  expect(cells(third)[6]).toBe("Changed");
  expect(screen.getByRole("link", { name: "Back to Data Stores" })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/stores`,
  );
});

// spec: items-6, items-15
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

async function openVersions(item: Item, project: Partial<Project> = history) {
  const { user } = await openStore([item], project);
  return { user, dialog: await showVersions(user, item) };
}

// spec: items-26, items-28, items-29
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

test("a changed item offers to discard its changes, after a list of what is lost", async () => {
  const calls: unknown[] = [];
  const values = [
    { field: "title", type: "String" as const, language: "en", old: "Lofoten", new: "Lofoten Islands" },
    { field: "price", type: "Number" as const, language: null, old: 1290.5, new: 990 },
  ];
  const at = "2026-11-20T10:00:00Z";
  const stores = [
    {
      store: "destinations",
      place: "store/sto_1",
      name: "Destinations",
      change: "changed" as const,
      total: 1,
      oldName: "Destinations",
      newName: "Destinations",
      fields: [],
      fieldsMoved: false,
      by: null,
      at,
      items: [
        {
          ref: "item:itm_1",
          _id: "itm_1",
          label: "Lofoten Islands",
          change: "changed" as const,
          by: "Ada",
          at,
          values,
        },
      ],
    },
  ];
  const { user } = await openStore([
    anItem({ title: { en: "Lofoten Islands" }, price: 990 }, { state: "changed" }),
    oslo,
  ]);
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff({ total: 1, stores })),
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/discard`,
      { message: "Discarded 1 change.", discarded: 1, keptAt: "2026-11-20T12:00:00.000Z" },
      {
        onCall: (body) => {
          calls.push(body);
          server.use(answer("get", ITEMS, [lofoten, oslo]));
        },
      },
    ),
  );
  await user.click(await screen.findByRole("button", { name: "Discard changes: “Lofoten Islands”" }));

  const dialog = within(await screen.findByRole("dialog", { name: "Discard 1 change?" }));
  expect(dialog.getByText("Lofoten Islands").closest("li")).toHaveTextContent(/price1,290\.5990/);
  expect(calls).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Discard 1 change" }));

  expect(await screen.findByText("Discarded the change of “Lofoten Islands”.")).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: "Edit: “Lofoten”" })).toBeVisible();
  expect(calls).toEqual([{ changes: ["item:itm_1"], expected: "token-1" }]);
});
