/** What the account forms show when the server refuses or is away; what was typed is kept, and a retry works. */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http, type RequestHandler } from "msw";
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
  for (const [label, text] of Object.entries(typed)) {
    await opened.user.click(await screen.findByLabelText(label));
    await opened.user.paste(text);
  }
  await opened.user.click(screen.getByRole("button", { name: button }));
  return opened;
}

function expectTyped(name: keyof typeof forms) {
  for (const [label, text] of Object.entries(forms[name].typed)) expect(screen.getByLabelText(label)).toHaveValue(text);
}

const OURS = "An unexpected error occurred. Please try again later.";
const failures = {
  login: { refused: "Login failed", offline: "Something went wrong. Please try again." },
  register: { refused: "Registration failed. Please try again.", offline: OURS },
  forgot: { refused: "Failed to send reset email. Please check the address and try again.", offline: OURS },
  reset: { refused: "Failed to reset password. The link may be invalid or expired.", offline: OURS },
} as const;

/** Sends a form once for each way to fail; it keeps what was typed, and stays where it is. */
async function failInEveryWay(name: keyof typeof forms, more: readonly [RequestHandler, string][] = []) {
  const { path, call, button } = forms[name];
  const message = "Too many tries. Wait a minute.";
  const ways: [RequestHandler, string][] = [
    [answer("post", call, {}, { status: 500 }), failures[name].refused],
    [refusal("post", call, 429, { message }), message],
    ...more,
    [offline("post", call), failures[name].offline],
  ];
  let opened: Awaited<ReturnType<typeof openAndSend>> | undefined;
  for (const [way, text] of ways) {
    server.use(way);
    if (opened === undefined) opened = await openAndSend(name);
    else await opened.user.click(screen.getByRole("button", { name: button }));
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(text));
    expectTyped(name);
    expect(opened.router.state.location.pathname).toBe(path);
  }
  if (opened === undefined) throw new Error("There is no way to fail.");
  return opened;
}

// spec: register-6, register-10, register-11, register-12, forgot-3, forgot-6, forgot-7, reset-6, reset-8, reset-9
test.each([
  ["register", "Account created successfully! Please check your email to verify."],
  ["forgot", "Password reset link sent! Please check your email (including spam folder)."],
  ["reset", "Password has been reset successfully! Redirecting to login..."],
] as const)(
  "%s: each failure shows its message; then a second try works, and the page shows '%s'",
  async (name, text) => {
    const { user } = await failInEveryWay(name);

    const person = { name: "Mara", email: "mara@example.com" };
    server.use(answer("post", forms[name].call, { message: "", ...person, user: person, device: "dev_1" }));
    await user.click(screen.getByRole("button", { name: forms[name].button }));

    expect(await screen.findByRole("status")).toHaveTextContent(text);
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  },
);

// spec: login-12, login-13, login-14, login-15, login-16
test("login: each failure shows its message, also an answer that is no JSON; then a second try works", async () => {
  const page = http.post("*/api/auth/login", () => new HttpResponse("<html>", { status: 200 }));
  const { user, router } = await failInEveryWay("login", [
    [page, "Something went wrong. Please try again."],
    // Its words are not those of the failure before it.
    [answer("post", forms.login.call, {}, { status: 500 }), failures.login.refused],
  ]);

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

// spec: login-20, login-22, login-23
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
])(
  "resending the mail from the login page: a failure with %s is shown, and the person can try again",
  async (_, failing, text) => {
    server.use(refusal("post", forms.login.call, 403, { message: unverified }), failing);
    const { user } = await openAndSend("login");
    await user.click(await screen.findByRole("button", { name: "Resend Email" }));
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByText(unverified)).not.toBeInTheDocument();

    server.use(answer("post", "/api/auth/resend-verification", { message: "" }));
    await user.click(screen.getByRole("button", { name: "Resend Email" }));

    expect(await screen.findByText("Verification email sent! Check your inbox and spam folder.")).toBeVisible();
    expect(screen.queryByText(text)).not.toBeInTheDocument();
  },
);

// spec: forgot-5, session-7
test("the account forms send no token, and send nothing without an email", async () => {
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
