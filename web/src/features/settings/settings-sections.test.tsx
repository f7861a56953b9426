import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { answerSettings, minutesAgo, openSection } from "@/testing/account-sections";
import { renderPart } from "@/testing/component";
import { aUser } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, offline, refusal, server } from "@/testing/server";
import { aKey, KEY } from "@/testing/settings";
import { enter } from "@/testing/typing";
import { SettingsPage } from "./settings-page";

beforeEach(answerSettings);

// spec: settings-1
test("the page shows name, email and balance, and explains credits", async () => {
  const { section, user } = await openSection("Profile");
  server.use(answer("get", "/api/plans", { creditPrice: "1.00", durations: [1], plans: [] }));

  expect(screen.getByRole("heading", { level: 1, name: "Account Settings" })).toBeVisible();
  expect(section.getByText("Full Name").nextElementSibling).toHaveTextContent("Demo Person");
  expect(section.getByText("Email Address").nextElementSibling).toHaveTextContent("demo@example.com");
  expect(section.queryByRole("textbox")).not.toBeInTheDocument();
  const credits = within(screen.getByRole("region", { name: "Your Credits" }));
  expect(credits.getByText("62 credits")).toBeVisible();
  await user.click(credits.getByRole("button", { name: "What are Credits" }));
  expect(await screen.findByRole("heading", { name: "What are Credits" })).toBeInTheDocument();
});

test("an empty name is refused, the server's complaint is shown at the field, Escape leaves the name as it was", async () => {
  server.use(refusal("put", "/api/user/me", 422, { message: "No", fields: { name: "Remove invisible characters." } }));
  const { section, user } = await openSection("Profile");
  await user.click(section.getByRole("button", { name: "Edit name" }));
  const field = section.getByRole("textbox", { name: "Full Name" });

  await user.clear(field);
  await user.click(section.getByRole("button", { name: "Save" }));
  expect(await section.findByText("Enter your name.")).toBeVisible();
  await user.type(field, "Noor");
  await user.click(section.getByRole("button", { name: "Save" }));
  expect(await section.findByText("Remove invisible characters.")).toBeVisible();
  expect(field).toHaveValue("Noor");
  await user.keyboard("{Escape}");

  expect(await section.findByText("Demo Person")).toBeVisible();
});

// spec: settings-3, settings-4
test("Copy Key copies the key, which is hidden until it is asked for", async () => {
  const { section, user } = await openSection("Developer API Key");
  await section.findByRole("button", { name: "Show key" });

  expect(section.queryByText(KEY)).not.toBeInTheDocument();
  await user.click(section.getByRole("button", { name: "Copy Key" }));
  expect(await screen.findByText("API Key copied!")).toBeInTheDocument();
  expect(await window.navigator.clipboard.readText()).toBe(KEY);
  await user.click(section.getByRole("button", { name: "Show key" }));
  expect(section.getByText(KEY)).toBeVisible();
});

// spec: settings-5
test("without a key there is no key to copy; a toast shows why, and the key can be loaded again", async () => {
  server.use(refusal("get", "/api/user/apikey", 500, { message: "" }));
  const { section, user } = await openSection("Developer API Key");

  await waitFor(() => expect(screen.getAllByText("Failed to fetch API key")).toHaveLength(2)); // on the page, and as a toast
  await user.click(section.getByRole("button", { name: "Copy Key" }));
  expect(await screen.findByText("No API key to copy.")).toBeInTheDocument();

  server.use(answer("get", "/api/user/apikey", { apikey: KEY }));
  await user.click(section.getByRole("button", { name: "Try again" }));
  expect(await section.findByRole("button", { name: "Show key" })).toBeVisible();
});

test("a new key is made after a question that explains what ends, and the present key joins the older keys", async () => {
  const { section, user } = await openSection("Developer API Key");
  await user.click(await section.findByRole("button", { name: "New key" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Make a new API key?" }));
  expect(dialog.getByText(/the present key keeps working/)).toBeVisible();
  const fresh = KEY.replace("NeR9", "aB3d");
  server.use(
    answer("post", "/api/user/apikey/rotate", { apikey: fresh }, { status: 201 }),
    answer("get", "/api/user/apikeys", {
      apikeys: [aKey({ _id: "key_2", hint: "aB3d" }), aKey({ current: false, lastUsedAt: minutesAgo(180) })],
    }),
  );

  await user.click(dialog.getByRole("button", { name: "Make a new key" }));

  const older = await section.findByRole("list", { name: "Older keys" });
  expect(older).toHaveTextContent("lvk_…NeR9");
  expect(older).toHaveTextContent("Last used 3 hours ago · made Nov 19, 2026");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await user.click(section.getByRole("button", { name: "Copy Key" }));
  expect(await window.navigator.clipboard.readText()).toBe(fresh);
});

test("an older key is ended after a question, and is not listed any more", async () => {
  const ended: string[] = [];
  server.use(
    answer("get", "/api/user/apikeys", {
      apikeys: [
        aKey(),
        aKey({ _id: "key_0", hint: "0ld0", current: false }),
        aKey({ _id: "key_x", hint: null, current: false }),
      ],
    }),
    answer(
      "delete",
      "/api/user/apikeys/:id",
      { message: "" },
      { onCall: (_, { url }) => ended.push(new URL(url).pathname) },
    ),
  );
  const { section, user } = await openSection("Developer API Key");
  await user.click(await section.findByRole("button", { name: "End key lvk_…0ld0" }));
  const dialog = within(await screen.findByRole("dialog", { name: "End key lvk_…0ld0?" }));
  expect(dialog.getByText(/Never used\. Whatever still uses this key gets no content/)).toBeVisible();
  server.use(answer("get", "/api/user/apikeys", { apikeys: [aKey()] }));

  await user.click(dialog.getByRole("button", { name: "End key" }));

  expect(await screen.findByText("The key was ended.")).toBeInTheDocument();
  await waitFor(() => expect(section.queryByRole("list", { name: "Older keys" })).not.toBeInTheDocument());
  expect(ended).toEqual(["/api/user/apikeys/key_0"]);
});

// spec: settings-6
test("a failed load is shown in a toast and can be tried again", async () => {
  localStorage.setItem("authToken", "a-session-token");
  server.use(offline("get", "/api/user/me"));
  const { user } = renderPart(<SettingsPage />, { at: "/settings" });

  await waitFor(() => expect(screen.getAllByText("Failed to fetch user data")).toHaveLength(2)); // on the page, and as a toast

  server.use(answer("get", "/api/user/me", aUser()));
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("region", { name: "Profile" })).toBeVisible();
});

test("a name that was typed is offered again after the page was left; Cancel gives it up", async () => {
  const first = await openSection("Profile");
  await first.user.click(first.section.getByRole("button", { name: "Edit name" }));
  await enter(first.user, first.section.getByRole("textbox", { name: "Full Name" }), " of Oslo");
  first.unmount();

  const { user, section, unmount } = await openSection("Profile");
  await user.click(section.getByRole("button", { name: "Edit name" }));
  expect(section.getByRole("textbox", { name: "Full Name" })).toHaveValue("Demo Person");
  await user.click(await findOfferOfText());
  expect(section.getByRole("textbox", { name: "Full Name" })).toHaveValue("Demo Person of Oslo");
  await user.click(section.getByRole("button", { name: "Cancel" }));
  unmount();

  const third = await openSection("Profile");
  await third.user.click(third.section.getByRole("button", { name: "Edit name" }));
  expect(offerOfText()).not.toBeInTheDocument();
});
