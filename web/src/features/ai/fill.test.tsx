/** 'AI Fill Screen': what it would find, what it replaces, and what it shows when it can't. */
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http, type RequestHandler } from "msw";
import { expect, test } from "vitest";
import { aJob, PROJECT_ID } from "@/testing/fixtures";
import { KEYS, NO_PLAN, openScreen } from "@/testing/screen";
import { answer, offline, refusal } from "@/testing/server";

const FILL = `${KEYS}/de/auto-translate`;
const EVERYWHERE = `/api/translations/${PROJECT_ID}/_all_tabs_/:language/auto-translate`;
const counted = (missing: number, byPeople: number, byAi: number, provider = "openai") => ({
  missing,
  byPeople,
  byAi,
  provider,
});

async function openDialog(...answers: RequestHandler[]) {
  const opened = await openScreen({}, ...answers);
  await opened.user.click(screen.getByRole("button", { name: "AI Fill Screen" }));
  const dialog = within(await screen.findByRole("dialog", { name: "AI Fill Screen" }));
  return { ...opened, dialog };
}

// spec: ai-9
test("missing texts of the open language are counted, and a click fills them", async () => {
  const sent: unknown[] = [];
  const { user, dialog } = await openDialog(
    answer("get", FILL, counted(37, 2, 0)),
    answer(
      "post",
      FILL,
      { message: "Translating 37 texts into German.", job: aJob() },
      { status: 202, onCall: (body) => sent.push(body) },
    ),
  );
  expect(await dialog.findByRole("combobox", { name: "Translate into" })).toHaveValue("de");
  expect(dialog.getByRole("combobox", { name: "From" })).toHaveValue("en");
  expect(await dialog.findByText("37 texts are missing in German. What is there stays.")).toBeVisible();

  await user.click(dialog.getByRole("button", { name: "Fill 37 texts" }));

  expect(await screen.findByText("Translating 37 texts into German.")).toBeInTheDocument();
  expect(sent).toEqual([{ referenceLanguage: "en", allTabs: false, overwrite: false }]);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

// spec: ai-10
test("replacing texts is a separate choice, which shows who wrote them", async () => {
  const sent: unknown[] = [];
  const { user, dialog } = await openDialog(
    answer("get", FILL, counted(3, 12, 30)),
    answer(
      "post",
      FILL,
      { message: "Translating 45 texts into German.", job: aJob() },
      { status: 202, onCall: (body) => sent.push(body) },
    ),
  );

  await user.click(
    await dialog.findByRole("checkbox", { name: "Replace 12 texts that people wrote and 30 texts that AI wrote" }),
  );
  await user.click(dialog.getByRole("button", { name: "Replace and fill 45 texts" }));

  await waitFor(() => expect(sent).toEqual([{ referenceLanguage: "en", allTabs: false, overwrite: true }]));
});

// spec: ai-9
test("all screens are filled from and into a chosen language; the choice to replace is not kept", async () => {
  const sent: unknown[] = [];
  const { user, dialog } = await openDialog(
    answer("get", FILL, counted(1, 5, 0)),
    http.get(`*${EVERYWHERE}`, ({ request, params }) => {
      const reference = new URL(request.url).searchParams.get("referenceLanguage");
      return HttpResponse.json(counted(params["language"] === "ar" && reference === "de" ? 8 : 2, 4, 0));
    }),
    answer(
      "post",
      EVERYWHERE,
      { message: "Translating 8 texts into Arabic.", job: aJob({ language: "ar" }) },
      {
        status: 202,
        onCall: (body) => sent.push(body),
      },
    ),
  );
  await user.click(await dialog.findByRole("checkbox"));

  await user.selectOptions(dialog.getByRole("combobox", { name: "Translate into" }), "ar");
  await user.selectOptions(dialog.getByRole("combobox", { name: "From" }), "de");
  await user.click(dialog.getByRole("radio", { name: "All screens" }));

  expect(await dialog.findByText("8 texts are missing in Arabic. What is there stays.")).toBeVisible();
  expect(dialog.getByRole("checkbox")).not.toBeChecked();
  await user.click(dialog.getByRole("button", { name: "Fill 8 texts" }));
  await waitFor(() => expect(sent).toEqual([{ referenceLanguage: "de", allTabs: true, overwrite: false }]));
});

// spec: ai-18
test("a language without missing texts has nothing to fill, and the stand-in for a service is labelled", async () => {
  const { dialog } = await openDialog(answer("get", FILL, counted(0, 0, 0, "pseudo")));

  expect(await dialog.findByText("Nothing is missing in German.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Nothing to fill" })).toBeDisabled();
  expect(dialog.getByText(/Pseudo-localization: for testing layouts, not a translation/)).toBeVisible();
});

// spec: ai-11
test.each([
  ["without a message", refusal("post", FILL, 500, { message: "" }), "Auto-translation failed"],
  [
    "with a message",
    refusal("post", FILL, 429, { message: "Today's AI limit is used up." }),
    "Today's AI limit is used up.",
  ],
  ["offline", offline("post", FILL), "Auto-translation failed. The server can't be reached. Please try again."],
])("a fill that is refused %s shows why in its dialog, which stays open", async (_, refused, message) => {
  const { user, dialog } = await openDialog(answer("get", FILL, counted(2, 0, 0)), refused);

  await user.click(await dialog.findByRole("button", { name: "Fill 2 texts" }));

  expect(await dialog.findByRole("alert")).toHaveTextContent(message);
  expect(dialog.getByRole("button", { name: "Fill 2 texts" })).toBeEnabled();
});

test("after a lost answer the second try carries the same key, so that the fill is paid once", async () => {
  const ids: (string | null)[] = [];
  const { user, dialog } = await openDialog(
    answer("get", FILL, counted(2, 0, 0)),
    http.post(`*${FILL}`, ({ request }) => {
      ids.push(request.headers.get("Idempotency-Key"));
      const started = { message: "Translating 2 texts into German.", job: aJob() };
      return ids.length === 1 ? HttpResponse.error() : HttpResponse.json(started, { status: 202 });
    }),
  );

  await user.click(await dialog.findByRole("button", { name: "Fill 2 texts" }));
  await dialog.findByRole("alert");
  await user.click(dialog.getByRole("button", { name: "Fill 2 texts" }));

  await waitFor(() => expect(ids).toHaveLength(2));
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(ids[1]).toBe(ids[0]);
});

// spec: ai-19
test.each([
  [
    "for viewers",
    { role: "viewer" as const, permissions: ["read" as const] },
    "Viewers can't change content. Ask an admin of this project for the editor role.",
  ],
  [
    "without a plan",
    NO_PLAN,
    "This project does not have an active plan. Please assign credits in Project Settings to use AI.",
  ],
  ["with one language", { languages: ["en"] }, "Add a language first: there is nothing to translate into."],
])("%s the button is off, and shows why", async (_, project, reason) => {
  const { user } = await openScreen(project);
  const button = screen.getByRole("button", { name: "AI Fill Screen" });

  expect(button).toHaveAccessibleDescription(reason);
  await user.click(button);

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});
