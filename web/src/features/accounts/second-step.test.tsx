import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProjectSummary, aUser } from "@/testing/fixtures";
import { open } from "@/testing/open";
import { LOGIN_OPTIONS, SIGNED, withPasskeys } from "@/testing/passkeys";
import { answer, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

const STEP = {
  message: "Enter the code of your authenticator app.",
  ticket: "tick_1",
  methods: ["totp", "recovery"],
  passkeyOptions: null,
};
const WELCOME = { message: "Logged in.", token: "tok_1", user: aUser(), device: "dev_1" };

function answerDashboard() {
  server.use(
    answer("get", "/api/user/me", aUser()),
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/activity", []),
  );
}

/** Logs in with the password; the server then asks for the second step. */
async function enterPassword(step: object = STEP) {
  server.use(answer("post", "/api/auth/login", { ...STEP, ...step }, { status: 202 }));
  const opened = open("/login");
  await enter(opened.user, await screen.findByLabelText("Email"), "demo@example.com");
  await enter(opened.user, screen.getByLabelText("Password"), "a long password");
  await opened.user.click(screen.getByRole("button", { name: "Log in" }));
  return opened;
}

const welcome = () => screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" });

test("a right password leads to the second step, and the code to the dashboard", async () => {
  const bodies: unknown[] = [];
  server.use(answer("post", "/api/auth/login/second-factor", WELCOME, { onCall: (body) => bodies.push(body) }));
  answerDashboard();
  const { user } = await enterPassword();

  const field = await screen.findByLabelText("Code of your authenticator app");
  expect(field).toHaveFocus();
  expect(field).toHaveAttribute("autocomplete", "one-time-code");
  expect(field).toHaveAttribute("inputmode", "numeric");
  expect(screen.getByText("demo@example.com")).toBeVisible();
  expect(localStorage.getItem("authToken")).toBeNull();
  await user.type(field, "123 456");
  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await welcome()).toBeVisible();
  expect(bodies).toEqual([{ ticket: "tick_1", code: "123 456" }]);
  expect(localStorage.getItem("authToken")).toBe("tok_1");
});

test("a wrong code is reported at its field, and can be corrected", async () => {
  server.use(
    refusal("post", "/api/auth/login/second-factor", 422, {
      message: "No",
      fields: { code: "This code is not right. Check it and try again." },
    }),
  );
  const { user } = await enterPassword();
  await user.click(await screen.findByRole("button", { name: "Log in" }));
  expect(await screen.findByText("Enter the six digits.")).toBeVisible();

  await user.type(screen.getByLabelText("Code of your authenticator app"), "000000");
  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByText("This code is not right. Check it and try again.")).toBeVisible();
  expect(screen.getByLabelText("Code of your authenticator app")).toHaveValue("000000");
});

test("an expired second step returns to the password, with the email and a reason", async () => {
  const message = "This login took too long or was used. Please log in again.";
  server.use(refusal("post", "/api/auth/login/second-factor", 401, { message, code: "login_over" }));
  const { user } = await enterPassword();
  await user.type(await screen.findByLabelText("Code of your authenticator app"), "123456");
  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(message);
  expect(screen.getByLabelText("Email")).toHaveValue("demo@example.com");
});

test("a recovery code can take the place of the app, and Back keeps the email", async () => {
  const bodies: unknown[] = [];
  server.use(answer("post", "/api/auth/login/second-factor", WELCOME, { onCall: (body) => bodies.push(body) }));
  answerDashboard();
  const { user } = await enterPassword();
  await user.click(await screen.findByRole("button", { name: "Back" }));
  expect(screen.getByLabelText("Email")).toHaveValue("demo@example.com");
  await user.click(screen.getByRole("button", { name: "Log in" }));

  await user.click(await screen.findByRole("button", { name: "Use a recovery code" }));
  expect(screen.getByRole("button", { name: "Use a code of the app" })).toBeVisible();
  await enter(user, screen.getByLabelText("Recovery code"), "abcd-efgh-ijkl-mnop");
  await user.keyboard("{Enter}");

  expect(await welcome()).toBeVisible();
  expect(bodies).toEqual([{ ticket: "tick_1", code: "abcd-efgh-ijkl-mnop" }]);
});

test("a passkey passes the second step", async () => {
  const asked = withPasskeys();
  const bodies: unknown[] = [];
  server.use(answer("post", "/api/auth/login/second-factor", WELCOME, { onCall: (body) => bodies.push(body) }));
  answerDashboard();
  const { user } = await enterPassword({ methods: ["passkey", "recovery"], passkeyOptions: LOGIN_OPTIONS });
  expect(screen.queryByLabelText("Code of your authenticator app")).not.toBeInTheDocument();

  await user.click(await screen.findByRole("button", { name: "Use a passkey" }));

  expect(await welcome()).toBeVisible();
  expect(bodies).toEqual([{ ticket: "tick_1", passkey: SIGNED }]);
  expect(asked).toMatchObject([{ publicKey: { rpId: "localhost", userVerification: "required" } }]);
});

test("without passkeys in this browser, a person with a passkey is offered the recovery codes", async () => {
  await enterPassword({ methods: ["passkey", "recovery"], passkeyOptions: LOGIN_OPTIONS });

  expect(await screen.findByRole("button", { name: "Use a recovery code" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Use a passkey" })).not.toBeInTheDocument();
});

test("a passkey alone logs in; the page has no such button where the browser can't do it", async () => {
  const first = open("/login");
  await screen.findByLabelText("Email");
  expect(screen.queryByRole("button", { name: "Log in with a passkey" })).not.toBeInTheDocument();
  first.unmount();

  withPasskeys();
  const bodies: unknown[] = [];
  server.use(
    answer("post", "/api/auth/login/passkey/options", {
      ticket: "tick_2",
      options: { ...LOGIN_OPTIONS, allowCredentials: [] },
    }),
    answer("post", "/api/auth/login/passkey", WELCOME, { onCall: (body) => bodies.push(body) }),
  );
  answerDashboard();
  const { user } = open("/login");
  await user.click(await screen.findByRole("button", { name: "Log in with a passkey" }));

  expect(await welcome()).toBeVisible();
  expect(bodies).toEqual([{ ticket: "tick_2", passkey: SIGNED }]);
  expect(localStorage.getItem("authToken")).toBe("tok_1");
});

test("a person who cancels the browser's question reads that no passkey was used, and can go on", async () => {
  withPasskeys({ fails: new DOMException("no", "NotAllowedError") });
  server.use(answer("post", "/api/auth/login/passkey/options", { ticket: "tick_2", options: LOGIN_OPTIONS }));
  const { user } = open("/login");
  await enter(user, await screen.findByLabelText("Email"), "demo@example.com");

  await user.click(screen.getByRole("button", { name: "Log in with a passkey" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("No passkey was used. Try again, or use another way.");
  expect(screen.getByLabelText("Email")).toHaveValue("demo@example.com");
});
