/** The new name of a key is kept on the device, in its cell and in the dialog of a key that apps ask for. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aKey } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { KEYS, renderScreen } from "@/testing/screen-part";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const cta = aKey("cta_book", { en: "Book now", de: "Buchen" });
const fresh = aKey("lead", { en: "Slow mornings", de: "" }, { state: "new" });

async function startRename(key: string) {
  const opened = await renderScreen([cta, fresh]);
  act(() => screen.getByRole("rowheader", { name: key }).focus());
  await opened.user.keyboard("{F2}");
  return opened;
}

test("the new name of a released key outlives the page, and 'Cancel' gives it up", async () => {
  const open = async () => {
    const opened = await startRename("cta_book");
    const dialog = within(await screen.findByRole("dialog", { name: "Rename “cta_book”" }));
    return { ...opened, dialog, field: dialog.getByRole("textbox", { name: "New name" }) };
  };
  const first = await open();
  await first.user.clear(first.field);
  await enter(first.user, first.field, "cta_reserve");
  first.unmount();

  const { user, dialog, field, unmount } = await open();
  await user.click(await findOfferOfText());
  expect(field).toHaveValue("cta_reserve");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  unmount();

  await open();
  expect(offerOfText()).not.toBeInTheDocument();
});

test("the new name of a key in its cell is offered again; taking it up with the keyboard or the mouse saves nothing yet", async () => {
  const sent: unknown[] = [];
  const open = async () => {
    const opened = await startRename("lead");
    return { ...opened, field: await screen.findByRole("textbox", { name: "New name for lead" }) };
  };
  for (const takeUp of ["mouse", "keyboard"]) {
    const first = await open();
    await first.user.clear(first.field);
    await enter(first.user, first.field, "lead_text");
    first.unmount();

    const { user, field, unmount } = await open();
    const offer = await findOfferOfText();
    if (takeUp === "mouse") await user.click(offer);
    else await user.keyboard("{Tab}{Enter}");
    expect(field).toHaveValue("lead_text");
    expect(field).toHaveFocus();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.getByRole("rowheader", { name: "lead" })).toHaveFocus());
    unmount();
  }

  server.use(
    answer("put", `${KEYS}/lead`, { ...fresh, key: "lead_2", revision: 2 }, { onCall: (body) => sent.push(body) }),
  );
  const { user, field } = await open();
  expect(offerOfText()).not.toBeInTheDocument();
  await user.type(field, "_2{Enter}");
  expect(await screen.findByRole("rowheader", { name: "lead_2" })).toHaveFocus();
  expect(sent).toEqual([{ key: "lead_2", values: {}, revision: 1 }]);
});
