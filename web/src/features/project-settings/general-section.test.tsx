import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openForm, openSettings } from "@/testing/general-section";
import { ADMIN, EDITOR, serveWrites, VIEWER } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";

const PUT = `/api/projects/${PROJECT_ID}`;

const UNPUBLISHED: Partial<Project> = { release: 0, isPublished: false };

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
