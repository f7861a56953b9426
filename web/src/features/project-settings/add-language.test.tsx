/** Adding a language to a project. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProject, arabic, languages, PROJECT_ID } from "@/testing/fixtures";
import { LANGUAGES, openLanguages, someLanguages } from "@/testing/languages-section";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

async function openAdding(known = someLanguages) {
  const opened = await openLanguages({}, known);
  await opened.user.click(opened.list.getByRole("button", { name: "Add language" }));
  return { ...opened, dialog: within(await screen.findByRole("dialog", { name: "Add language" })) };
}

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

  await enter(user, dialog.getByRole("combobox", { name: "Language" }), typed);
  await user.keyboard("{Enter}{Enter}");

  expect(await screen.findByText("Arabic added.")).toBeInTheDocument();
  expect(sent).toEqual([{ language: "ar" }]);
  expect(list.getAllByRole("listitem")[2]).toHaveTextContent("Arabicالعربيةar");
});

// spec: lang-4
test("a language that the project has already is refused with the reason", async () => {
  const { dialog, user } = await openAdding();

  await enter(user, dialog.getByRole("combobox", { name: "Language" }), "german");
  await user.keyboard("{Enter}{Enter}");

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

  await enter(user, dialog.getByRole("combobox", { name: "Language" }), typed);
  await user.keyboard("{Enter}{Enter}");

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

  await enter(user, dialog.getByRole("combobox", { name: "Language" }), typed);
  await user.keyboard("{Enter}{Enter}");

  await waitFor(() => expect(sent).toEqual([{ language: code }]));
});

// spec: lang-3
test("an unknown language is refused with the reason", async () => {
  const { dialog, user } = await openAdding();

  await enter(user, dialog.getByRole("combobox", { name: "Language" }), "Klingon");
  await user.keyboard("{Enter}{Enter}");

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

  await enter(user, dialog.getByRole("combobox", { name: "Language" }), "arabic");
  await user.keyboard("{Enter}{Enter}");

  expect(await dialog.findByText(text)).toBeVisible();
});
