/** What the pages before the dashboard share: brand panel, legal links, show/hide of passwords, and where they lead. */
import { readFileSync } from "node:fs";
import { act, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { open } from "@/testing/open";

afterEach(() => {
  vi.useRealTimers();
});

const pages = ["/login", "/register", "/forgot-password", "/reset-password/tok"];
const panel = async () => within(await screen.findByRole("region", { name: "About Livery" }));

// spec: login-1, login-2, register-3
test.each(["/login", "/register"])("on %s four messages take turns, each for four seconds", async (path) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open(path);
  const messages = [
    /no rebuilds/i,
    /zero build delays/i,
    /AI-powered localization/,
    /built for developers and designers/i,
  ];
  const lines = (await panel()).getAllByText((_, element) => element?.hasAttribute("aria-hidden") === true);
  const shown = () =>
    lines.filter((line) => line.getAttribute("aria-hidden") === "false").map((line) => line.textContent);

  for (const message of [...messages, /no rebuilds/i]) {
    expect(shown()).toEqual([expect.stringMatching(message)]);
    await act(() => vi.advanceTimersByTimeAsync(4000));
  }
});

// spec: login-3
test("a message fades for 0.4 seconds", () => {
  const styles = readFileSync(`${process.cwd()}/src/features/accounts/tagline.module.css`, "utf8");

  expect(styles).toMatch(/\.tagline span \{[^}]*opacity: 0;\s*transition: opacity 0\.4s;/);
  expect(styles).toMatch(/\.tagline span\[data-shown\] \{\s*opacity: 1;/);
});

// spec: login-9, login-10
test.each(pages)("on %s the logo leads to the start and the foot has the year and the legal pages", async (path) => {
  open(path);

  expect((await panel()).getByRole("link", { name: "Livery, to the start" })).toHaveAttribute("href", "/");
  const foot = within(screen.getByRole("contentinfo"));
  expect(foot.getByText(`© ${new Date().getFullYear()} Livery`)).toBeVisible();
  expect(foot.getByRole("link", { name: "Terms" })).toHaveAttribute("href", "/terms");
  expect(foot.getByRole("link", { name: "Privacy" })).toHaveAttribute("href", "/privacy");
});

// spec: route-1, login-1, login-8, register-4, forgot-4
test.each([
  ["/login", "Log in to Livery", { "Forgot Password?": "/forgot-password", "Sign Up Now": "/register" }],
  ["/register", "Create your account", { Terms: "/terms", "Privacy Policy": "/privacy", "Log in": "/login" }],
  ["/forgot-password", "Forgot your password?", { "Back to log in": "/login" }],
  ["/reset-password/tok", "Set a new password", { "Back to log in": "/login" }],
])("%s is titled '%s' and leads on", async (path, title, links) => {
  open(path);

  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeVisible();
  expect(document.title).toBe(`${title} · Livery`);
  for (const [name, href] of Object.entries(links)) {
    expect(screen.getAllByRole("link", { name })[0]).toHaveAttribute("href", href);
  }
});

// spec: login-4, register-1, forgot-1, reset-1
test.each([
  ["/login", ["Email", "Password"]],
  ["/register", ["Full Name", "Email", "Password"]],
  ["/forgot-password", ["Email"]],
  ["/reset-password/tok", ["New Password", "Confirm New Password"]],
])("%s asks for %j, and an email is of the email type", async (path, labels) => {
  open(path);

  const fields = (await screen.findByRole("main")).querySelectorAll("input:not([type=checkbox])");
  expect([...fields]).toEqual(labels.map((label) => screen.getByLabelText(label)));
  for (const label of labels) {
    const type = label === "Email" ? "email" : label.includes("Password") ? "password" : "text";
    expect(screen.getByLabelText(label)).toHaveProperty("type", type);
  }
});

// spec: login-5, register-2, reset-2
test.each([
  ["/login", "Password"],
  ["/register", "Password"],
  ["/reset-password/tok", "New Password"],
  ["/reset-password/tok", "Confirm New Password"],
])("on %s the toggle of '%s' shows and hides that field alone", async (path, label) => {
  const { user } = open(path);
  const field = await screen.findByLabelText(label);
  const others = screen.getAllByLabelText(/Password/).filter((other) => other !== field);
  const toggle = screen
    .getAllByRole("button", { name: "Show" })
    .find((button) => button.getAttribute("aria-controls") === field.id);
  if (toggle === undefined) throw new Error("the field has no toggle");

  await user.click(toggle);
  expect(field).toHaveAttribute("type", "text");
  expect(toggle).toHaveAccessibleName("Hide");
  for (const other of others) expect(other).toHaveAttribute("type", "password");

  await user.click(toggle);
  expect(field).toHaveAttribute("type", "password");
});
