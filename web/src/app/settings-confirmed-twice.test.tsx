/** A double click in the settings of a project does once what it should do once. */
import { test } from "vitest";
import { aProject, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { aMember, openSettings } from "@/testing/project-settings";
import { answer, server } from "@/testing/server";
import { clickTwice, counted, dialog } from "@/testing/twice";
import { enter } from "@/testing/typing";

const owner = aMember("1", "Demo Person", "owner");

const noor = aMember("noor", "Noor Aziz", "editor");

async function openTeam() {
  const members = [owner, noor];
  server.use(answer("get", `/api/projects/${PROJECT_ID}/members`, members));
  const opened = await openSettings({ members });
  return { ...opened, team: opened.section("Team members") };
}

test("somebody is invited once", async () => {
  const { user, team } = await openTeam();
  counted("post", `/api/projects/${PROJECT_ID}/members`, { message: "Done.", members: [owner, noor] });
  await user.click(await team.findByRole("button", { name: "Invite member" }));
  const form = await dialog("Invite member");
  await enter(user, await form.findByLabelText("Email"), "lin@example.com");

  await clickTwice(form.getByRole("button", { name: "Send invitation" }));
});

test("a role is changed once", async () => {
  const { user, team } = await openTeam();
  counted("put", `/api/projects/${PROJECT_ID}/members/${noor.user._id}`, {
    members: [owner, { ...noor, role: "admin" }],
  });
  await user.click(await team.findByRole("button", { name: "Edit the role of Noor Aziz" }));
  const form = await dialog("Edit the role of Noor Aziz");
  await user.click(form.getByRole("radio", { name: "Admin" }));

  await clickTwice(form.getByRole("button", { name: "Save role" }));
});

test("a language is added once", async () => {
  const french = { ...languages[0], code: "fr", name: "French", nativeName: "Français" };
  const danish = { ...languages[0], code: "da", name: "Danish", nativeName: "Dansk" };
  const offered = answer("get", "/api/languages", { languages: [...languages, french, danish] });
  const { user, section } = await openSettings({}, aUser(), offered);
  counted("post", `/api/projects/${PROJECT_ID}/languages`, aProject({ languages: ["en", "de", "fr"] }));
  await user.click(await section("Languages").findByRole("button", { name: "Add language" }));
  const form = await dialog("Add language");

  await clickTwice(await form.findByRole("button", { name: "Add French" }));
});

test("a project is deleted once", async () => {
  const { user, section } = await openSettings();
  server.use(answer("get", `/api/projects/${PROJECT_ID}/losses`, {}, { status: 500 }));
  counted("delete", `/api/projects/${PROJECT_ID}`, { message: "Done." });
  await user.click(section("Danger zone").getByRole("button", { name: "Delete Project" }));
  const form = await dialog("Delete Aurora Travel?");
  await enter(user, await form.findByRole("textbox", { name: "Project name" }), "Aurora Travel");

  await clickTwice(form.getByRole("button", { name: "Delete Project" }));
});
