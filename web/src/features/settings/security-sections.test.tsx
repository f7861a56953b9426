/** Password, sessions and the deletion of an account. */
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { answerSettings, minutesAgo, openSection } from "@/testing/account-sections";
import { aProjectSummary, aUser } from "@/testing/fixtures";
import { answer, refusal, server } from "@/testing/server";
import { aSession } from "@/testing/settings";
import { enter } from "@/testing/typing";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";

async function fillPasswords(
  { section, user }: Awaited<ReturnType<typeof openSection>>,
  [old, fresh, again]: [string, string, string],
) {
  await user.type(section.getByLabelText("Current Password"), old);
  await user.type(section.getByLabelText("New Password"), fresh);
  await user.type(section.getByLabelText("Confirm New Password"), again);
  await user.click(section.getByRole("button", { name: "Change Password" }));
}

async function openDeletion(user = aUser()) {
  const opened = await openSection("Delete account", user);
  await opened.user.click(opened.section.getByRole("button", { name: "Delete Account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
  await waitFor(() => expect(dialog.queryByRole("status", { name: "Loading the form" })).not.toBeInTheDocument());
  return { ...opened, dialog };
}

beforeEach(answerSettings);

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

test("passwords are never kept on the device", async () => {
  const { user, section } = await openSection("Change password");

  for (const label of ["Current Password", "New Password", "Confirm New Password"]) {
    await enter(user, section.getByLabelText(label), "a long and quiet river");
  }

  expect(JSON.stringify({ ...window.localStorage })).not.toContain("river");
});
