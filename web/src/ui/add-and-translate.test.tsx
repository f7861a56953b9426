/** Adding a language, with a job in which AI translates the open screen or all screens. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openDialog } from "@/testing/add-language";
import { aJob, aProject, PROJECT_ID } from "@/testing/fixtures";
import { openSettings } from "@/testing/project-settings";
import { answer, server } from "@/testing/server";

const started = { message: "Translating 9 texts into Arabic.", job: aJob({ language: "ar" }) };

// spec: ai-12, ai-18
test.each([
  ["This screen", "home", false],
  ["All screens", "_all_tabs_", true],
])("'%s' adds the language and has it translated, in one call", async (choice, place, allTabs) => {
  const sent: unknown[] = [];
  const { user, dialog } = await openDialog(
    answer("get", `/api/translations/${PROJECT_ID}/${place}/ar/auto-translate`, {
      missing: 9,
      byPeople: 0,
      byAi: 0,
      provider: "pseudo",
    }),
    answer("post", `/api/translations/${PROJECT_ID}/${place}/ar/auto-translate`, started, {
      status: 202,
      onCall: (body) => sent.push(body),
    }),
  );
  expect(dialog.getByRole("button", { name: "Add Arabic" })).toBeEnabled();

  await user.click(dialog.getByRole("radio", { name: choice }));
  expect(await dialog.findByText("9 texts will be translated into Arabic.")).toBeVisible();
  expect(dialog.getByText(/Pseudo-localization: for testing layouts, not a translation/)).toBeVisible();
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ languages: ["en", "de", "ar"] })));
  await user.click(dialog.getByRole("button", { name: "Add and Translate Language" }));

  expect(
    await screen.findByRole("gridcell", { name: "cta_book, Arabic: Missing. Apps show the English text." }),
  ).toBeInTheDocument();
  expect(screen.getByText("Translating 9 texts into Arabic.")).toBeInTheDocument();
  expect(sent).toEqual([{ referenceLanguage: "en", allTabs, overwrite: false }]);
});

// spec: ai-12
test("the settings, where no screen is open, offer all screens", async () => {
  const { user, section } = await openSettings();

  await user.click(section("Languages").getByRole("button", { name: "Add language" }));

  const dialog = within(await screen.findByRole("dialog", { name: "Add language" }));
  await waitFor(() => expect(dialog.getAllByRole("radio")).toHaveLength(2));
  expect(dialog.getByRole("radio", { name: "All screens" })).toBeInTheDocument();
});
