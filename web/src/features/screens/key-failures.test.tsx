/** What is shown when a key can't be added, changed or deleted, and which events other parts of the dashboard get after a success. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { heard } from "@/testing/browser";
import { hurry } from "@/testing/clock";
import { aKey, PROJECT_ID } from "@/testing/fixtures";
import { KEYS, renderScreen } from "@/testing/screen-part";
import { answer, offline, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const cta = aKey("cta_book", { en: "Book now", de: "Buchen" });

const speechless = { status: 500 };

const UNREACHABLE = "The server can't be reached. Please try again.";

const openScreen = (path = "home") =>
  renderScreen([cta, aKey("help_url", { en: "https://aurora.example/help" })], {}, { at: path });

const rowOf = (key: string) => screen.getByRole("rowheader", { name: key }).closest('[role="row"]');

// spec: text-12
test.each([
  ["refused without a message", answer("post", KEYS, {}, speechless), "Failed to add key"],
  ["not answered", offline("post", KEYS), UNREACHABLE],
])("a new key that is %s stays to be tried again", async (_, failing, text) => {
  server.use(failing);
  const { user } = await openScreen();

  await enter(user, screen.getByRole("textbox", { name: "Name of the new key" }), "subtitle");
  await user.type(screen.getByRole("textbox", { name: "English text of the new key" }), "Slow mornings{Enter}");

  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Name of the new key" })).toHaveValue("subtitle");
  expect(screen.getByRole("textbox", { name: "English text of the new key" })).toHaveValue("Slow mornings");
});

// spec: text-13
test.each([
  ["refused without a message", answer("put", `${KEYS}/cta_book`, {}, { status: 403 }), "Failed to update key"],
  ["not answered", offline("put", `${KEYS}/cta_book`), UNREACHABLE],
])("a new name that is %s stays to be tried again", async (_, failing, text) => {
  server.use(failing);
  const { user } = await openScreen();

  await user.click(screen.getByRole("button", { name: "Actions for cta_book" }));
  await user.click(await screen.findByRole("menuitem", { name: "Rename…" }));
  const field = await screen.findByRole("textbox", { name: "New name" });
  await user.clear(field);
  await user.type(field, "cta_reserve{Enter}");

  expect(await screen.findByText(text)).toBeVisible();
  expect(field).toHaveValue("cta_reserve");
});

// spec: text-14
test.each([
  ["refused without a message", answer("delete", `${KEYS}/cta_book`, {}, speechless), "Failed to delete key"],
  ["not answered", offline("delete", `${KEYS}/cta_book`), "Failed to delete key"],
])("a deletion that is %s is reported, and the key stays", async (_, failing, text) => {
  server.use(failing);
  const { user } = await openScreen();

  await user.click(screen.getByRole("button", { name: "Actions for cta_book" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete key" }));

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(rowOf("cta_book")).toBeInTheDocument();
});

// spec: text-15
test("an edit, a new key and a deletion inform the page that there is something to publish", async () => {
  server.use(
    answer("put", `${KEYS}/cta_book`, aKey("cta_book", { en: "Book now", de: "Jetzt" }, { revision: 2 })),
    answer("post", KEYS, aKey("lead", { en: "Trips" }), { status: 201 }),
    answer("delete", `${KEYS}/help_url`, { message: "Key deleted." }),
  );
  const { user } = await openScreen();
  const told = heard("translationsUpdated");
  const once = { projectId: PROJECT_ID, screen: "__UNPUBLISHED__" };

  await user.click(screen.getByRole("gridcell", { name: "cta_book, German: Buchen" }));
  await user.keyboard("{Control>}a{/Control}Jetzt{Enter}");
  await waitFor(() => expect(told).toEqual([once]));
  await user.type(screen.getByRole("textbox", { name: "Name of the new key" }), "lead");
  await user.type(screen.getByRole("textbox", { name: "English text of the new key" }), "Trips{Enter}");
  await waitFor(() => expect(told).toEqual([once, once]));
  await user.click(screen.getByRole("button", { name: "Actions for help_url" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete key" }));
  await waitFor(() => expect(told).toEqual([once, once, once]));
});

// spec: text-2
test("?scrollTo= goes to the key after half a second and marks it for two", async () => {
  hurry();
  const changes: { isMarked: boolean; at: number }[] = [];
  const observer = new MutationObserver(() => {
    const isMarked = document.querySelector("[data-highlighted]") !== null;
    const isHere = screen.queryByRole("rowheader", { name: "help_url", hidden: true }) !== null;
    if (isHere && changes.at(-1)?.isMarked !== isMarked) changes.push({ isMarked, at: Date.now() });
  });
  onTestFinished(() => observer.disconnect());
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-highlighted"] });

  await openScreen("home?scrollTo=help_url");
  await waitFor(() => expect(changes.map(({ isMarked }) => isMarked)).toEqual([false, true, false]));

  const [shown, marked, unmarked] = changes.map(({ at }) => at) as [number, number, number];
  expect(Math.abs(marked - shown - 500)).toBeLessThan(300);
  expect(Math.abs(unmarked - marked - 2_000)).toBeLessThan(300);
  expect(rowOf("help_url")).not.toHaveAttribute("data-highlighted");
});
