/** 'Preview draft' on a project's page: a link for the app's address, to open, copy and scan. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { onSmallScreen } from "@/testing/browser";
import { aProject, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";
// Compiled before the first test, whose patience is for the page.
import "./preview-dialog";

const LINKS = `/api/projects/${PROJECT_ID}/preview-links`;

const APP = "https://shop.example.com/";

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

function openProject(project: Partial<Project> = {}) {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([])),
  );
  return openSignedIn(`/projects/${PROJECT_ID}/general`);
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

// spec: preview-9
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

test("who may not publish has no preview to give away", async () => {
  const { user } = openProject({ role: "viewer", permissions: ["read"] });

  expect(await screen.findByRole("button", { name: /Publish Changes/ })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Preview draft" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await screen.findByRole("menuitem", { name: "Connect your app" });
  expect(screen.queryByRole("menuitem", { name: "Preview draft" })).not.toBeInTheDocument();
});

// spec: preview-9
test("on a small screen it is in the menu", async () => {
  onSmallScreen();
  const { user } = openProject();

  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Preview draft" }));

  expect(await screen.findByRole("dialog", { name: "Preview draft" })).toBeVisible();
});
