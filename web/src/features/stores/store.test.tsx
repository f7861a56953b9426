/** The table of the items of a store. */
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { onSmallScreen } from "@/testing/browser";
import { anItem, aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { answer, offline, refusal, server } from "@/testing/server";
import { openStore, renderStore } from "@/testing/store-part";
import { bergen, cells, firstCells, ITEMS, lofoten, rows, STORE } from "@/testing/stores";
import { enter } from "@/testing/typing";

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
