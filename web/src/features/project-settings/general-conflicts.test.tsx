/** General information that two people change, and text that was not saved. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProject } from "@/testing/fixtures";
import { openForm } from "@/testing/general-section";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { serveWrites } from "@/testing/project-settings";
import { enter } from "@/testing/typing";

async function openConflict() {
  const opened = await openForm();
  const got = serveWrites(aProject({ name: "Theirs", description: "A travel app.", revision: 5 }));
  const name = opened.form.getByRole("textbox", { name: "Project name" });
  await opened.user.clear(name);
  await opened.user.type(name, "Mine{Enter}");
  await opened.form.findByText(/Noor Aziz changed this project while you were editing it\./);
  return { ...opened, got, name };
}

test("a colleague's change of a different field is kept, without a question", async () => {
  const { form, user } = await openForm();
  const got = serveWrites(aProject({ description: "Theirs.", revision: 5 }));

  await user.type(form.getByRole("textbox", { name: "Project name" }), "!");
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Settings saved.")).toBeInTheDocument();
  expect(got).toEqual([
    { name: "Aurora Travel!", revision: 3 },
    { name: "Aurora Travel!", revision: 5 },
  ]);
  expect(await screen.findByText("Theirs.")).toBeVisible();
});

// spec: general-4
test("a field that a colleague changed too is not overwritten unseen; 'Save mine' saves the own text", async () => {
  const { form, user, got, name } = await openConflict();

  expect(name).toHaveValue("Mine");
  expect(form.getByText("Theirs:").parentElement).toHaveTextContent("Theirs: Theirs");
  expect(got).toHaveLength(1);
  await user.click(form.getByRole("button", { name: "Save mine" }));

  expect(await screen.findByText("Settings saved.")).toBeInTheDocument();
  expect(got[1]).toEqual({ name: "Mine", revision: 5 });
});

// spec: general-4
test("'Keep theirs' keeps the colleague's text", async () => {
  const { form, user, got, section } = await openConflict();

  await user.click(form.getByRole("button", { name: "Keep theirs" }));

  expect(await section("General information").findByText("Theirs")).toBeVisible();
  expect(got).toHaveLength(1);
});

test("'Use theirs' takes the colleague's text into the field, to be edited", async () => {
  const { form, user, got, name } = await openConflict();

  await user.click(form.getByRole("button", { name: "Use theirs" }));
  expect(name).toHaveValue("Theirs");
  await enter(user, name, " and mine");
  await user.click(form.getByRole("button", { name: "Save mine" }));

  await waitFor(() => expect(got[1]).toEqual({ name: "Theirs and mine", revision: 5 }));
});

test("what was typed is offered again after the page was left, and after Escape; Cancel gives it up", async () => {
  const first = await openForm();
  await enter(first.user, first.form.getByRole("textbox", { name: "Description" }), " For trips.");
  first.unmount();

  const second = await openForm();
  await second.user.click(await findOfferOfText());
  expect(second.form.getByRole("textbox", { name: "Description" })).toHaveValue("A travel app. For trips.");
  await second.user.keyboard("{Escape}");
  second.unmount();

  const third = await openForm();
  await third.user.click(await findOfferOfText());
  await third.user.click(third.form.getByRole("button", { name: "Cancel" }));
  third.unmount();

  await openForm();
  expect(offerOfText()).not.toBeInTheDocument();
});

test("text that was typed before a colleague changed the same field does not overwrite the colleague's text unseen", async () => {
  const first = await openForm();
  await first.user.clear(first.form.getByRole("textbox", { name: "Project name" }));
  await first.user.type(first.form.getByRole("textbox", { name: "Project name" }), "Mine");
  first.unmount();

  const { user, form } = await openForm({ name: "Theirs", revision: 5 });
  const got = serveWrites(aProject({ name: "Theirs", description: "A travel app.", revision: 5 }));
  await user.click(await findOfferOfText());
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await form.findByText(/Noor Aziz changed this project while you were editing it\./)).toBeVisible();
  expect(got).toEqual([{ name: "Mine", revision: 3 }]);
  await user.click(form.getByRole("button", { name: "Save mine" }));
  expect(await screen.findByText("Settings saved.")).toBeInTheDocument();
  expect(got[1]).toEqual({ name: "Mine", revision: 5 });
});

test("kept text sends the fields that its author changed, and no others", async () => {
  const first = await openForm();
  await first.user.type(first.form.getByRole("textbox", { name: "Project name" }), "!");
  first.unmount();

  const { user, form } = await openForm({ description: "Theirs.", revision: 5 });
  const got = serveWrites(aProject({ description: "Theirs, again.", revision: 7 }));
  await user.click(await findOfferOfText());
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Settings saved.")).toBeInTheDocument();
  expect(got).toEqual([
    { name: "Aurora Travel!", revision: 3 },
    { name: "Aurora Travel!", revision: 7 },
  ]);
});

test("text that is saved by now is not offered", async () => {
  const first = await openForm();
  await first.user.type(first.form.getByRole("textbox", { name: "Project name" }), "!");
  first.unmount();

  await openForm({ name: "Aurora Travel!", revision: 4 });

  expect(offerOfText()).not.toBeInTheDocument();
});
