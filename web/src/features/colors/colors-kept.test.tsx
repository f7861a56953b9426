/** Unsaved text of a colour that is offered again later. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { withLocks } from "@/testing/browser";
import { aColor, COLORS, type Color, page, primary } from "@/testing/colors";
import { renderInProject } from "@/testing/component";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, server } from "@/testing/server";

test("unsaved text of a new and of an edited colour is kept on the device, with what its author saw", async () => {
  const sent: unknown[] = [];
  const openAgain = async (colors: Color[]) => {
    server.use(answer("get", COLORS, { colors }));
    const opened = renderInProject(page);
    const form = within(await screen.findByRole("form", { name: "Add a colour" }));
    return { ...opened, form };
  };
  const first = await openAgain(primary());
  await first.user.type(first.form.getByRole("textbox", { name: "Key" }), "accent");
  await first.user.click(screen.getByRole("button", { name: "Edit primary" }));
  const edit = () => within(screen.getByRole("form", { name: "Edit primary" }));
  await first.user.type(edit().getByRole("textbox", { name: "Nickname" }), " green");
  first.unmount();

  const theirs = aColor("primary", "#112233", { nickname: "Fjord", revision: 2 });
  const { user, form } = await openAgain([theirs]);
  await user.click(form.getByRole("button", { name: "Continue what you wrote" }));
  expect(form.getByRole("textbox", { name: "Key" })).toHaveValue("accent");
  await user.click(screen.getByRole("button", { name: "Edit primary" }));
  await user.click(edit().getByRole("button", { name: "Continue what you wrote" }));
  expect(edit().getByRole("textbox", { name: "Nickname" })).toHaveValue("Fjord green");
  server.use(answer("put", `${COLORS}/primary`, theirs, { onCall: (body) => sent.push(body) }));
  await user.click(edit().getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ nickname: "Fjord green", revision: 1 })]));
});

test("an offer of kept text ends with the first character that is typed, and returns with the next visit", async () => {
  const openForm = async () => {
    server.use(answer("get", COLORS, { colors: primary() }));
    const opened = renderInProject(page);
    const form = within(await screen.findByRole("form", { name: "Add a colour" }));
    return { ...opened, key: form.getByRole("textbox", { name: "Key" }) };
  };
  const first = await openForm();
  await first.user.type(first.key, "accent");
  first.unmount();

  const second = await openForm();
  expect(await findOfferOfText()).toBeVisible();
  await second.user.type(second.key, "b");
  expect(offerOfText()).not.toBeInTheDocument();
  await second.user.clear(second.key);
  second.unmount();

  const third = await openForm();
  await third.user.click(await findOfferOfText());
  expect(third.key).toHaveValue("accent");
});

test("text that is being typed in a different tab is offered once that tab is closed, not before", async () => {
  const endFirst = withLocks();
  server.use(answer("get", COLORS, { colors: primary() }));
  const openTab = async () => {
    const { container, user } = renderInProject(page);
    const tab = within(container);
    const form = within(await tab.findByRole("form", { name: "Add a colour" }));
    return { tab, user, key: form.getByRole("textbox", { name: "Key" }) };
  };
  const first = await openTab();
  await first.user.type(first.key, "acc");
  const { tab } = await openTab();
  await first.user.type(first.key, "ent");
  expect(tab.queryByText(/did not save it/)).not.toBeInTheDocument();

  endFirst();

  expect(await tab.findByText(/did not save it/)).toBeVisible();
});

test("kept text that renames a released colour shows the new key, and what the rename breaks", async () => {
  const openForm = async () => {
    server.use(answer("get", COLORS, { colors: primary() }));
    const opened = renderInProject(page);
    await opened.user.click(await screen.findByRole("button", { name: "Edit primary" }));
    return { ...opened, form: within(screen.getByRole("form", { name: "Edit primary" })) };
  };
  const first = await openForm();
  await first.user.click(first.form.getByRole("button", { name: "Rename…" }));
  await first.user.clear(first.form.getByRole("textbox", { name: "Key" }));
  await first.user.type(first.form.getByRole("textbox", { name: "Key" }), "brand");
  first.unmount();

  const { user, form } = await openForm();
  await user.click(form.getByRole("button", { name: "Continue what you wrote" }));

  expect(form.getByRole("textbox", { name: "Key" })).toHaveValue("brand");
  expect(form.getByText(/apps lose/)).toHaveTextContent("With the next publish apps lose primary");
});
