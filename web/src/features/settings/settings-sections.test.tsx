import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { renderPart } from "@/testing/component";
import { aProjectSummary, aUser } from "@/testing/fixtures";
import { findOfferOfText, offerOfText } from "@/testing/kept";
import { answer, offline, refusal, server } from "@/testing/server";
import { aKey, aSession, KEY } from "@/testing/settings";
import { enter } from "@/testing/typing";
import { SettingsPage } from "./settings-page";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

beforeEach(() => {
  server.use(
    answer("get", "/api/user/apikey", { apikey: KEY }),
    answer("get", "/api/user/apikeys", { apikeys: [aKey()] }),
    answer("get", "/api/user/sessions", { sessions: [aSession()] }),
    answer("get", "/api/projects", []),
  );
});

/** Opens the page and waits for it; gives the section with this title. */
async function openSection(title: string, user = aUser()) {
  const opened = renderPart(<SettingsPage />, { at: "/settings", me: user });
  const element = await screen.findByRole("region", { name: title });
  return { ...opened, section: within(element) };
}

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

async function fillPasswords(
  { section, user }: Awaited<ReturnType<typeof openSection>>,
  [old, fresh, again]: [string, string, string],
) {
  await user.type(section.getByLabelText("Current Password"), old);
  await user.type(section.getByLabelText("New Password"), fresh);
  await user.type(section.getByLabelText("Confirm New Password"), again);
  await user.click(section.getByRole("button", { name: "Change Password" }));
}

test("a changed password empties the form and asks for the sessions again", async () => {
  const sent: unknown[] = [];
  server.use(
    answer(
      "put",
      "/api/user/password",
      { message: "Your password was changed." },
      { onCall: (body) => sent.push(body) },
    ),
    answer("get", "/api/user/sessions", { sessions: [aSession(), aSession({ _id: "ses_2", current: false })] }),
  );
  const opened = await openSection("Change password");
  await screen.findByRole("button", { name: /^Revoke/ });
  server.use(answer("get", "/api/user/sessions", { sessions: [aSession()] }));

  await fillPasswords(opened, ["an old one", "a new one!", "a new one!"]);

  expect(await screen.findByText("Your password was changed.")).toBeInTheDocument();
  expect(sent).toEqual([{ oldPassword: "an old one", newPassword: "a new one!" }]);
  expect(opened.section.getByLabelText("Current Password")).toHaveValue("");
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Revoke/ })).not.toBeInTheDocument());
});

test("passwords that are missing, short or different are refused before the server is asked", async () => {
  const opened = await openSection("Change password");

  await fillPasswords(opened, [" ", "short", "other"]);

  expect(await opened.section.findByText("Password must be at least 8 characters long.")).toBeVisible();
  expect(opened.section.getByText("Passwords do not match. Please try again.")).toBeVisible();
});

test("a wrong current password is reported at its field, and what was typed stays", async () => {
  server.use(
    refusal("put", "/api/user/password", 422, { message: "No", fields: { oldPassword: "This is not your password." } }),
  );
  const opened = await openSection("Change password");

  await fillPasswords(opened, ["an old one", "a new one!", "a new one!"]);

  expect(await opened.section.findByText("This is not your password.")).toBeVisible();
  expect(opened.section.getByLabelText("New Password")).toHaveValue("a new one!");
});

test("sessions name their device, this one first, and others can be revoked", async () => {
  const ended: string[] = [];
  server.use(
    answer("get", "/api/user/sessions", {
      sessions: [aSession({ _id: "ses_2", current: false, userAgent: IPHONE, lastUsedAt: minutesAgo(3) }), aSession()],
    }),
    answer(
      "delete",
      "/api/user/sessions/:id",
      { message: "" },
      { onCall: (_, { url }) => ended.push(new URL(url).pathname) },
    ),
  );
  const { section, user } = await openSection("Sessions");

  const [own, phone] = await section.findAllByRole("listitem");
  expect(own).toHaveTextContent("Firefox on Linux This device");
  expect(own).toHaveTextContent("In use now · logged in Nov 19, 2026");
  expect(phone).toHaveTextContent("Safari on iPhone");
  expect(phone).toHaveTextContent("Last used 3 minutes ago");
  expect(section.getAllByRole("button")).toHaveLength(1);
  server.use(answer("get", "/api/user/sessions", { sessions: [aSession()] }));
  await user.click(section.getByRole("button", { name: "Revoke Safari on iPhone" }));

  expect(await screen.findByText("Safari on iPhone was logged out.")).toBeInTheDocument();
  await waitFor(() => expect(section.getAllByRole("listitem")).toHaveLength(1));
  expect(ended).toEqual(["/api/user/sessions/ses_2"]);
});

async function openDeletion(user = aUser()) {
  const opened = await openSection("Delete account", user);
  await opened.user.click(opened.section.getByRole("button", { name: "Delete Account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
  await waitFor(() => expect(dialog.queryByRole("status", { name: "Loading the form" })).not.toBeInTheDocument());
  return { ...opened, dialog };
}

test("a wrong password is reported at its field and deletes nothing", async () => {
  server.use(
    refusal("delete", "/api/user/me", 422, { message: "No", fields: { password: "This is not your password." } }),
  );
  const { dialog, user } = await openDeletion();
  await enter(user, dialog.getByLabelText("Your email"), "demo@example.com");
  await user.type(dialog.getByLabelText("Password"), "wrong");
  await user.click(dialog.getByRole("button", { name: "Delete Account" }));

  expect(await dialog.findByText("This is not your password.")).toBeVisible();
  expect(window.localStorage.getItem("authToken")).not.toBeNull();
});

test("a person without a password deletes without it, and reads why the server refuses", async () => {
  const sent: unknown[] = [];
  server.use(
    answer("get", "/api/user/identities", { name: "Acme", hasPassword: false, identities: [] }),
    answer(
      "delete",
      "/api/user/me",
      {
        message: "Log out and log in again.",
        code: "login_too_old",
        fields: { password: "Log out and log in again." },
      },
      { status: 422, onCall: (body) => sent.push(body) },
    ),
  );
  const { dialog, user } = await openDeletion();
  await waitFor(() => expect(dialog.queryByLabelText("Password")).not.toBeInTheDocument());
  await enter(user, dialog.getByLabelText("Your email"), "demo@example.com");
  await user.click(dialog.getByRole("button", { name: "Delete Account" }));

  expect(await dialog.findByRole("alert")).toHaveTextContent("Log out and log in again.");
  expect(sent).toEqual([{ password: "" }]);
});

test("an owner of projects reads which projects, in place of a form", async () => {
  server.use(
    answer("get", "/api/projects", [
      aProjectSummary(),
      aProjectSummary({ projectId: "prj_2", name: "Somebody else's", role: "editor" }),
    ]),
  );
  const { dialog } = await openDeletion();

  const owned = await dialog.findByRole("list", { name: "Projects you own" });
  expect(
    within(owned)
      .getAllByRole("link")
      .map((link) => link.textContent),
  ).toEqual(["Aurora Travel"]);
  expect(dialog.queryByLabelText("Password")).not.toBeInTheDocument();
});

test("a refusal because of a project that the page did not know lists that project", async () => {
  const { dialog, user } = await openDeletion();
  await enter(user, dialog.getByLabelText("Your email"), "demo@example.com");
  await enter(user, dialog.getByLabelText("Password"), "a long and quiet river");
  server.use(
    refusal("delete", "/api/user/me", 409, { message: "You own projects.", code: "owns_projects" }),
    answer("get", "/api/projects", [aProjectSummary()]),
  );

  await user.click(dialog.getByRole("button", { name: "Delete Account" }));

  expect(await dialog.findByRole("list", { name: "Projects you own" })).toHaveTextContent("Aurora Travel");
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

test("passwords are never kept on the device", async () => {
  const { user, section } = await openSection("Change password");

  for (const label of ["Current Password", "New Password", "Confirm New Password"]) {
    await enter(user, section.getByLabelText(label), "a long and quiet river");
  }

  expect(JSON.stringify({ ...window.localStorage })).not.toContain("river");
});
