import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { LANGUAGES, openLanguages } from "@/testing/languages-section";
import { ADMIN, EDITOR, VIEWER } from "@/testing/project-settings";
import { answer, offline, refusal, server } from "@/testing/server";

// spec: lang-1
test("languages are listed with their names, and the default is marked", async () => {
  const { list } = await openLanguages();

  const [english, german] = list.getAllByRole("listitem");
  expect(english).toHaveTextContent("🇬🇧EnglishenDefault");
  expect(german).toHaveTextContent("🇩🇪GermanDeutschde");
  expect(list.getByText("2 / 3")).toBeVisible();
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
