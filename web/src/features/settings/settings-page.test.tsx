import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { openSection } from "@/testing/account-page";
import { aUser } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";
import { aKey, aSession, KEY } from "@/testing/settings";
import { enter } from "@/testing/typing";

async function openDeletion(user = aUser()) {
  const opened = await openSection("Delete account", user);
  await opened.user.click(opened.section.getByRole("button", { name: "Delete Account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
  await waitFor(() => expect(dialog.queryByRole("status", { name: "Loading the form" })).not.toBeInTheDocument());
  return { ...opened, dialog };
}

beforeEach(() => {
  server.use(
    answer("get", "/api/user/apikey", { apikey: KEY }),
    answer("get", "/api/user/apikeys", { apikeys: [aKey()] }),
    answer("get", "/api/user/sessions", { sessions: [aSession()] }),
    answer("get", "/api/projects", []),
    answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }),
  );
});

// spec: settings-2
test("the name is edited in place, and shown in the sidebar at once", async () => {
  const sent: unknown[] = [];
  server.use(answer("put", "/api/user/me", aUser({ name: "Noor Aziz" }), { onCall: (body) => sent.push(body) }));
  const { section, user } = await openSection("Profile");

  await user.click(section.getByRole("button", { name: "Edit name" }));
  const field = section.getByRole("textbox", { name: "Full Name" });
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, "  Noor Aziz {Enter}");

  expect(await section.findByRole("button", { name: "Edit name" })).toHaveFocus();
  expect(sent).toEqual([{ name: "Noor Aziz" }]);
  expect(section.getByText("Noor Aziz")).toBeVisible();
  expect(screen.getByText("Welcome, Noor Aziz")).toBeVisible();
  expect(window.localStorage.getItem("user")).toContain("Noor Aziz");
});

test("deleting the account shows what is lost, asks for email and password, and leads to the login", async () => {
  const sent: unknown[] = [];
  server.use(
    answer("delete", "/api/user/me", { message: "Your account was deleted." }, { onCall: (body) => sent.push(body) }),
  );
  const { dialog, router, user } = await openDeletion();
  expect(dialog.getByText("your 62 credits, which are forfeited")).toBeVisible();

  await user.click(dialog.getByRole("button", { name: "Delete Account" }));
  expect(await dialog.findByText("Type demo@example.com to go on.")).toBeVisible();
  expect(dialog.getByText("Enter your password.")).toBeVisible();
  expect(sent).toEqual([]);
  await enter(user, dialog.getByLabelText("Your email"), "Demo@example.com");
  await enter(user, dialog.getByLabelText("Password"), "a long and quiet river");
  await user.click(dialog.getByRole("button", { name: "Delete Account" }));

  expect(await screen.findByText("Your account was deleted.")).toBeInTheDocument();
  expect(sent).toEqual([{ password: "a long and quiet river" }]);
  await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  expect(window.localStorage.getItem("authToken")).toBeNull();
});

// spec: dash-5, list-6
test.each([
  ["/dashboard", "Account Settings"],
  ["/projects", "Account Settings"],
  ["/projects", "Settings"],
])("from %s, '%s' leads to the settings", async (path, name) => {
  server.use(answer("get", "/api/activity", []));
  const { router, user } = openSignedIn(path);

  await user.click(await screen.findByRole("link", { name }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/settings"));
});
