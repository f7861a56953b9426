import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aProject, aProjectSummary, aScreen, aUser, languages } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const LINK = "/api/invitations/:token";
const ACCEPT = "/api/invitations/:token/accept";
const invitation = {
  projectName: "Aurora Travel",
  inviterName: "Mara Lindt",
  email: "noor@example.com",
  role: "editor",
  expiresAt: "2026-12-05T10:00:00Z",
};
const noor = aUser({ name: "Noor Aziz", email: "Noor@example.com" });
const ID = aProject().projectId;

beforeEach(() => {
  server.use(answer("get", LINK, invitation));
});

function answerProject() {
  server.use(
    answer("get", `/api/projects/${ID}`, aProject({ role: "editor" })),
    answer("get", `/api/translations/${ID}/general`, aScreen([])),
    answer("get", "/api/languages", { languages }),
  );
}

// spec: invite-1
test("somebody without a session reads who invites them to what, and signs up with that address", async () => {
  const paths: string[] = [];
  server.use(answer("get", LINK, invitation, { onCall: (_, request) => paths.push(new URL(request.url).pathname) }));
  const { user, router } = open("/invite/tok_1");

  expect(await screen.findByRole("heading", { name: "Join Aurora Travel" })).toBeVisible();
  expect(screen.getByText(/invites/)).toHaveTextContent(
    "Mara Lindt invites noor@example.com to work on Aurora Travel as an editor.",
  );
  expect(screen.getByText(/Edits texts, colours, images and data/)).toHaveTextContent("ends Dec 5, 2026");
  expect(screen.queryByRole("button", { name: "Accept" })).not.toBeInTheDocument();
  expect(paths).toEqual(["/api/invitations/tok_1"]);

  await user.click(screen.getByRole("link", { name: "Sign up" }));

  expect(await screen.findByRole("heading", { name: "Create your account" })).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveValue("noor@example.com");
  expect(router.state.location.pathname).toBe("/register");
});

// spec: invite-2
test("a person who logs in comes back, accepts, and is in the project", async () => {
  const accepted: string[] = [];
  answerProject();
  server.use(
    answer("post", "/api/auth/login", { message: "Welcome", token: "tok_s", user: noor }),
    answer("get", "/api/user/me", noor),
    answer("post", ACCEPT, aProject({ role: "editor" }), {
      onCall: (_, request) => accepted.push(new URL(request.url).pathname),
    }),
  );
  const { user, router } = open("/invite/tok_1");
  await user.click(await screen.findByRole("link", { name: "Log in" }));
  expect(await screen.findByLabelText("Email")).toHaveValue("noor@example.com");
  await enter(user, screen.getByLabelText("Password"), "seven grey herons");
  await user.click(screen.getByRole("button", { name: "Log in" }));

  await user.click(await screen.findByRole("button", { name: "Accept" }));

  // The message first: it goes after two seconds, and the page behind it may take longer to draw.
  expect(await screen.findByText("You are in Aurora Travel.")).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/general`));
  expect(accepted).toEqual(["/api/invitations/tok_1/accept"]);
});

test("an invitation that can't be accepted shows why, and can be tried again", async () => {
  const full = "This project has no free seat right now. Ask whoever invited you to make room.";
  server.use(refusal("post", ACCEPT, 403, { message: full, code: "seat_limit" }));
  const { user } = openSignedIn("/invite/tok_1", noor);
  const accept = await screen.findByRole("button", { name: "Accept" });

  await user.click(accept);
  expect(await screen.findByRole("alert")).toHaveTextContent(full);

  server.use(offline("post", ACCEPT));
  await user.click(accept);
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("The server could not be reached."));
});

// spec: invite-4
test("a person who is logged in with a different address reads that, and comes back after logging out", async () => {
  server.use(answer("post", "/api/auth/logout", null, { status: 204 }));
  const { user, router } = openSignedIn("/invite/tok_1", aUser());

  expect(await screen.findByText(/You are logged in as demo@example\.com/)).toHaveTextContent(
    "This invitation is for noor@example.com: log out, and come back with that account.",
  );
  expect(screen.queryByRole("button", { name: "Accept" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Stay as Demo Person" })).toHaveAttribute("href", "/dashboard");

  await user.click(screen.getByRole("link", { name: "Log out" }));

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  server.use(
    answer("post", "/api/auth/login", { message: "Welcome", token: "tok_s", user: noor }),
    answer("get", "/api/user/me", noor),
  );
  await enter(user, screen.getByLabelText("Email"), "noor@example.com");
  await enter(user, screen.getByLabelText("Password"), "seven grey herons");
  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByRole("button", { name: "Accept" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/invite/tok_1");
});

test("an address that is not verified yet has to be verified first", async () => {
  openSignedIn("/invite/tok_1", { ...noor, isVerified: false });

  expect(await screen.findByText(/Verify your email first/)).toHaveTextContent("You are in Aurora Travel as soon as");
  expect(screen.queryByRole("button", { name: "Accept" })).not.toBeInTheDocument();
});

// spec: invite-5
test.each([
  [410, "invitation_withdrawn", "This invitation was withdrawn or declined."],
  [410, "invitation_expired", "This invitation has expired. Ask to be invited again."],
  [404, "invitation_not_found", "This invitation does not exist, or it is for somebody else."],
])("a dead link shows what became of it: %i %s", async (status, code, message) => {
  server.use(refusal("get", LINK, status, { message, code }));
  open("/invite/tok_1");

  expect(await screen.findByRole("heading", { name: "This invitation no longer works" })).toBeVisible();
  expect(screen.getByText(message)).toBeVisible();
  expect(screen.getByRole("link", { name: "Log in" })).toHaveAttribute("href", "/login");
  expect(screen.queryByRole("button", { name: "Open the project" })).not.toBeInTheDocument();
});

const used = refusal("get", LINK, 410, { message: "This invitation was used already.", code: "invitation_accepted" });

// spec: invite-3
test("a used link opens the project for the person who used it", async () => {
  answerProject();
  server.use(
    used,
    answer("post", ACCEPT, aProject({ role: "editor" })),
    answer("get", "/api/projects", [aProjectSummary()]),
  );
  const { router } = openSignedIn("/invite/tok_1", noor);

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/general`));
  expect(await screen.findByText("You are in Aurora Travel.")).toBeInTheDocument();
});

test("a person who joined by verifying the email gets into the project by logging in, without a refusal", async () => {
  answerProject();
  server.use(
    used,
    answer("post", ACCEPT, aProject({ role: "editor" })),
    answer("post", "/api/auth/login", { message: "Welcome", token: "tok_s", user: noor }),
    answer("get", "/api/user/me", noor),
  );
  const { user, router } = open("/invite/tok_1");
  expect(await screen.findByRole("heading", { name: "Welcome back" })).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Log in" }));
  await enter(user, await screen.findByLabelText("Email"), "noor@example.com");
  await enter(user, screen.getByLabelText("Password"), "seven grey herons");
  await user.click(screen.getByRole("button", { name: "Log in" }));

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/general`));
});

test("a link that somebody else used shows that", async () => {
  const message = "This invitation does not exist, or it is for somebody else.";
  server.use(used, refusal("post", ACCEPT, 404, { message, code: "invitation_not_found" }));
  openSignedIn("/invite/tok_1", aUser());

  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to the dashboard" })).toHaveAttribute("href", "/dashboard");
});

test("a used link that finds no network can be tried again", async () => {
  answerProject();
  server.use(used, offline("post", ACCEPT));
  const { user, router } = openSignedIn("/invite/tok_1", noor);
  expect(await screen.findByRole("alert")).toHaveTextContent("The server could not be reached.");

  server.use(answer("post", ACCEPT, aProject({ role: "editor" })));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${ID}/general`));
});

test("without a network the link can be tried again", async () => {
  server.use(offline("get", LINK));
  const { user } = open("/invite/tok_1");
  expect(await screen.findByRole("alert")).toHaveTextContent("The server could not be reached.");

  server.use(answer("get", LINK, invitation));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "Join Aurora Travel" })).toBeVisible();
});

// spec: invite-6
test("the page view has the route, never the link", async () => {
  const told: unknown[] = [];
  server.use(answer("post", "/api/analytics/page-view", null, { status: 204, onCall: (body) => told.push(body) }));
  open("/invite/a-secret-token");
  await screen.findByRole("heading", { name: "Join Aurora Travel" });

  await waitFor(() => expect(told).toEqual([{ path: "/invite/:token" }]));
});
