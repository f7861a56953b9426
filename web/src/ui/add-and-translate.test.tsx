/** Adding a language, with a job in which AI translates the open screen or all screens. */
import { screen, waitFor, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { expect, test } from "vitest";
import { aJob, aProject, PROJECT_ID } from "@/testing/fixtures";
import { openSettings } from "@/testing/project-settings";
import { openScreen } from "@/testing/screen";
import { answer, offline, refusal, server } from "@/testing/server";

const TWO = { languages: ["en", "de"] };
const started = { message: "Translating 9 texts into Arabic.", job: aJob({ language: "ar" }) };

async function openDialog(...answers: RequestHandler[]) {
  const opened = await openScreen(TWO, ...answers);
  await opened.user.click(screen.getByRole("button", { name: "Add language" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add language" }));
  await opened.user.type(await dialog.findByRole("combobox", { name: "Language" }), "Arabic");
  return { ...opened, dialog };
}

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

// spec: ai-13
test.each([
  [
    "without a message",
    refusal("post", `/api/translations/${PROJECT_ID}/_all_tabs_/ar/auto-translate`, 500, { message: "" }),
    "Failed to add and translate language",
  ],
  [
    "with a message",
    refusal("post", `/api/translations/${PROJECT_ID}/_all_tabs_/ar/auto-translate`, 403, {
      message: "You've reached the limit.",
    }),
    "You've reached the limit.",
  ],
  [
    "offline",
    offline("post", `/api/translations/${PROJECT_ID}/_all_tabs_/ar/auto-translate`),
    "Failed to add and translate language. The server can't be reached. Please try again.",
  ],
])(
  "a language that can't be added and translated (%s) shows an error, and the dialog stays",
  async (_, refused, message) => {
    const { user, dialog } = await openDialog(refused);

    await user.click(dialog.getByRole("radio", { name: "All screens" }));
    await user.click(dialog.getByRole("button", { name: "Add and Translate Language" }));

    expect(await dialog.findByRole("alert")).toHaveTextContent(message);
    expect(dialog.getByRole("combobox", { name: "Language" })).toHaveValue("Arabic");
  },
);

// spec: ai-19
test("without a plan a language can be added, and AI shows why it is off", async () => {
  const { user } = await openScreen({
    ...TWO,
    plan: "expired",
    activeTier: "expired",
    expiresAt: "2026-01-01T00:00:00Z",
  });
  await user.click(screen.getByRole("button", { name: "Add language" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Add language" }));

  expect(await dialog.findByRole("radio", { name: "All screens" })).toBeDisabled();
  expect(
    dialog.getByText("This project does not have an active plan. Please assign credits in Project Settings to use AI."),
  ).toBeVisible();
});

// spec: ai-12
test("the settings, where no screen is open, offer all screens", async () => {
  const { user, section } = await openSettings();

  await user.click(section("Languages").getByRole("button", { name: "Add language" }));

  const dialog = within(await screen.findByRole("dialog", { name: "Add language" }));
  await waitFor(() => expect(dialog.getAllByRole("radio")).toHaveLength(2));
  expect(dialog.getByRole("radio", { name: "All screens" })).toBeInTheDocument();
});
