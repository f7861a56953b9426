/** 'AI Fill Screen': what it would find, what it replaces, and what it shows when it can't. */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { counted, FILL, openDialog } from "@/testing/fill";
import { aJob, PROJECT_ID } from "@/testing/fixtures";
import { answer } from "@/testing/server";

const EVERYWHERE = `/api/translations/${PROJECT_ID}/_all_tabs_/:language/auto-translate`;

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
