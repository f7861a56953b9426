/** Adding and deleting colours. */
import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { expect, test } from "vitest";
import { heard } from "@/testing/browser";
import { aColor, COLORS, openColors, openDashboard, page } from "@/testing/colors";
import { PROJECT_ID } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { answer, eventStream, offline, server } from "@/testing/server";

// spec: color-3, color-4, color-5, color-6
test("a colour is added after its key and value were checked", async () => {
  const sent: unknown[] = [];
  const { user } = await openColors();
  server.use(
    answer("post", COLORS, aColor("accent", "#f0a04b", { state: "new" }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );
  const form = within(screen.getByRole("form", { name: "Add a colour" }));
  const [key, value] = [form.getByRole("textbox", { name: "Key" }), form.getByRole("textbox", { name: "Hex value" })];
  expect(value).toHaveValue("#000000");

  await user.click(form.getByRole("button", { name: "Add colour" }));
  expect(await form.findByText("Color key cannot be empty.")).toBeVisible();
  await user.type(key, "primary{Enter}");
  expect(await form.findByText('Color key "primary" already exists.')).toBeVisible();
  await user.clear(key);
  await user.clear(value);
  await user.type(value, "#12345");
  await user.type(key, "accent{Enter}");
  expect(await form.findByText("Invalid color hex value. Please use format like #RRGGBB.")).toBeVisible();
  await user.clear(value);
  await user.type(value, "#F0A04B{Enter}");

  expect(await screen.findByRole("button", { name: "Edit accent" })).toBeInTheDocument();
  expect(sent).toEqual([{ key: "accent", value: "#F0A04B", nickname: "" }]);
});

test("a deletion shows what it takes away, with a history and without", async () => {
  const colors = [aColor("primary", "#0b5d5e"), aColor("draft", "#505050", { state: "new" })];
  const { user } = await openColors(colors, { hasHistory: true });
  const told = async (key: string) => {
    await user.click(screen.getByRole("button", { name: `Delete ${key}` }));
    const dialog = await screen.findByRole("dialog");
    const text = dialog.textContent;
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    return text;
  };

  expect(await told("primary")).toContain("Apps keep it until you publish. History brings it back.");
  expect(await told("draft")).toContain("This action cannot be undone. Apps never had it.");
});

// spec: color-7
test("deleting a colour asks first", async () => {
  const { user } = await openColors();
  server.use(answer("delete", `${COLORS}/primary`, { message: "Colour deleted." }));

  await user.click(screen.getByRole("button", { name: "Delete primary" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/Apps keep it until you publish\./)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Delete colour" }));

  expect(await screen.findByText(/No colours yet\./)).toBeVisible();
});

// spec: color-13
test("a colour that a colleague changed is read again", async () => {
  const stream = eventStream();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  await openDashboard();
  server.use(answer("get", COLORS, { colors: [aColor("primary", "#c8371c", { revision: 2, state: "changed" })] }));

  stream.say(
    "change",
    { by: { _id: "usr_2", name: "Jonas" }, at: "2026-11-19T10:00:00Z", colors: { primary: 2 } },
    "2",
  );

  expect(await screen.findByText("#c8371c")).toBeVisible();
});

// spec: color-9
test.each([
  ["post", "Failed to add color", ""],
  ["put", "Failed to update color", "/primary"],
  ["delete", "Failed to delete color", "/primary"],
] as const)("when %s of a colour fails without a message, %s", async (method, message, path) => {
  const { user } = await openColors();
  server.use(answer(method, `${COLORS}${path}`, "", { status: 500 }));

  if (method === "delete") {
    await user.click(screen.getByRole("button", { name: "Delete primary" }));
    await user.click(await screen.findByRole("button", { name: "Delete colour" }));
  } else {
    if (method === "put") await user.click(screen.getByRole("button", { name: "Edit primary" }));
    const form = within(screen.getByRole("form", { name: method === "put" ? "Edit primary" : "Add a colour" }));
    await user.type(form.getByRole("textbox", { name: method === "put" ? "Nickname" : "Key" }), "x{Enter}");
  }

  expect(await screen.findByText(message)).toBeInTheDocument();
});

// spec: color-8
test("colours that can't be read can be loaded again", async () => {
  server.use(offline("get", COLORS));
  const { user } = openInProject(page);
  expect(await screen.findByText("Failed to load colors")).toBeVisible();

  server.use(answer("get", COLORS, { colors: [aColor("primary", "#0b5d5e")] }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("button", { name: "Edit primary" })).toBeInTheDocument();
});

// spec: color-12
test("every change of the draft's colours is announced to the window", async () => {
  const events = heard("translationsUpdated");
  const { user } = await openDashboard();
  server.use(answer("delete", `${COLORS}/primary`, { message: "Colour deleted." }));

  await user.click(screen.getByRole("button", { name: "Delete primary" }));
  await user.click(await screen.findByRole("button", { name: "Delete colour" }));

  await waitFor(() => expect(events).toEqual([{ projectId: PROJECT_ID, screen: "__UNPUBLISHED_COLORS__" }]));
});
