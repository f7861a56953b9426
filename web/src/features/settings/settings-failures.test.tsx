/** What the account settings show when the user or the key can't be read: on the page, and in a toast. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { renderPart } from "@/testing/component";
import { aUser } from "@/testing/fixtures";
import { answer, offline, refusal, server } from "@/testing/server";
import { SettingsPage } from "./settings-page";

const ME = "/api/user/me";
const KEY = "/api/user/apikey";

beforeEach(() => {
  localStorage.setItem("authToken", "a-session-token");
  server.use(
    answer("get", ME, aUser()),
    answer("get", KEY, { apikey: "lvk_1hT5cE0bXn2QwZ8rKf7UyVgLs4JpAo6DmC3iNeR9" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
    answer("get", "/api/projects", []),
  );
});

// spec: settings-6, settings-7
test.each([
  ["user, no message", answer("get", ME, {}, { status: 500 }), "Failed to fetch user data"],
  ["user, a message", refusal("get", ME, 503, { message: "The database is away." }), "The database is away."],
  ["user, no network", offline("get", ME), "Failed to fetch user data"],
  ["key, no message", answer("get", KEY, {}, { status: 500 }), "Failed to fetch API key"],
  ["key, a message", refusal("get", KEY, 503, { message: "The database is away." }), "The database is away."],
  ["key, no network", offline("get", KEY), "Failed to fetch API key"],
])("a failed load is shown on the page and in a toast (%s)", async (_, failing, text) => {
  server.use(failing);
  renderPart(<SettingsPage />, { at: "/settings" });

  await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2));
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

// spec: settings-1
test("name and email are shown as text, not as fields", async () => {
  renderPart(<SettingsPage />, { at: "/settings" });

  expect((await screen.findByText("Full Name")).nextElementSibling).toHaveTextContent("Demo Person");
  expect(screen.getByText("Email Address").nextElementSibling).toHaveTextContent("demo@example.com");
  for (const label of ["Full Name", "Email Address"]) expect(screen.queryByLabelText(label)).toBeNull();
});
