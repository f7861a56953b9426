/** Fields of a store that were changed and not saved. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aStore } from "@/testing/fixtures";
import { findOfferOfText } from "@/testing/kept";
import { answer, server } from "@/testing/server";
import { openStore } from "@/testing/store-part";
import type { Store } from "@/testing/stores";
import { enter } from "@/testing/typing";

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
