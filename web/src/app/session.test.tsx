import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { aProjectSummary, aUser } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const loginTitle = { name: "Log in to Livery" };

beforeEach(() => {
  server.use(answer("get", "/api/projects", [aProjectSummary()]), answer("get", "/api/activity", []));
});

// spec: route-2
test.each(["/login", "/register"])("a signed-in visitor of %s is sent to the dashboard", async (path) => {
  const { router } = openSignedIn(path);

  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/dashboard");
});

/** As somebody whose browser has seen their record. */
function openAsDemo(path: string) {
  localStorage.setItem("user", JSON.stringify(aUser()));
  return openSignedIn(path);
}

test("a signed-in person follows a reset link, reads which account is open, and is logged out by the new password", async () => {
  const ended: (string | null)[] = [];
  server.use(
    answer("post", "/api/auth/reset-password/:token", { message: "", email: "mara@example.com", device: "dev_1" }),
    // The reset has ended the session on the server.
    answer(
      "post",
      "/api/auth/logout",
      { message: "No session." },
      {
        status: 401,
        onCall: (_, request) => ended.push(request.headers.get("Authorization")),
      },
    ),
  );
  const { user, router } = openAsDemo("/reset-password/tok");
  expect(await screen.findByRole("heading", { name: "Set a new password" })).toBeVisible();
  expect(
    screen.getByText(
      "You are logged in as Demo Person (demo@example.com). When the new password is set, this browser is logged out.",
    ),
  ).toBeVisible();
  expect(screen.getByRole("link", { name: "Back to the dashboard" })).toHaveAttribute("href", "/dashboard");

  await enter(user, screen.getByLabelText("New Password"), "a long password");
  await enter(user, screen.getByLabelText("Confirm New Password"), "a long password");
  await user.click(screen.getByRole("button", { name: "Set New Password" }));

  expect(await screen.findByText("Password has been reset successfully! Redirecting to login...")).toBeVisible();
  expect(localStorage.getItem("authToken")).toBeNull();
  await waitFor(() => expect(ended).toEqual(["Bearer a-session-token"]));
  expect(router.state.location.pathname).toBe("/reset-password/tok");
  await act(() => router.navigate("/login"));
  expect(await screen.findByRole("heading", loginTitle)).toBeVisible();
  expect(screen.queryByText("Session expired. Please log in again.")).not.toBeInTheDocument();
});

test("a refused reset link leaves a signed-in person logged in", async () => {
  server.use(refusal("post", "/api/auth/reset-password/:token", 400, { message: "The link may be invalid." }));
  const { user } = openAsDemo("/reset-password/tok");
  await enter(user, await screen.findByLabelText("New Password"), "a long password");
  await enter(user, screen.getByLabelText("Confirm New Password"), "a long password");
  await user.click(screen.getByRole("button", { name: "Set New Password" }));

  expect(await screen.findByRole("link", { name: "Ask for a new link" })).toBeVisible();
  expect(localStorage.getItem("authToken")).toBe("a-session-token");
});

test("a signed-in person can ask for a reset link", async () => {
  const bodies: unknown[] = [];
  server.use(answer("post", "/api/auth/forgot-password", { message: "" }, { onCall: (body) => bodies.push(body) }));
  const { user } = openAsDemo("/forgot-password");

  expect(await screen.findByText("You are logged in as Demo Person (demo@example.com).")).toBeVisible();
  await enter(user, screen.getByLabelText("Email"), "demo@example.com");
  await user.click(screen.getByRole("button", { name: "Send Reset Link" }));

  expect(await screen.findByText(/^Password reset link sent!/)).toBeVisible();
  expect(bodies).toEqual([{ email: "demo@example.com" }]);
});

test("logging out in another tab leaves a reset link open", async () => {
  const { router } = openAsDemo("/reset-password/tok");
  await screen.findByText(/^You are logged in as/);

  localStorage.removeItem("authToken");
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "authToken", newValue: null })));

  expect(await screen.findByRole("link", { name: "Back to log in" })).toBeVisible();
  expect(screen.queryByText(/^You are logged in as/)).not.toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/reset-password/tok");
});

// spec: route-3
test("the start of a signed-in person is the dashboard", async () => {
  const { router } = openSignedIn("/");

  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/dashboard");
});

// spec: route-4, list-10, create-11
test.each(["/", "/dashboard", "/projects", "/projects/create", "/settings", "/projects/prj_1", "/projects/prj_1/home"])(
  "a visitor without a session is sent from %s to the login page",
  async (path) => {
    const { router } = open(path);

    expect(await screen.findByRole("heading", loginTitle)).toBeVisible();
    expect(router.state.location.pathname).toBe("/login");
  },
);

/** The tests' router is in memory; the guard reads the fragment from the browser's address. */
function atFragment(fragment: string) {
  window.history.replaceState(null, "", `/settings?tab=a#${fragment}`);
  onTestFinished(() => window.history.replaceState(null, "", "/"));
}

test("a mail's link to a page of members fills in the email of the login page, and leads there", async () => {
  const sent: unknown[] = [];
  server.use(
    answer(
      "post",
      "/api/auth/login",
      { message: "", token: "tok", user: aUser() },
      { onCall: (body) => sent.push(body) },
    ),
    answer("get", "/api/user/me", aUser()),
  );
  atFragment("email=demo%2Bme%40example.com");
  const { user, router } = open("/projects#email=demo%2Bme%40example.com");
  expect(await screen.findByLabelText("Email")).toHaveValue("demo+me@example.com");
  expect(screen.getByLabelText("Password")).toHaveFocus();

  await user.keyboard("a long password{Enter}");

  expect(await screen.findByRole("heading", { level: 1, name: "Your Projects" })).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: "/projects", hash: "" });
  expect(sent).toEqual([expect.objectContaining({ email: "demo+me@example.com" })]);
});

test("with a session the email of a mail's link leaves the address bar, and a different fragment stays", async () => {
  atFragment("email=demo%40example.com");
  const { unmount } = openSignedIn("/dashboard#email=demo%40example.com");
  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  expect(window.location.href).toMatch(/\/settings\?tab=a$/);
  unmount();

  atFragment("sessions");
  openSignedIn("/dashboard");
  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  expect(window.location.hash).toBe("#sessions");
});

// spec: route-5
test("after login a visitor is where they wanted to be", async () => {
  server.use(
    answer("post", "/api/auth/login", { message: "", token: "tok", user: aUser() }),
    answer("get", "/api/user/me", aUser()),
  );
  const { user, router } = open("/projects");
  await enter(user, await screen.findByLabelText("Email"), "demo@example.com");
  await enter(user, screen.getByLabelText("Password"), "a long password");

  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByRole("heading", { level: 1, name: "Your Projects" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/projects");
});

// spec: session-7
test("a stored token is sent with every call of the dashboard", async () => {
  const sent: Record<string, string | null> = {};
  const onCall = (_: unknown, request: Request) => {
    sent[new URL(request.url).pathname] = request.headers.get("Authorization");
  };
  const paths = ["/api/user/me", "/api/projects", "/api/activity"];
  openSignedIn("/dashboard");
  server.use(
    answer("get", "/api/user/me", aUser(), { onCall }),
    answer("get", "/api/projects", [aProjectSummary()], { onCall }),
    answer("get", "/api/activity", [], { onCall }),
  );

  expect(await screen.findByText("No recent activity to display.")).toBeVisible();

  expect(sent).toEqual(Object.fromEntries(paths.map((path) => [path, "Bearer a-session-token"])));
});

// spec: session-4, list-11
test("a refused token ends the session, the login page shows that, and the login leads back", async () => {
  server.use(
    refusal("get", "/api/projects", 401, { message: "Session expired." }),
    answer("post", "/api/auth/login", { message: "", token: "fresh", user: aUser() }),
  );
  localStorage.setItem("currentProjectView", "{}");
  const { user, router } = openSignedIn("/projects");
  const actions = new Set<string>();
  router.subscribe(({ historyAction }) => actions.add(historyAction));

  expect(await screen.findByRole("heading", loginTitle)).toBeVisible();
  expect(await screen.findByText("Session expired. Please log in again.")).toBeInTheDocument();
  expect(actions, "the way back would lead to a page that is closed now").not.toContain("PUSH");
  for (const key of ["authToken", "user", "currentProjectView"]) expect(localStorage.getItem(key)).toBeNull();

  server.use(answer("get", "/api/projects", [aProjectSummary()]));
  await enter(user, screen.getByLabelText("Email"), "demo@example.com");
  await enter(user, screen.getByLabelText("Password"), "a long password");
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByRole("heading", { level: 2, name: "Aurora Travel" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/projects");
});

// spec: route-6, shell-3
test("logging out ends the session on the server, forgets everything and leads to the login page", async () => {
  const tokens: (string | null)[] = [];
  server.use(
    answer("post", "/api/auth/logout", null, {
      status: 204,
      onCall: (_, request) => tokens.push(request.headers.get("Authorization")),
    }),
  );
  const { user, router } = openSignedIn("/dashboard");

  await user.click(await screen.findByRole("link", { name: "Logout" }));

  expect(await screen.findByRole("heading", loginTitle)).toBeVisible();
  expect(router.state.location.pathname).toBe("/login");
  for (const key of ["authToken", "user", "currentProjectView"]) expect(localStorage.getItem(key)).toBeNull();
  await waitFor(() => expect(tokens).toEqual(["Bearer a-session-token"]));
});

// spec: route-6
test("the address /logout ends the session, also where the server can't be reached", async () => {
  server.use(offline("post", "/api/auth/logout"));
  const { router } = openSignedIn("/logout");

  expect(await screen.findByRole("heading", loginTitle)).toBeVisible();
  expect(router.state.location.pathname).toBe("/login");
  expect(localStorage.getItem("authToken")).toBeNull();
});

// spec: session-6
test("logging out in another tab ends the session here", async () => {
  openSignedIn("/dashboard");
  await screen.findByRole("heading", { level: 1, name: "Dashboard" });

  localStorage.removeItem("authToken");
  window.dispatchEvent(new StorageEvent("storage", { key: "authToken", newValue: null }));

  expect(await screen.findByRole("heading", loginTitle)).toBeVisible();
});

// spec: shell-6
test("the theme is switched and remembered", async () => {
  const { user } = openSignedIn("/dashboard");

  await user.click(await screen.findByRole("button", { name: "Switch to dark theme" }));

  expect(localStorage.getItem("theme")).toBe("dark");
  expect(document.documentElement).toHaveAttribute("data-theme", "dark");
  await user.click(screen.getByRole("button", { name: "Switch to light theme" }));
  expect(document.documentElement).toHaveAttribute("data-theme", "light");
});

// spec: route-7
test("an unknown address shows that it has no page", async () => {
  open("/nowhere");

  expect(await screen.findByRole("heading", { name: "There is no page at this address" })).toBeVisible();
});

// spec: event-1
test("a credit event renews the balance everywhere", async () => {
  openSignedIn("/dashboard");
  await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" });
  expect(screen.getAllByText("62 credits").length).toBe(2);

  window.dispatchEvent(new CustomEvent("userCreditsUpdated", { detail: { credits: 1 } }));

  await waitFor(() => expect(screen.getAllByText("1 credit").length).toBe(2));
});
