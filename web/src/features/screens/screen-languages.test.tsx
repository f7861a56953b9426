/** Adding a language from a screen. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { openScreen } from "@/testing/screen-editor";
import { answer, refusal, server } from "@/testing/server";

test("languages of the project are marked and can't be chosen; the first language that can be chosen is selected", async () => {
  const { user } = await openScreen();
  await user.click(screen.getByRole("button", { name: "Add language" }));

  const list = within(await screen.findByRole("listbox", { name: "Languages" }));
  const german = list.getByRole("option", { name: /German/ });
  expect(german).toHaveAttribute("aria-disabled", "true");
  expect(german).toHaveTextContent("Added");
  expect(list.getByRole("option", { name: /Arabic/ })).toHaveAttribute("aria-selected", "true");
  await user.click(german);
  expect(screen.getByRole("button", { name: "Add Arabic" })).toBeEnabled();
});

test("a code with a region is accepted in its one spelling", async () => {
  const { user } = await openScreen();
  const sent: unknown[] = [];
  server.use(
    answer("post", `/api/projects/${PROJECT_ID}/languages`, aProject({ languages: ["en", "de", "de-AT"] }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  await user.click(screen.getByRole("button", { name: "Add language" }));
  await user.type(await screen.findByRole("combobox", { name: "Language" }), "de-at");
  await user.click(screen.getByRole("button", { name: "Add de-AT" }));

  await waitFor(() => expect(sent).toEqual([{ language: "de-AT" }]));
});

// spec: ai-14
test("an unknown language is reported once, and can't be sent", async () => {
  const { user } = await openScreen();

  await user.click(screen.getByRole("button", { name: "Add language" }));
  await user.type(await screen.findByRole("combobox", { name: "Language" }), "Klingon{Enter}{Enter}");

  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getAllByText("Not a directly supported language. Please use ISO code or full name.")).toHaveLength(1);
  expect(dialog.getByRole("button", { name: "Add language" })).toBeDisabled();
});

// spec: ai-15
test("a refused language keeps the dialog open and shows why", async () => {
  const { user } = await openScreen();
  const message = "This language is already in your project.";
  server.use(refusal("post", `/api/projects/${PROJECT_ID}/languages`, 409, { message, fields: { language: message } }));

  await user.click(screen.getByRole("button", { name: "Add language" }));
  await user.type(await screen.findByRole("combobox", { name: "Language" }), "Arabic{Enter}{Enter}");

  expect(await screen.findByText(message)).toBeVisible();
});
