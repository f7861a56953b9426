/** 'Preview draft' on a project's page: a link for the app's address, to open, copy and scan. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { onSmallScreen } from "@/testing/browser";
import { aProject, aScreen, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";
// Compiled before the first test, whose patience is for the page.
import "./preview-button";

const ID = "prj_k7m2xq4tz8ha3b5c";
const LINKS = `/api/projects/${ID}/preview-links`;
const APP = "https://shop.example.com/";
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

function openProject(project: Partial<Project> = {}) {
  server.use(
    answer("get", `/api/projects/${ID}`, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${ID}/:screen`, aScreen([])),
  );
  return openSignedIn(`/projects/${ID}/general`);
}

function answerLink(sent: unknown[] = [], expiresAt = inAnHour()) {
  const url = `${APP}?livery-preview=lvd_test`;
  server.use(
    answer("post", LINKS, { url, token: "lvd_test", expiresAt }, { status: 201, onCall: (body) => sent.push(body) }),
  );
  return url;
}

const button = () => screen.findByRole("button", { name: "Preview draft" }, { timeout: 15_000 });
const addressField = () => screen.findByRole("textbox", { name: "Your app's address" });

async function makeLink(user: ReturnType<typeof openProject>["user"], typed: string) {
  await user.click(await button());
  await user.type(await addressField(), typed);
  await user.keyboard("{Enter}");
}

test("a link is made for the app's address, and can be opened, copied and scanned", async () => {
  const sent: unknown[] = [];
  const { user } = openProject();
  const url = answerLink(sent);

  await makeLink(user, APP);

  const link = within(await screen.findByRole("region", { name: "Preview link" }));
  expect(sent).toEqual([{ appUrl: APP }]);
  expect(link.getByText(url)).toBeVisible();
  expect(link.getByRole("link", { name: "Open the app" })).toHaveAttribute("href", url);
  expect(link.getByRole("link", { name: "Open the app" })).toHaveAttribute("rel", "noopener noreferrer");
  expect(link.getByRole("img", { name: "QR code of the preview link" })).toBeVisible();
  expect(link.getByText(/^Works until/)).toHaveTextContent(/^Works until \S+ [AP]M \(in (1 hour|\d\d minutes)\)/);
  await user.click(link.getByRole("button", { name: "Copy the link" }));
  expect(await screen.findByText("Link copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe(url);
});

test("the address is remembered for the project, and a changed one needs a link of its own", async () => {
  const first = openProject();
  answerLink();
  await makeLink(first.user, APP);
  await screen.findByRole("region", { name: "Preview link" });
  first.unmount();

  const { user } = openProject();
  await user.click(await button());
  expect(await addressField()).toHaveValue(APP);
  answerLink();
  await user.click(screen.getByRole("button", { name: "Make a link" }));
  await screen.findByRole("region", { name: "Preview link" });
  await user.type(await addressField(), "x");

  expect(screen.queryByRole("region", { name: "Preview link" })).not.toBeInTheDocument();
});

test.each([
  ["shop.example.com", "https://shop.example.com"],
  [" 192.168.1.7:5173/x ", "http://192.168.1.7:5173/x"],
  ["localhost:5173", "http://localhost:5173"],
  ["localhost.example.com", "https://localhost.example.com"],
])("'%s' is asked for as '%s'", async (typed, appUrl) => {
  const sent: unknown[] = [];
  const { user } = openProject();
  answerLink(sent);

  await makeLink(user, typed);

  await waitFor(() => expect(sent).toEqual([{ appUrl }]));
});

test("without an address nothing is asked", async () => {
  const { user } = openProject();

  await user.click(await button());
  await user.click(await screen.findByRole("button", { name: "Make a link" }));

  expect(await screen.findByText("Enter the address of your app, like https://app.example.com.")).toBeVisible();
});

test.each(["https://<b>.example.com", "1.2.3.999", "https://"])(
  "no browser opens %s: nothing is asked",
  async (typed) => {
    const { user } = openProject();
    const sent: unknown[] = [];
    answerLink(sent);

    await makeLink(user, typed);

    expect(await screen.findByText("Enter the address of your app, like https://app.example.com.")).toBeVisible();
    expect(sent).toEqual([]);
  },
);

test("what the server has against the address stands at the field, everything else above it", async () => {
  const { user } = openProject();
  server.use(refusal("post", LINKS, 422, { message: "No such app.", fields: { appUrl: "No such app." } }));
  await makeLink(user, "ftp://x");
  expect(await screen.findByText("No such app.")).toBeVisible();
  expect(await addressField()).toBeInvalid();

  server.use(refusal("post", LINKS, 409, { message: "This project has 50 preview links that work." }));
  await user.keyboard("{Enter}");
  expect(await screen.findByText("This project has 50 preview links that work.")).toBeVisible();
  server.use(offline("post", LINKS));
  await user.keyboard("{Enter}");
  expect(await screen.findByText("The server can't be reached.")).toBeVisible();
});

test("a link that has ended says so in place of itself", async () => {
  const { user } = openProject();
  answerLink([], new Date(Date.now() - 1_000).toISOString());

  await makeLink(user, APP);

  expect(await screen.findByText("This link has ended. Make a new one.")).toBeVisible();
  expect(screen.queryByRole("link", { name: "Open the app" })).not.toBeInTheDocument();
});

test("who may not publish has no preview to give away", async () => {
  openProject({ role: "viewer", permissions: ["read"] });

  expect(await screen.findByRole("button", { name: /Publish Changes/ })).toBeInTheDocument();
  await screen.findByRole("button", { name: "Connect your app" });
  expect(screen.queryByRole("button", { name: "Preview draft" })).not.toBeInTheDocument();
});

test("on a small screen it is in the menu", async () => {
  onSmallScreen();
  const { user } = openProject();

  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Preview draft" }));

  expect(await screen.findByRole("dialog", { name: "Preview draft" })).toBeVisible();
});

test("for an address that only this computer reaches there is no code to scan", async () => {
  const { user } = openProject();
  const url = "http://localhost:8000/storefront/?livery-preview=lvd_test";
  server.use(answer("post", LINKS, { url, token: "lvd_test", expiresAt: inAnHour() }, { status: 201 }));

  await makeLink(user, "localhost:8000/storefront/");

  expect(await screen.findByText(/a phone can't reach it/)).toBeVisible();
  expect(screen.queryByRole("img", { name: "QR code of the preview link" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Open the app" })).toHaveAttribute("href", url);
});
