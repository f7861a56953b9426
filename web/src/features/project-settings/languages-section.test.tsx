import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { aProject, arabic, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { ADMIN, EDITOR, VIEWER } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";
import { renderSettings } from "@/testing/settings-part";
import { LanguagesSection } from "./languages-section";

const LANGUAGES = `/api/projects/${PROJECT_ID}/languages`;

const someLanguages = answer("get", "/api/languages", { languages: [...languages, arabic] });

async function openLanguages(project: Partial<Project> = {}, known = someLanguages) {
  const opened = renderSettings((shown) => <LanguagesSection project={shown} />, project, aUser(), known);
  const list = opened.section("Languages");
  await list.findByText("🇬🇧");
  return { ...opened, list };
}

async function openAdding(known = someLanguages) {
  const opened = await openLanguages({}, known);
  await opened.user.click(opened.list.getByRole("button", { name: "Add language" }));
  return { ...opened, dialog: within(await screen.findByRole("dialog", { name: "Add language" })) };
}

// spec: lang-1
test("languages are listed with their names, and the default is marked", async () => {
  const { list } = await openLanguages();

  const [english, german] = list.getAllByRole("listitem");
  expect(english).toHaveTextContent("🇬🇧EnglishenDefault");
  expect(german).toHaveTextContent("🇩🇪GermanDeutschde");
  expect(list.getByText("2 / 3")).toBeVisible();
});

// spec: lang-2
test.each([
  ["its English name", "arab"],
  ["its native name", "العرب"],
  ["its code", "AR"],
])("a language is added by typing %s", async (_, typed) => {
  const sent: unknown[] = [];
  const { dialog, user, list } = await openAdding();
  const changed = aProject({ languages: ["en", "de", "ar"] });
  server.use(answer("post", LANGUAGES, changed, { status: 201, onCall: (body) => sent.push(body) }));
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, changed));

  await user.type(dialog.getByRole("combobox", { name: "Language" }), `${typed}{Enter}{Enter}`);

  expect(await screen.findByText("Arabic added.")).toBeInTheDocument();
  expect(sent).toEqual([{ language: "ar" }]);
  expect(list.getAllByRole("listitem")[2]).toHaveTextContent("Arabicالعربيةar");
});

// spec: lang-4
test("a language that the project has already is refused with the reason", async () => {
  const { dialog, user } = await openAdding();

  await user.type(dialog.getByRole("combobox", { name: "Language" }), "german{Enter}{Enter}");

  expect(dialog.getByText("This language is already in your project.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Add language" })).toBeDisabled();
});

test.each(["en", "English", "de", "Deutsch"])("'%s' is never taken for another language", async (typed) => {
  const sent: unknown[] = [];
  const lookalikes = ["Armenian", "Ende", "Englishman", "Deutschtum"].map((name, index) => ({
    ...arabic,
    code: `x${index}`,
    name,
    nativeName: `${name} en de`,
  }));
  const known = answer("get", "/api/languages", { languages: [...lookalikes, ...languages] });
  const { dialog, user } = await openAdding(known);
  server.use(answer("post", LANGUAGES, aProject(), { status: 201, onCall: (body) => sent.push(body) }));

  await user.type(dialog.getByRole("combobox", { name: "Language" }), `${typed}{Enter}{Enter}`);

  expect(dialog.getByText("This language is already in your project.")).toBeVisible();
  expect(sent).toEqual([]);
  expect(dialog.getByRole("button", { name: "Add language" })).toBeDisabled();
  // What else was found can still be meant.
  await user.keyboard("{ArrowDown}");
  expect(dialog.getByRole("button", { name: /^Add (Ende|Englishman|Deutschtum)$/ })).toBeEnabled();
});

test.each([
  ["ar", "ar"],
  ["iw", "he"],
  ["TL", "fil"],
  ["nb", "no"],
])("the code '%s' adds %s, whatever else begins like it", async (typed, code) => {
  const sent: unknown[] = [];
  const listed = [
    ["hy", "Armenian"],
    ["it", "Tlingit Iwaidja nb"],
    ["ar", "Arabic"],
    ["he", "Hebrew"],
    ["fil", "Filipino"],
    ["no", "Norwegian"],
  ].map(([itsCode = "", name = ""]) => ({ ...arabic, code: itsCode, name, nativeName: name }));
  const known = answer("get", "/api/languages", { languages: [...languages, ...listed] });
  const { dialog, user } = await openAdding(known);
  server.use(
    answer("post", LANGUAGES, aProject({ languages: ["en", "de", code] }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  await user.type(dialog.getByRole("combobox", { name: "Language" }), `${typed}{Enter}{Enter}`);

  await waitFor(() => expect(sent).toEqual([{ language: code }]));
});

// spec: lang-3
test("an unknown language is refused with the reason", async () => {
  const { dialog, user } = await openAdding();

  await user.type(dialog.getByRole("combobox", { name: "Language" }), "Klingon{Enter}{Enter}");

  expect(dialog.getByText("Not a directly supported language. Please use ISO code or full name.")).toBeVisible();
});

// spec: lang-5
test.each([
  [
    "a message at the field",
    refusal("post", LANGUAGES, 409, {
      message: "x",
      fields: { language: "This language is already in your project." },
    }),
    "This language is already in your project.",
  ],
  ["no message", answer("post", LANGUAGES, {}, { status: 500 }), "Invalid or already added language for project."],
  ["no network", offline("post", LANGUAGES), "The server can't be reached. Please try again."],
])("a refused language keeps the dialog open and shows why (%s)", async (_, failing, text) => {
  const { dialog, user } = await openAdding();
  server.use(failing);

  await user.type(dialog.getByRole("combobox", { name: "Language" }), "arabic{Enter}{Enter}");

  expect(await dialog.findByText(text)).toBeVisible();
});

// spec: lang-6
test("at the limit no language can be added, and a tooltip shows why", async () => {
  const { list, user } = await openLanguages({ languages: ["en", "de", "fr"] });
  const reason =
    "You've reached the 3 language limit for the 'Growth Tier' plan. Please upgrade to add more languages.";
  const add = list.getByRole("button", { name: "Add language" });
  expect(add).toHaveAccessibleDescription(reason);

  await user.hover(add);
  expect(await screen.findByRole("tooltip")).toHaveTextContent(reason);
  await user.click(add);

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test("at the limit of the largest plan the reason shows what to do", async () => {
  const { list } = await openLanguages({ languages: ["en", "de", "fr"], activeTier: "pro", tierName: "Pro Tier" });

  expect(list.getByRole("button", { name: "Add language" })).toHaveAccessibleDescription(
    "You've reached the 3 language limit for the 'Pro Tier' plan. It is the largest plan: delete a language first, or ask the operator of this server for more.",
  );
});

// spec: lang-7
test("a language is deleted after a question that lists what is lost", async () => {
  let calls = 0;
  const { list, user } = await openLanguages();
  server.use(
    answer(
      "delete",
      `${LANGUAGES}/de`,
      { message: "The language was deleted. Apps keep it until the next publish." },
      {
        onCall: () => {
          calls += 1;
          server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ languages: ["en"] })));
        },
      },
    ),
  );
  server.use(answer("get", `${LANGUAGES}/de/losses`, { texts: 1204, items: 1, values: 3 }));
  await user.click(list.getByRole("button", { name: "Delete German" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete German?" }));
  expect(await dialog.findByText("1,204 texts and 3 values in 1 item of Data Stores")).toBeVisible();
  expect(dialog.getByText(/Apps keep German until your next publish\. This action cannot be undone\./)).toBeVisible();
  expect(calls).toBe(0);

  await user.click(dialog.getByRole("button", { name: "Delete German" }));

  expect(await screen.findByText("The language was deleted. Apps keep it until the next publish.")).toBeInTheDocument();
  await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(1));
  expect(calls).toBe(1);
});

// spec: lang-8
test.each([
  [
    "a message",
    refusal("delete", `${LANGUAGES}/de`, 403, { message: "Only admins and the owner can change this." }),
    "Only admins and the owner can change this.",
  ],
  ["no message", answer("delete", `${LANGUAGES}/de`, {}, { status: 500 }), "Failed to delete language"],
  [
    "no network",
    offline("delete", `${LANGUAGES}/de`),
    "Failed to delete language. The server can't be reached. Please try again.",
  ],
])("a language that could not be deleted stays (%s)", async (_, failing, text) => {
  const { list, user } = await openLanguages();
  server.use(failing, answer("get", `${LANGUAGES}/de/losses`, { texts: 0, items: 0, values: 0 }));

  await user.click(list.getByRole("button", { name: "Delete German" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete German" }));

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(list.getAllByRole("listitem")).toHaveLength(2);
});

// spec: lang-9
test("the default language can't be deleted, and its button shows why", async () => {
  const { list, user } = await openLanguages();
  const remove = list.getByRole("button", { name: "Delete the default language" });
  expect(remove).toHaveAccessibleDescription("The default language can't be deleted: apps fall back to it.");

  await user.click(remove);

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: lang-10
test.each([
  ["viewers", VIEWER, 0, 0, "Viewers can't add languages. Ask an admin of this project for the editor role."],
  ["editors", EDITOR, 1, 0, "Only admins and the owner can delete a language."],
  ["admins", ADMIN, 1, 1, null],
])(
  "an operation that the role does not allow is not offered, and the section shows why: %s",
  async (_, project, adds, deletes, why) => {
    const { list } = await openLanguages(project);

    expect(list.queryAllByRole("button", { name: "Add language" })).toHaveLength(adds);
    expect(list.queryAllByRole("button", { name: "Delete German" })).toHaveLength(deletes);
    if (why !== null) expect(list.getByText(why)).toBeVisible();
  },
);
