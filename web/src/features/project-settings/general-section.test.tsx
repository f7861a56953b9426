import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { ADMIN, EDITOR, serveWrites, VIEWER } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";
import { renderSettings } from "@/testing/settings-part";
import { enter } from "@/testing/typing";
import { GeneralSection } from "./general-section";

const PUT = `/api/projects/${PROJECT_ID}`;

const UNPUBLISHED: Partial<Project> = { release: 0, isPublished: false };

const openSettings = (project: Partial<Project> = {}) =>
  renderSettings((shown) => <GeneralSection project={shown} />, project);

async function openForm(project: Partial<Project> = {}) {
  const opened = openSettings({ description: "A travel app.", revision: 3, ...project });
  await opened.user.click(opened.section("General information").getByRole("button", { name: "Edit" }));
  return { ...opened, form: within(await screen.findByRole("form", { name: "General information" })) };
}

// spec: general-1
test.each([
  ["viewers", VIEWER, false],
  ["editors", EDITOR, false],
  ["admins", ADMIN, true],
])("%s read the general information, and edit it if they may", async (_, project, mayEdit) => {
  const { section } = openSettings(project);
  const general = section("General information");

  expect(general.getByText("Aurora Travel")).toBeVisible();
  expect(general.queryAllByRole("button", { name: "Edit" })).toHaveLength(mayEdit ? 1 : 0);
  expect(general.queryAllByText("Only admins and the owner can change this.")).toHaveLength(mayEdit ? 0 : 1);
});

test("saving nothing new sends nothing", async () => {
  const { form, user, section } = await openForm();

  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await section("General information").findByRole("button", { name: "Edit" })).toBeVisible();
  expect(screen.queryByText("Settings saved.")).not.toBeInTheDocument();
});

// spec: general-2
test("an empty name is refused before it is sent; Escape leaves everything as it was", async () => {
  const { form, user, section } = await openForm();

  await user.clear(form.getByRole("textbox", { name: "Project name" }));
  await user.click(form.getByRole("button", { name: "Save" }));
  expect(await form.findByText("Project name is required.")).toBeVisible();
  await user.keyboard("{Escape}");

  expect(await section("General information").findByText("Aurora Travel")).toBeVisible();
});

// spec: general-3
test.each([
  ["a message", refusal("put", PUT, 503, { message: "The database is away." }), "The database is away."],
  ["no message", answer("put", PUT, {}, { status: 500 }), "Failed to save settings"],
  ["no network", offline("put", PUT), "Failed to save settings. The server can't be reached. Please try again."],
  [
    "a proxy alone",
    answer("put", PUT, "<h1>502</h1>", { status: 502 }),
    "Failed to save settings. The server can't be reached. Please try again.",
  ],
])("a failure is shown in a toast and loses nothing (%s)", async (_, failing, text) => {
  const { form, user } = await openForm();
  server.use(failing);

  await user.type(form.getByRole("textbox", { name: "Project name" }), "!");
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await screen.findByText(`Error saving settings: ${text}`)).toBeInTheDocument();
  expect(form.getByRole("textbox", { name: "Project name" })).toHaveValue("Aurora Travel!");
});

test("a refusal of the server is shown at its field", async () => {
  const { form, user } = await openForm();
  server.use(refusal("put", PUT, 422, { message: "No.", fields: { name: "Remove invisible characters." } }));

  await user.type(form.getByRole("textbox", { name: "Project name" }), "!");
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await form.findByText("Remove invisible characters.")).toBeVisible();
});

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

async function openConflict() {
  const opened = await openForm();
  const got = serveWrites(aProject({ name: "Theirs", description: "A travel app.", revision: 5 }));
  const name = opened.form.getByRole("textbox", { name: "Project name" });
  await opened.user.clear(name);
  await opened.user.type(name, "Mine{Enter}");
  await opened.form.findByText(/Noor Aziz changed this project while you were editing it\./);
  return { ...opened, got, name };
}

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

// spec: general-5
test("the default language can be changed until the first publish", async () => {
  const { form, user } = await openForm(UNPUBLISHED);
  const got = serveWrites(aProject({ ...UNPUBLISHED, description: "A travel app.", revision: 3 }));

  await user.selectOptions(form.getByRole("combobox", { name: "Default language" }), "German");
  await user.click(form.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Settings saved.")).toBeInTheDocument();
  expect(got).toEqual([{ defaultLanguage: "de", revision: 3 }]);
});

// spec: general-5
test.each([
  ["after the first publish", {}, /Fixed since the first publish/],
  ["without another language", { ...UNPUBLISHED, languages: ["en"] }, /Add another language to choose/],
])("the default language is fixed %s, and the form shows why", async (_, project, why) => {
  const { form } = await openForm(project);

  expect(form.getByRole("combobox", { name: "Default language" })).toBeDisabled();
  expect(form.getByText(why)).toBeVisible();
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
