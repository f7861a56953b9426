/** 'Preview draft' on a project's page: a link for the app's address, to open, copy and scan. */

import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { PROJECT_ID } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, offline, refusal, server } from "@/testing/server";
import { PreviewDialog } from "./preview-dialog";
import { withScheme } from "./preview-form";

const LINKS = `/api/projects/${PROJECT_ID}/preview-links`;

const APP = "https://shop.example.com/";

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** The dialog with a button that opens it. */
function Preview({ project }: { project: Project }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Preview draft
      </button>
      <PreviewDialog project={project} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

const openProject = (project: Partial<Project> = {}) =>
  renderInProject((shown) => <Preview project={shown} />, project);

function answerLink(sent: unknown[] = [], expiresAt = inAnHour()) {
  const url = `${APP}?livery-preview=lvd_test`;
  server.use(
    answer("post", LINKS, { url, token: "lvd_test", expiresAt }, { status: 201, onCall: (body) => sent.push(body) }),
  );
  return url;
}

const button = () => screen.findByRole("button", { name: "Preview draft" });

const addressField = () => screen.findByRole("textbox", { name: "Your app's address" });

async function makeLink(user: ReturnType<typeof openProject>["user"], typed: string) {
  await user.click(await button());
  await user.type(await addressField(), typed);
  await user.keyboard("{Enter}");
}

// spec: preview-9
test("the address is remembered for the project, and a changed address needs a link of its own", async () => {
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

test("an address for which no link was made is kept on the device, beside the remembered address", async () => {
  const first = openProject();
  answerLink();
  await makeLink(first.user, APP);
  await screen.findByRole("region", { name: "Preview link" });
  await first.user.type(await addressField(), "beta");
  first.unmount();

  const second = openProject();
  await second.user.click(await button());
  expect(await addressField()).toHaveValue(APP);
  await second.user.click(await findOfferOfText());
  expect(await addressField()).toHaveValue(`${APP}beta`);
  answerLink();
  await second.user.keyboard("{Enter}");
  await screen.findByRole("region", { name: "Preview link" });
  second.unmount();

  const { user } = openProject();
  await user.click(await button());
  expect(await addressField()).toHaveValue(`${APP}beta`);
  expect(offerOfText()).not.toBeInTheDocument();
});

test("an address without a scheme gets http on a local network and https elsewhere", async () => {
  const found = ["shop.example.com", " 192.168.1.7:5173/x ", "localhost:5173", "localhost.example.com"].map(withScheme);
  const sent: unknown[] = [];
  const { user } = openProject();
  answerLink(sent);

  await makeLink(user, "shop.example.com");

  expect(found).toEqual([
    "https://shop.example.com",
    "http://192.168.1.7:5173/x",
    "http://localhost:5173",
    "https://localhost.example.com",
  ]);
  await waitFor(() => expect(sent).toEqual([{ appUrl: "https://shop.example.com" }]));
});

test("without an address no link is requested", async () => {
  const { user } = openProject();

  await user.click(await button());
  await user.click(await screen.findByRole("button", { name: "Make a link" }));

  expect(await screen.findByText("Enter the address of your app, like https://app.example.com.")).toBeVisible();
});

test.each(["https://<b>.example.com", "1.2.3.999", "https://"])(
  "no browser opens %s: no link is requested",
  async (typed) => {
    const { user } = openProject();
    const sent: unknown[] = [];
    answerLink(sent);

    await makeLink(user, typed);

    expect(await screen.findByText("Enter the address of your app, like https://app.example.com.")).toBeVisible();
    expect(sent).toEqual([]);
  },
);

test("the server's complaint about the address is shown at the field, every other refusal above it", async () => {
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

test("a link that has ended shows that in place of its address", async () => {
  const { user } = openProject();
  answerLink([], new Date(Date.now() - 1_000).toISOString());

  await makeLink(user, APP);

  expect(await screen.findByText("This link has ended. Make a new link.")).toBeVisible();
  expect(screen.queryByRole("link", { name: "Open the app" })).not.toBeInTheDocument();
});

test("an address that only this computer reaches has no code to scan", async () => {
  const { user } = openProject();
  const url = "http://localhost:8000/storefront/?livery-preview=lvd_test";
  server.use(answer("post", LINKS, { url, token: "lvd_test", expiresAt: inAnHour() }, { status: 201 }));

  await makeLink(user, "localhost:8000/storefront/");

  expect(await screen.findByText(/a phone can't reach it/)).toBeVisible();
  expect(screen.queryByRole("img", { name: "QR code of the preview link" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Open the app" })).toHaveAttribute("href", url);
});
