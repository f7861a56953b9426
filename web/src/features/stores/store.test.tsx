import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { onSmallScreen } from "@/testing/browser";
import { renderInProject } from "@/testing/component";
import { anItem, aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText } from "@/testing/kept";
import { answer, offline, refusal, server } from "@/testing/server";
import {
  aVersion,
  bergen,
  type Changes,
  cells,
  compared,
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
import { enter } from "@/testing/typing";
import { StorePage } from "./store-page";

const renderStore = (project: Partial<Project> = {}) =>
  renderInProject(<StorePage />, project, { at: "stores/destinations", pattern: "stores/:apiIdentifier" });

async function openStore(
  items: Item[] = [lofoten, oslo, bergen],
  project: Partial<Project> = {},
  store: Store = aStore(),
) {
  server.use(answer("get", "/api/languages", { languages }), answer("get", STORE, store), answer("get", ITEMS, items));
  const opened = renderStore(project);
  await screen.findByRole("heading", { name: store.name });
  return opened;
}

// spec: items-4
test("values are cut at 50 characters", async () => {
  await openStore([
    anItem({ title: { en: `${"é".repeat(50)}` } }),
    anItem({ title: { en: "x".repeat(51) } }, { _id: "b" }),
  ]);

  expect(await firstCells()).toEqual(["é".repeat(50), `${"x".repeat(50)}…`]);
});

test("a picture at an external address is not loaded", async () => {
  await openStore([anItem({ title: { en: "a" }, photo: "https://example.com/a.png" })]);

  const [row] = await rows();
  expect(cells(row)[5]).toBe("https://example.com/a.png");
  expect((row as HTMLElement).querySelector("img")).toBeNull();
});

// spec: items-5
test("the table is sorted by a column, both ways and back; items without a value come last", async () => {
  const { user } = await openStore();
  await screen.findByRole("table");

  await user.click(screen.getByRole("button", { name: "price" }));
  expect(await firstCells()).toEqual(["Oslo", "Lofoten", "bergen"]);
  expect(screen.getByRole("columnheader", { name: "price" })).toHaveAttribute("aria-sort", "ascending");
  await user.click(screen.getByRole("button", { name: "price" }));
  expect(await firstCells()).toEqual(["Lofoten", "Oslo", "bergen"]);
  await user.click(screen.getByRole("button", { name: "price" }));
  expect(await firstCells()).toEqual(["Lofoten", "Oslo", "bergen"]);
  expect(screen.getByRole("columnheader", { name: "price" })).toHaveAttribute("aria-sort", "none");
  await user.click(screen.getByRole("button", { name: "title" }));
  expect(await firstCells()).toEqual(["bergen", "Lofoten", "Oslo"]);
});

test("on a small screen, without column heads, the order is chosen from a list", async () => {
  onSmallScreen();
  const { user } = await openStore();

  await user.selectOptions(await screen.findByRole("combobox", { name: "Sort items" }), "price, A to Z");

  expect((await screen.findAllByText(/^(Oslo|Lofoten|bergen)$/)).map((cell) => cell.textContent)).toEqual([
    "Oslo",
    "Lofoten",
    "bergen",
  ]);
});

// spec: items-5
test("a filter leaves the items that have the text in any column", async () => {
  const { user } = await openStore();
  await screen.findByRole("table");
  const filter = screen.getByRole("searchbox", { name: "Filter items" });

  await enter(user, filter, "NORTH & stay");
  await waitFor(async () => expect(await firstCells()).toEqual(["Lofoten"]));
  expect(screen.getByText("1 of 3")).toBeVisible();
  await user.type(filter, "!");
  expect(await screen.findByText("No item has “NORTH & stay!”.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Clear the filter" }));
  await waitFor(async () => expect(await rows()).toHaveLength(3));
});

test("the table shows another language, and what it lacks", async () => {
  const { user } = await openStore();
  await screen.findByRole("table");

  await user.selectOptions(screen.getByRole("combobox", { name: "Language of the table" }), "de");

  expect(await firstCells()).toEqual(["Die Lofoten", "Missing", "Missing"]);
});

test("an item that lacks a required value shows that, in the default language too", async () => {
  const store = aStore();
  const fields = store.fields.map((field) => (field.name === "price" ? { ...field, required: true } : field));
  await openStore([lofoten, bergen], {}, { ...store, fields });
  await screen.findByRole("table");

  const [full, lacking] = (await rows()).map((row) => cells(row));

  expect(full).not.toContain("Missing");
  expect(lacking?.slice(0, 6)).toEqual(["bergen", "Missing", "–", "–", "–", "–"]);
});

// spec: items-5
test("the page draws only the visible items of a very long table", async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => anItem({ title: { en: `Place ${n}` } }, { _id: `itm_${n}` }));
  await openStore(many);

  const table = await screen.findByRole("table");
  expect(table).toHaveAttribute("aria-rowcount", "10001");
  expect(within(table).getAllByRole("row").length).toBeLessThan(100);
  expect(screen.getByText("10,000 items")).toBeVisible();
  expect(screen.getByRole("button", { name: "Add New Item" })).toHaveAccessibleDescription(
    "A data store holds at most 10,000 items.",
  );
});

test("the first of very many items are shown while the other items load", async () => {
  const many = Array.from({ length: 700 }, (_, n) => anItem({ title: { en: `Place ${n}` } }, { _id: `itm_${n}` }));
  let sendAll = () => {};
  const asked: (string | null)[] = [];
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", STORE, aStore({ itemCount: 700 })),
    http.get(ITEMS, async ({ request }) => {
      const limit = new URL(request.url).searchParams.get("limit");
      asked.push(limit);
      if (limit !== null) return HttpResponse.json(many.slice(0, Number(limit)));
      await new Promise<void>((resolve) => {
        sendAll = resolve;
      });
      return HttpResponse.json(many);
    }),
  );
  renderStore();

  const table = await screen.findByRole("table");
  expect(table).toHaveAttribute("aria-rowcount", "101");
  expect(screen.getByText("Loading all items…")).toBeVisible();
  expect(screen.getByText("700 items")).toBeVisible();
  await waitFor(() => expect(asked).toEqual(["100", null]));

  sendAll();
  await waitFor(() => expect(screen.getByRole("table")).toHaveAttribute("aria-rowcount", "701"));
  expect(screen.queryByText("Loading all items…")).not.toBeInTheDocument();
});

// spec: items-2
test("an empty store shows that and offers the first item", async () => {
  await openStore([]);

  expect(await screen.findByText("No items found in this Data Store yet.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Add New Item" })).toBeVisible();
});

// spec: items-3
test("a store that does not exist is reported, with a link back", async () => {
  server.use(refusal("get", STORE, 404, { message: "Data Store not found." }));
  renderStore();

  expect(await screen.findByText("Data Store not found or failed to load.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Go Back" })).toHaveAttribute("href", `/projects/${PROJECT_ID}/stores`);
});

// spec: items-18
test("a store or items that can't be loaded show an error, and can be loaded again", async () => {
  server.use(offline("get", STORE));
  const { user } = renderStore();
  expect(await screen.findByText("Failed to fetch store details.")).toBeVisible();

  server.use(answer("get", "/api/languages", { languages }), answer("get", STORE, aStore()), offline("get", ITEMS));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Failed to fetch store items.")).toBeVisible();
  server.use(answer("get", ITEMS, [lofoten]));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("table")).toBeVisible();
});

// spec: items-17
test("an item that could not be deleted stays", async () => {
  const { user } = await openStore();
  server.use(offline("delete", "/api/stores/items/itm_1"));

  await user.click(await screen.findByRole("button", { name: "Delete: “Lofoten”" }));
  await user.click(await screen.findByRole("button", { name: "Delete item" }));

  expect(
    await screen.findByText("Failed to delete item. The server can't be reached. Please try again."),
  ).toBeInTheDocument();
  expect(await rows()).toHaveLength(3);
});

// spec: stores-18
test("a viewer reads items and can change nothing", async () => {
  const { user } = await openStore([lofoten], { role: "viewer", permissions: ["read"] });
  await screen.findByRole("table");

  expect(screen.getByText(/^Viewers can't change content\./)).toBeVisible();
  expect(screen.queryByRole("button", { name: /^(Add New Item|Edit|Delete)/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "View: “Lofoten”" }));
  const dialog = within(await screen.findByRole("dialog", { name: "View Item" }));
  expect(dialog.getByRole("textbox", { name: "title" })).toHaveAttribute("readonly");
  expect(dialog.queryByRole("button", { name: /Save|Auto-fill/ })).not.toBeInTheDocument();
});

// spec: stores-19
test("fields are added, renamed and removed; what would be lost is confirmed first", async () => {
  const sent: { fields: { _id?: string; name: string }[]; confirm: boolean; revision: number }[] = [];
  const { user } = await openStore();
  const losses = [{ fieldId: "fld_price", name: "price", items: 2 }];
  server.use(
    answer(
      "put",
      "/api/stores/sto_1",
      { message: "This would lose values.", code: "would_lose_data", losses },
      { status: 409, onCall: (body) => sent.push(body as (typeof sent)[number]) },
    ),
  );

  await user.click(await screen.findByRole("button", { name: "Edit fields" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit Data Store" }));
  expect(dialog.getByRole("combobox", { name: "Type of title" })).toBeDisabled();
  await user.clear(dialog.getByRole("textbox", { name: "Name of field 1" }));
  await user.type(dialog.getByRole("textbox", { name: "Name of field 1" }), "heading");
  await user.click(dialog.getByRole("button", { name: "Remove price" }));
  await user.click(dialog.getByRole("button", { name: "Add Field" }));
  await user.keyboard("rating");
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  const asked = within(await screen.findByRole("dialog", { name: "Values will be lost" }));
  expect(asked.getByText(/price/).closest("li")).toHaveTextContent("price: the values of 2 items");
  server.use(
    answer("put", "/api/stores/sto_1", aStore({ revision: 2 }), {
      onCall: (body) => sent.push(body as (typeof sent)[number]),
    }),
  );
  await user.click(asked.getByRole("button", { name: "Save and lose them" }));

  expect(await screen.findByText("Data Store updated.")).toBeInTheDocument();
  expect(sent.map(({ confirm, revision }) => ({ confirm, revision }))).toEqual([
    { confirm: false, revision: 1 },
    { confirm: true, revision: 1 },
  ]);
  expect(sent[1]?.fields.map(({ _id, name }) => [_id, name])).toEqual([
    ["fld_title", "heading"],
    ["fld_open", "open"],
    ["fld_from", "from"],
    ["fld_story", "story"],
    ["fld_photo", "photo"],
    [undefined, "rating"],
  ]);
});

// spec: stores-19
test("a store that a colleague changed is not overwritten unasked", async () => {
  const { user } = await openStore();
  const current = aStore({ name: "Places", revision: 5 });
  const stale = { message: "Stale.", code: "stale_revision", current, by: "Noor Aziz" };
  server.use(answer("put", "/api/stores/sto_1", stale, { status: 409 }));

  await user.click(await screen.findByRole("button", { name: "Edit fields" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit Data Store" }));
  await enter(user, dialog.getByRole("textbox", { name: "Store Name" }), " of mine");
  await user.click(dialog.getByRole("button", { name: "Save changes" }));
  expect(await dialog.findByText("Noor Aziz changed this store in the meantime.")).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "Store Name" })).toHaveValue("Destinations of mine");

  const sent: unknown[] = [];
  server.use(answer("put", "/api/stores/sto_1", current, { onCall: (body) => sent.push(body) }));
  await user.click(dialog.getByRole("button", { name: "Save mine" }));
  expect(await screen.findByText("Data Store updated.")).toBeInTheDocument();
  expect(sent).toEqual([expect.objectContaining({ name: "Destinations of mine", revision: 5 })]);
});

test("closing the form asks before changed fields are discarded", async () => {
  const { user } = await openStore();
  await user.click(await screen.findByRole("button", { name: "Edit fields" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit Data Store" }));
  const required = dialog.getByRole("checkbox", { name: "price is required" });
  await user.click(required);

  for (const way of ["Escape", "Close", "Cancel"]) {
    if (way === "Escape") await user.keyboard("{Escape}");
    else await user.click(dialog.getByRole("button", { name: way }));
    const asked = within(await screen.findByRole("dialog", { name: "Discard your changes?" }));
    await user.click(asked.getByRole("button", { name: "Keep editing" }));
    expect(required).toBeChecked();
  }
  await user.click(required);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("changed fields are offered again after the page was left, and overwrite nothing of a colleague unasked", async () => {
  const openFields = async (store?: Store) => {
    const { user, unmount } = await openStore(undefined, {}, store);
    await user.click(await screen.findByRole("button", { name: "Edit fields" }));
    return { user, unmount, dialog: within(await screen.findByRole("dialog", { name: "Edit Data Store" })) };
  };
  const first = await openFields();
  await enter(first.user, first.dialog.getByRole("textbox", { name: "Store Name" }), " of mine");
  await first.user.click(first.dialog.getByRole("checkbox", { name: "price is required" }));
  first.unmount();

  const current = aStore({ name: "Places", revision: 5 });
  const { user, dialog } = await openFields(current);
  const sent: unknown[] = [];
  server.use(
    answer(
      "put",
      "/api/stores/sto_1",
      { message: "Stale.", code: "stale_revision", current },
      {
        status: 409,
        onCall: (body) => sent.push(body),
      },
    ),
  );
  await user.click(await findOfferOfText());
  expect(dialog.getByRole("textbox", { name: "Store Name" })).toHaveValue("Destinations of mine");
  expect(dialog.getByRole("checkbox", { name: "price is required" })).toBeChecked();
  await user.click(dialog.getByRole("button", { name: "Save changes" }));

  expect(await dialog.findByText("Somebody else changed this store in the meantime.")).toBeVisible();
  expect(sent).toEqual([expect.objectContaining({ name: "Destinations of mine", revision: 1 })]);
});

const price = (old: number, next: number): Changes => ({
  total: 1,
  values: [{ field: "price", type: "Number", language: null, old, new: next }],
});

async function openVersions(item: Item, project: Partial<Project> = history) {
  const { user } = await openStore([item], project);
  return { user, dialog: await showVersions(user, item) };
}

// spec: items-6
test("only the pro tier has a version history of items", async () => {
  await openStore([lofoten]);
  await screen.findByRole("table");

  expect(screen.queryByRole("button", { name: /^Version History/ })).not.toBeInTheDocument();
});

// spec: items-27
test("an item that was never published has no versions", async () => {
  const { dialog } = await openVersions(lofoten);

  expect(dialog.getByText("No published versions found for this item.")).toBeVisible();
});

test("a roll back of an item that changed shows what would change now, and asks again", async () => {
  const item = { ...lofoten, publishedVersions: versions };
  const newer = { ...item, revision: item.revision + 1 };
  const sent: unknown[] = [];
  const { user, dialog } = await openVersions(item);
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const confirm = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));
  const changes = () => confirm.findByRole("region", { name: "What changes for apps" });
  expect(await changes()).toHaveTextContent("Lofoten of old");
  const message = "The draft changed since you looked. Please look at what would change now.";
  const at = "/api/stores/items/itm_1";
  server.use(
    answer(
      "post",
      `${at}/rollback/ver_1`,
      { message, code: "stale_draft" },
      {
        status: 409,
        onCall: (body) => sent.push(body),
      },
    ),
    answer("get", ITEMS, [newer]),
    compared(1, { revision: newer.revision, publishes: true, apps: price(1290.5, 970) }),
  );
  await user.click(confirm.getByRole("button", { name: "Rollback" }));

  expect(await confirm.findByRole("alert")).toHaveTextContent(message);
  await waitFor(async () => expect(await changes()).toHaveTextContent("1,290.5970"));
  const back = anItem({ title: { en: "Lofoten of old" } }, { revision: newer.revision + 1 });
  const done = { message: "Item rolled back and project published successfully!", published: true, item: back };
  server.use(
    answer("post", `${at}/rollback/ver_1`, done, { onCall: (body) => sent.push(body) }),
    answer("get", ITEMS, [back]),
  );
  await user.click(confirm.getByRole("button", { name: "Rollback" }));

  expect(await screen.findByText(done.message)).toBeInTheDocument();
  expect(sent).toEqual([
    { expected: item.revision, draftOnly: false },
    { expected: newer.revision, draftOnly: false },
  ]);
});

// spec: items-30
test("a roll back that fails shows why", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, publishedVersions: versions });
  server.use(refusal("post", "/api/stores/items/itm_1/rollback/ver_1", 404, { message: "Invalid version ID." }));

  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  await user.click(
    within(await screen.findByRole("dialog", { name: "Confirm Rollback" })).getByRole("button", { name: "Rollback" }),
  );
  expect(await screen.findByText("Invalid version ID.")).toBeInTheDocument();

  server.use(offline("post", "/api/stores/items/itm_1/rollback/ver_1"));
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  await user.click(
    within(await screen.findByRole("dialog", { name: "Confirm Rollback" })).getByRole("button", { name: "Rollback" }),
  );
  expect(
    await screen.findByText("Failed to roll back item. The server can't be reached. Please try again."),
  ).toBeInTheDocument();
});

// spec: items-32
test("a roll back shows what apps get and which edit it overwrites, also for a draft that equals the version", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, state: "changed", publishedVersions: versions });
  server.use(
    compared(1, {
      publishes: true,
      ...price(4242, 901),
      apps: price(1000, 901),
      overwritten: price(4242, 901),
    }),
  );
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const confirm = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));

  expect(await confirm.findByRole("region", { name: "What changes for apps" })).toHaveTextContent(/^price1,000901$/);
  expect(confirm.getByRole("region", { name: "What is overwritten in the draft" })).toHaveTextContent(
    /^In the draft this overwrites what apps don't have:price4,242901$/,
  );
  await user.click(confirm.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Confirm Rollback" })).not.toBeInTheDocument());

  server.use(compared(1, { publishes: true, apps: price(1000, 901) }));
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const again = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));
  await waitFor(() =>
    expect(again.queryByRole("region", { name: "What is overwritten in the draft" })).not.toBeInTheDocument(),
  );
  expect(again.getByRole("region", { name: "What changes for apps" })).toHaveTextContent(/^price1,000901$/);
});

// spec: items-32
test("a roll back to what apps have shows before and after that nothing is published", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, state: "changed", publishedVersions: versions });
  const message = "Apps have this version already, so nothing was published. The draft is as this version again.";
  server.use(
    compared(1, { ...price(4242, 901), overwritten: price(4242, 901) }),
    answer("post", "/api/stores/items/itm_1/rollback/ver_1", { message, published: false, item: lofoten }),
  );
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const confirm = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));

  expect(await confirm.findByRole("region", { name: "What changes for apps" })).toHaveTextContent(
    "Apps have this version already: nothing is published.",
  );
  await user.click(confirm.getByRole("button", { name: "Rollback" }));
  expect(await screen.findByText(message)).toBeInTheDocument();
});

// spec: items-31
test("an overwritten draft returns to the draft only", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, state: "changed", publishedVersions: versions });
  const name = "Bring back to the draft";
  const message = "The draft has this version back. Apps are unchanged.";
  const sent: unknown[] = [];
  server.use(
    compared(2, price(1290.5, 4242)),
    answer(
      "post",
      "/api/stores/items/itm_1/rollback/ver_2",
      { message, published: false, item: lofoten },
      { onCall: (body) => sent.push(body) },
    ),
  );
  await user.click(dialog.getByRole("button", { name: `${name}: Version 2 (overwritten draft)` }));
  const confirm = within(await screen.findByRole("dialog", { name }));

  expect(
    confirm.getByText("The draft of this item becomes version 2 (overwritten draft). Apps are not changed."),
  ).toBeVisible();
  expect(confirm.getByText("The draft that it overwrites is kept here as a version of its own.")).toBeVisible();
  expect(confirm.queryByText(/publish/)).not.toBeInTheDocument();
  expect(await confirm.findByRole("region", { name: "What changes in the draft" })).toHaveTextContent(
    /^price1,290\.54,242$/,
  );
  await user.click(confirm.getByRole("button", { name }));
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(sent).toEqual([{ expected: 1, draftOnly: true }]);
});

// spec: items-31
test("an unpublished edit is discarded on the row of the live version", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, state: "changed", publishedVersions: versions });
  const name = "Discard the draft";
  const message = "The draft is what apps have again. Nothing was published.";
  const sent: unknown[] = [];
  server.use(
    compared(3, price(4242, 1290.5)),
    answer(
      "post",
      "/api/stores/items/itm_1/rollback/ver_3",
      { message, published: false, item: lofoten },
      { onCall: (body) => sent.push(body) },
    ),
  );
  const [live] = dialog.getAllByRole("listitem");
  await user.click(within(live as HTMLElement).getByRole("button", { name }));
  const confirm = within(await screen.findByRole("dialog", { name }));

  expect(
    confirm.getByText("The draft of this item becomes what apps have: version 3. Apps are not changed."),
  ).toBeVisible();
  expect(await confirm.findByRole("region", { name: "What changes in the draft" })).toHaveTextContent(
    /^price4,2421,290\.5$/,
  );
  await user.click(confirm.getByRole("button", { name }));
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(sent).toEqual([{ expected: 1, draftOnly: true }]);
});

// spec: items-33
test("entries of an item's history show which operation made them", async () => {
  const { dialog } = await openVersions({
    ...lofoten,
    publishedVersions: [...versions, aVersion(0, { kind: "draft", restored: 1 })],
  });
  const rows = dialog.getAllByRole("listitem");

  expect(rows[0]).toHaveTextContent("Grace Hopper · Release 6 · restored release 4");
  expect(rows[1]).toHaveTextContent(
    /^Version 2 \(overwritten draft\) Nov 19, 2026.*Grace HopperBring back to the draft$/,
  );
  expect(rows[2]).toHaveTextContent(/Ada Lovelace · Release 2Rollback$/);
  expect(rows[3]).toHaveTextContent(/^Version 0 \(draft before release 1 was restored\)/);
});
