/** Changing the fields of a store. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aStore } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";
import { openStore } from "@/testing/store-part";
import { enter } from "@/testing/typing";

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
