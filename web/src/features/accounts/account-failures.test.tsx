/** What the account forms say when the server refuses or is away; what was typed is kept, and a retry works. */
import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { aUser } from "@/testing/fixtures";
import { open } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";

const forms = {
  login: {
    path: "/login",
    call: "/api/auth/login",
    button: "Log in",
    typed: { Email: "mara@example.com", Password: "a long and quiet river" },
  },
  register: {
    path: "/register",
    call: "/api/auth/register",
    button: "Create account",
    typed: { "Full Name": "Mara Lindt", Email: "mara@example.com", Password: "a long and quiet river" },
  },
  forgot: {
    path: "/forgot-password",
    call: "/api/auth/forgot-password",
    button: "Send Reset Link",
    typed: { Email: "mara@example.com" },
  },
  reset: {
    path: "/reset-password/tok",
    call: "/api/auth/reset-password/:token",
    button: "Set New Password",
    typed: { "New Password": "a long and quiet river", "Confirm New Password": "a long and quiet river" },
  },
} as const;

async function openAndSend(name: keyof typeof forms) {
  const { path, button, typed } = forms[name];
  const opened = open(path);
  for (const [label, text] of Object.entries(typed)) await opened.user.type(await screen.findByLabelText(label), text);
  await opened.user.click(screen.getByRole("button", { name: button }));
  return opened;
}

function expectTyped(name: keyof typeof forms) {
  for (const [label, text] of Object.entries(forms[name].typed)) expect(screen.getByLabelText(label)).toHaveValue(text);
}

test.each([
  ["login", "Login failed"],
  ["register", "Registration failed. Please try again."],
  ["forgot", "Failed to send reset email. Please check the address and try again."],
  ["reset", "Failed to reset password. The link may be invalid or expired."],
] as const)("%s: refused without a message, the page says '%s' and keeps what was typed", async (name, text) => {
  server.use(answer("post", forms[name].call, {}, { status: 500 }));
  const { router } = await openAndSend(name);

  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  expectTyped(name);
  expect(router.state.location.pathname).toBe(forms[name].path);
});

test.each([
  ["login", "Something went wrong. Please try again."],
  ["register", "An unexpected error occurred. Please try again later."],
  ["forgot", "An unexpected error occurred. Please try again later."],
  ["reset", "An unexpected error occurred. Please try again later."],
] as const)("%s: without a network the page says '%s' and keeps what was typed", async (name, text) => {
  server.use(offline("post", forms[name].call));
  await openAndSend(name);

  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  expectTyped(name);
});

test.each(["login", "register", "forgot", "reset"] as const)(
  "%s: the server's own message is shown as it is",
  async (name) => {
    const message = "Too many tries. Wait a minute.";
    server.use(refusal("post", forms[name].call, 429, { message }));
    await openAndSend(name);

    expect(await screen.findByRole("alert")).toHaveTextContent(message);
    expectTyped(name);
  },
);

test("login: an answer that is no JSON is as good as none", async () => {
  server.use(http.post("*/api/auth/login", () => new HttpResponse("<html>", { status: 200 })));
  await openAndSend("login");

  expect(await screen.findByRole("alert")).toHaveTextContent("Something went wrong. Please try again.");
  expectTyped("login");
});

test.each([
  ["register", "Account created successfully! Please check your email to verify."],
  ["forgot", "Password reset link sent! Please check your email (including spam folder)."],
  ["reset", "Password has been reset successfully! Redirecting to login..."],
] as const)("%s: a second try works, and says '%s' when the server says nothing", async (name, text) => {
  server.use(offline("post", forms[name].call));
  const { user } = await openAndSend(name);
  await screen.findByRole("alert");

  server.use(answer("post", forms[name].call, { message: "", user: { name: "Mara", email: "mara@example.com" } }));
  await user.click(screen.getByRole("button", { name: forms[name].button }));

  expect(await screen.findByRole("status")).toHaveTextContent(text);
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

test("login: a second try works", async () => {
  server.use(offline("post", forms.login.call));
  const { user, router } = await openAndSend("login");
  await screen.findByRole("alert");

  server.use(
    answer("post", forms.login.call, { message: "", token: "tok", user: aUser() }),
    answer("get", "/api/user/me", aUser()),
    answer("get", "/api/projects", []),
    answer("get", "/api/activity", []),
  );
  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/dashboard");
});

const unverified = "Please verify your email first. Follow the link in the mail we sent you.";

test.each([
  [
    "the server's message",
    refusal("post", "/api/auth/resend-verification", 429, { message: "Wait a minute." }),
    "Wait a minute.",
  ],
  [
    "no message",
    answer("post", "/api/auth/resend-verification", {}, { status: 500 }),
    "Failed to resend verification email",
  ],
  ["no network", offline("post", "/api/auth/resend-verification"), "Something went wrong. Please try again."],
])("resending the mail from the login page: %s is told, and it can be tried again", async (_, failing, text) => {
  server.use(refusal("post", forms.login.call, 403, { message: unverified }), failing);
  const { user } = await openAndSend("login");
  await user.click(await screen.findByRole("button", { name: "Resend Email" }));
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByText(unverified)).not.toBeInTheDocument();

  server.use(answer("post", "/api/auth/resend-verification", { message: "" }));
  await user.click(screen.getByRole("button", { name: "Resend Email" }));

  expect(await screen.findByText("Verification email sent! Check your inbox and spam folder.")).toBeVisible();
  expect(screen.queryByText(text)).not.toBeInTheDocument();
});

test("the account forms carry no token, and are stopped before an empty one is sent", async () => {
  const sent: (string | null)[] = [];
  const onCall = (_: unknown, request: Request) => sent.push(request.headers.get("Authorization"));
  for (const name of ["register", "forgot"] as const) {
    server.use(answer("post", forms[name].call, {}, { status: 500, onCall }));
    const { user, unmount } = open(forms[name].path);

    await user.click(await screen.findByRole("button", { name: forms[name].button }));
    expect(await screen.findByText("Enter your email.")).toBeVisible();
    expect(sent).toEqual([]);
    unmount();

    const again = await openAndSend(name);
    await screen.findByRole("alert");
    expect(sent).toEqual([null]);
    sent.length = 0;
    again.unmount();
  }
});
