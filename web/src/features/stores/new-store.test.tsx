/** The form of a new store. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { offline, refusal, server } from "@/testing/server";
import { openStores, STORES, type Store } from "@/testing/store-list";
import { enter } from "@/testing/typing";

async function openCreate(stores?: Store[]) {
  const { user } = await openStores(stores);
  await user.click(screen.getByRole("button", { name: "Create Store" }));
  return { user, dialog: within(await screen.findByRole("dialog", { name: "Create Data Store" })) };
}

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
