import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { aProject, aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import { StoresPage } from "./stores-page";

type Store = Answer<"/api/stores/{projectId}", "get">[number];

const STORES = `/api/stores/${PROJECT_ID}`;

const renderStores = (project: Partial<Project> = {}) =>
  renderInProject(<StoresPage />, project, { at: "stores", pattern: "stores" });

async function openStores(stores: Store[] = [aStore()], project: Partial<Project> = {}) {
  server.use(answer("get", "/api/languages", { languages }), answer("get", STORES, stores));
  const opened = renderStores(project);
  await screen.findByText(/^Used: /);
  return opened;
}

async function openCreate(stores?: Store[]) {
  const { user } = await openStores(stores);
  await user.click(screen.getByRole("button", { name: "Create Store" }));
  return { user, dialog: within(await screen.findByRole("dialog", { name: "Create Data Store" })) };
}

// spec: stores-6
test("a project without stores shows 'No Data Stores yet' and offers the first store", async () => {
  await openStores([]);

  expect(screen.getByRole("heading", { name: "No Data Stores yet" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Create Store" })).toBeVisible();
});

// spec: stores-3
test.each([
  [1, "growth", "You have reached the limit of 1 Data Stores for your plan."],
  [0, "growth", "You have reached the limit of 0 Data Stores for your plan."],
  [
    1,
    "pro",
    "You have reached the limit of 1 Data Stores for your plan. It is the largest plan: delete a Data Store first.",
  ],
])("at the limit of %s (%s), Create Store is off and shows why", async (limit, activeTier, reason) => {
  const { user } = await openStores([aStore()], { activeTier, limits: { ...aProject().limits, stores: limit } });

  const button = screen.getByRole("button", { name: "Create Store" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(button).toHaveAccessibleDescription(reason);
  await user.hover(button);
  expect(await screen.findByRole("tooltip")).toHaveTextContent(reason);
  await user.click(button);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: stores-2
test("without a limit the page shows the number of stores and 'no limit'", async () => {
  await openStores([aStore()], { limits: { ...aProject().limits, stores: -1 } });

  expect(screen.getByText("Used: 1 (no limit)")).toBeVisible();
  expect(screen.getByRole("button", { name: "Create Store" })).not.toHaveAttribute("aria-disabled");
});

test("closing the form of a new store asks before its text is discarded", async () => {
  const { user, dialog } = await openCreate();
  await user.click(dialog.getByRole("button", { name: "Add Field" }));
  const field = dialog.getByRole("textbox", { name: "Name of field 2" });
  await user.type(field, "price");

  for (const way of ["Escape", "Close", "Cancel"]) {
    if (way === "Escape") await user.keyboard("{Escape}");
    else await user.click(dialog.getByRole("button", { name: way }));
    const asked = within(await screen.findByRole("dialog", { name: "Discard your changes?" }));
    await user.click(asked.getByRole("button", { name: "Keep editing" }));
    expect(field).toHaveValue("price");
  }
  await user.clear(field);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("the text of a new store is offered again after the page was left; 'Discard changes' gives it up", async () => {
  const openAgain = async () => {
    const { user, unmount } = await openStores();
    await user.click(screen.getByRole("button", { name: "Create Store" }));
    return { user, unmount, dialog: within(await screen.findByRole("dialog", { name: "Create Data Store" })) };
  };
  const first = await openAgain();
  await first.user.type(first.dialog.getByRole("textbox", { name: "Store Name" }), "Places");
  await first.user.type(first.dialog.getByRole("textbox", { name: "Name of field 1" }), "title");
  await first.user.click(first.dialog.getByRole("button", { name: "Add Field" }));
  await first.user.type(first.dialog.getByRole("textbox", { name: "Name of field 2" }), "price");
  first.unmount();

  const { user, dialog, unmount } = await openAgain();
  await user.click(await findOfferOfText());
  expect(dialog.getByRole("textbox", { name: "Store Name" })).toHaveValue("Places");
  expect(dialog.getByRole("textbox", { name: "API Identifier" })).toHaveValue("places");
  expect(dialog.getByRole("textbox", { name: "Name of field 2" })).toHaveValue("price");
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  unmount();

  await openAgain();
  expect(offerOfText()).not.toBeInTheDocument();
});

// spec: stores-9
test("the API identifier follows the name until it is written by hand", async () => {
  const { user, dialog } = await openCreate();
  const [name, identifier] = [
    dialog.getByRole("textbox", { name: "Store Name" }),
    dialog.getByRole("textbox", { name: "API Identifier" }),
  ];

  await enter(user, name, "  Über  Top-Places 2 ");
  expect(identifier).toHaveValue("ber_topplaces_2");
  await user.clear(identifier);
  await user.type(identifier, "places");
  await user.type(name, "more");
  expect(identifier).toHaveValue("places");
});

// spec: stores-10, stores-11, stores-12
test("a missing value is reported in the form, and nothing is sent", async () => {
  const { user, dialog } = await openCreate();
  const create = dialog.getByRole("button", { name: "Create Store" });

  await user.click(create);
  expect(dialog.getByText("Store Name and API Identifier are required.")).toBeVisible();
  await user.type(dialog.getByRole("textbox", { name: "Store Name" }), "Tips");
  await user.type(dialog.getByRole("textbox", { name: "Name of field 1" }), "   ");
  await user.click(create);
  expect(dialog.getAllByText("All fields must have a name.")[0]).toBeVisible();
  await user.type(dialog.getByRole("textbox", { name: "Name of field 1" }), "title");
  await user.click(dialog.getByRole("button", { name: "Add Field" }));
  await user.keyboard("title ");
  await user.click(create);
  expect(dialog.getAllByText("Field names must be unique.")[0]).toBeVisible();
  await user.clear(dialog.getByRole("textbox", { name: "Name of field 2" }));
  await user.type(dialog.getByRole("textbox", { name: "Name of field 2" }), "_id");
  await user.click(create);
  expect(dialog.getAllByText(/don't start with an underscore/)[0]).toBeVisible();
});

// spec: stores-14
test("the server's refusal is shown at the field it names, and what was typed stays", async () => {
  const { user, dialog } = await openCreate();
  await enter(user, dialog.getByRole("textbox", { name: "Store Name" }), "Destinations");
  await user.type(dialog.getByRole("textbox", { name: "Name of field 1" }), "title");
  const message = "A Data Store with this API Identifier already exists.";
  server.use(refusal("post", STORES, 409, { message, fields: { apiIdentifier: message } }));

  await user.click(dialog.getByRole("button", { name: "Create Store" }));
  expect(await dialog.findByText(message)).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "API Identifier" })).toHaveAccessibleDescription(message);

  server.use(offline("post", STORES));
  await user.click(dialog.getByRole("button", { name: "Create Store" }));
  expect(
    await dialog.findByText("Failed to create Data Store. The server can't be reached. Please try again."),
  ).toBeVisible();
  expect(dialog.getByRole("textbox", { name: "Store Name" })).toHaveValue("Destinations");
});

// spec: stores-5, stores-16
test("deleting a store asks first, and shows the server's message", async () => {
  const { user } = await openStores();
  server.use(answer("delete", "/api/stores/sto_1", { message: "Data Store deleted." }));

  await user.click(screen.getByRole("button", { name: "Delete Destinations" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("All of its content and items will be permanently removed.")).toBeVisible();
  expect(dialog.getByText("It has 1 item. Apps keep it until you publish.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Delete Data Store" }));

  expect(await screen.findByText("Data Store deleted.")).toBeInTheDocument();
  expect(await screen.findByText("No Data Stores yet")).toBeVisible();
});

// spec: stores-17
test("a store that could not be deleted stays, and a toast reports that", async () => {
  const { user } = await openStores();
  server.use(offline("delete", "/api/stores/sto_1"));

  await user.click(screen.getByRole("button", { name: "Delete Destinations" }));
  await user.click(await screen.findByRole("button", { name: "Delete Data Store" }));

  expect(
    await screen.findByText("Failed to delete Data Store. The server can't be reached. Please try again."),
  ).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Destinations" })).toBeInTheDocument();
});

// spec: stores-18
test("a viewer sees the stores and can change nothing", async () => {
  await openStores([aStore()], { role: "viewer", permissions: ["read"] });

  expect(screen.getByText(/^Viewers can't change content\./)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Create Store|Delete/ })).not.toBeInTheDocument();
});

// spec: stores-15
test("stores that can't be fetched are reported, and can be loaded again", async () => {
  server.use(offline("get", STORES));
  const { user } = renderStores();

  expect(await screen.findByText("Failed to fetch data stores.", undefined, { timeout: 15_000 })).toBeVisible();
  server.use(answer("get", STORES, [aStore()]));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByRole("link", { name: "Destinations" })).toBeVisible());
});
