import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { open } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

// spec: register-5, register-6
test("registering leads to the login page, which shows what to do and has the email", async () => {
  const bodies: unknown[] = [];
  const message = "Account created successfully! Please check your email to verify.";
  server.use(
    answer(
      "post",
      "/api/auth/register",
      { message, user: { name: "Mara", email: "mara@example.com" } },
      { status: 201, onCall: (body) => bodies.push(body) },
    ),
  );
  const { user, router } = open("/register");
  await enter(user, await screen.findByLabelText("Full Name"), "Mara Lindt");
  await enter(user, screen.getByLabelText("Email"), "mara@example.com");
  await enter(user, screen.getByLabelText("Password"), "a long and quiet river");

  await user.click(screen.getByRole("button", { name: "Create account" }));

  expect(await screen.findByText(message)).toBeVisible();
  expect(router.state.location.pathname).toBe("/login");
  expect(screen.getByLabelText("Email")).toHaveValue("mara@example.com");
  expect(screen.getByLabelText("Password")).toHaveFocus();
  expect(bodies).toEqual([{ name: "Mara Lindt", email: "mara@example.com", password: "a long and quiet river" }]);
});

test("where only invited people may register, the link of an invitation leads to a sign-up with it", async () => {
  const bodies: unknown[] = [];
  server.use(
    answer("get", "/api/auth/sso", { name: null, registration: "invitation" }),
    answer(
      "post",
      "/api/invitations/:token/register",
      { message: "Please check your email." },
      { status: 201, onCall: (body) => bodies.push(body) },
    ),
  );
  const { user, router } = open("/register");
  expect(await screen.findByText(/Only invited people can create an account/)).toBeVisible();
  expect(screen.queryByLabelText("Full Name")).not.toBeInTheDocument();

  await act(() => router.navigate("/register", { state: { email: "noor@example.com", invitation: "tok_1" } }));
  await enter(user, await screen.findByLabelText("Full Name"), "Noor Aziz");
  await enter(user, screen.getByLabelText("Password"), "a long and quiet river");
  await user.click(screen.getByRole("button", { name: "Create account" }));

  expect(await screen.findByText("Please check your email.")).toBeVisible();
  expect(bodies).toEqual([{ name: "Noor Aziz", email: "noor@example.com", password: "a long and quiet river" }]);
});

test("where nobody may register, the login page offers no sign-up", async () => {
  server.use(answer("get", "/api/auth/sso", { name: null, registration: "closed" }));
  const { router } = open("/register");
  expect(await screen.findByText(/Ask its operator for an account/)).toBeVisible();

  await act(() => router.navigate("/login"));

  expect(await screen.findByRole("button", { name: "Log in" })).toBeVisible();
  expect(screen.queryByText(/New here/)).not.toBeInTheDocument();
});

test("after registering, a mistyped address is changed without typing the rest again", async () => {
  const bodies: unknown[] = [];
  server.use(
    answer("post", "/api/auth/register", { message: "" }, { status: 201, onCall: (body) => bodies.push(body) }),
  );
  const { user, router } = open("/register");
  await enter(user, await screen.findByLabelText("Full Name"), "Mara Lindt");
  await enter(user, screen.getByLabelText("Email"), "mara@exmaple.com");
  await enter(user, screen.getByLabelText("Password"), "a long and quiet river");
  await user.click(screen.getByRole("button", { name: "Create account" }));
  expect(await screen.findByText(/We wrote to/)).toHaveTextContent("We wrote to mara@exmaple.com.");

  await user.click(screen.getByRole("link", { name: "Change the address" }));
  const email = await screen.findByLabelText("Email");
  expect(email).toHaveFocus();
  expect(JSON.stringify(router.state.location.state)).not.toContain("river");
  await user.clear(email);
  await enter(user, email, "mara@example.com");
  await user.click(screen.getByRole("button", { name: "Create account" }));

  expect(await screen.findByText(/We wrote to/)).toHaveTextContent("We wrote to mara@example.com.");
  expect(bodies).toEqual(
    ["mara@exmaple.com", "mara@example.com"].map((address) => ({
      name: "Mara Lindt",
      email: address,
      password: "a long and quiet river",
    })),
  );
  // A sign-up from the start begins empty.
  await user.click(screen.getByRole("link", { name: "Sign Up Now" }));
  expect(await screen.findByLabelText("Full Name")).toHaveValue("");
  expect(screen.getByLabelText("Password")).toHaveValue("");
});

test.each(["/login", "/register", "/forgot-password"])(
  "the link of a mail to %s fills the address in",
  async (page) => {
    open(`${page}#email=mara%2Btravel%40example.com`);

    expect(await screen.findByLabelText("Email")).toHaveValue("mara+travel@example.com");
  },
);

test("a typed email is filled in on the next account page", async () => {
  const { user } = open("/login");
  await enter(user, await screen.findByLabelText("Email"), "mara@example.com");

  await user.click(screen.getByRole("link", { name: "Sign Up Now" }));
  expect(await screen.findByRole("heading", { name: "Create your account" })).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveValue("mara@example.com");
  await user.click(screen.getByRole("link", { name: "Log in" }));
  await user.click(await screen.findByRole("link", { name: "Forgot Password?" }));

  expect(await screen.findByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveValue("mara@example.com");
});

test("without an address the login page begins with its field", async () => {
  const { user } = open("/register");

  await user.click(await screen.findByRole("link", { name: "Log in" }));

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveFocus();
});

// spec: register-9
test("a refused sign-up shows the server's complaint at its field and keeps what was typed", async () => {
  const complaint = "Password must be at least 8 characters long.";
  server.use(refusal("post", "/api/auth/register", 422, { message: complaint, fields: { password: complaint } }));
  const { user } = open("/register");
  await user.type(await screen.findByLabelText("Full Name"), "Mara");
  await enter(user, screen.getByLabelText("Email"), "mara@example.com");
  await user.type(screen.getByLabelText("Password"), "short");

  await user.click(screen.getByRole("button", { name: "Create account" }));

  expect(await screen.findByText(complaint)).toBeVisible();
  expect(screen.getByLabelText("Password")).toBeInvalid();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  expect(screen.getByLabelText("Full Name")).toHaveValue("Mara");
});

// spec: register-7, register-8
test("nothing is sent before name, email and password are there", async () => {
  const bodies: unknown[] = [];
  server.use(answer("post", "/api/auth/register", {}, { status: 500, onCall: (body) => bodies.push(body) }));
  const { user } = open("/register");
  const create = await screen.findByRole("button", { name: "Create account" });

  await user.click(create);
  for (const text of ["Enter your name.", "Enter your email.", "Enter a password."]) {
    expect(await screen.findByText(text)).toBeVisible();
  }
  await user.type(screen.getByLabelText("Full Name"), "Mara");
  await user.type(screen.getByLabelText("Email"), "mara");
  await enter(user, screen.getByLabelText("Password"), "a long and quiet river");
  await user.click(create);

  expect(await screen.findByText("Enter an email address, like name@example.com.")).toBeVisible();
  expect(bodies).toEqual([]);
});

// spec: register-11
test("registering without a network shows that it failed", async () => {
  server.use(offline("post", "/api/auth/register"));
  const { user } = open("/register");
  await user.type(await screen.findByLabelText("Full Name"), "Mara");
  await enter(user, screen.getByLabelText("Email"), "mara@example.com");
  await enter(user, screen.getByLabelText("Password"), "a long and quiet river");

  await user.click(screen.getByRole("button", { name: "Create account" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("An unexpected error occurred. Please try again later.");
});

// spec: verify-1
test("a verification link is followed once and leads to the login page", async () => {
  let calls = 0;
  server.use(
    answer(
      "post",
      "/api/auth/verify-email/:token",
      { message: "Your email is verified. You can log in now.", email: "mara@example.com" },
      {
        onCall: () => {
          calls += 1;
        },
      },
    ),
  );
  const { user } = open("/verify-email/tok");

  expect(await screen.findByRole("heading", { name: "Your email is verified" })).toBeVisible();
  // An invited person is in a project already, and need not create a project.
  expect(screen.getByText("Log in to go on.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Log in" })).toHaveAttribute("href", "/login");
  await user.click(screen.getByRole("link", { name: "Log in" }));
  expect(await screen.findByLabelText("Email")).toHaveValue("mara@example.com");
  expect(calls).toBe(1);
});

// spec: verify-3
test("a verification link that found no network can be followed again", async () => {
  server.use(offline("post", "/api/auth/verify-email/:token"));
  const { user } = open("/verify-email/tok");
  expect(
    await screen.findByText("The server could not be reached. Check your connection and try again."),
  ).toBeVisible();

  server.use(answer("post", "/api/auth/verify-email/:token", { message: "" }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "Your email is verified" })).toBeVisible();
});

// spec: verify-2
test("a used verification link lets a new mail be sent", async () => {
  const bodies: unknown[] = [];
  server.use(
    refusal("post", "/api/auth/verify-email/:token", 400, { message: "This link is invalid or has expired." }),
    answer("post", "/api/auth/resend-verification", { message: "" }, { onCall: (body) => bodies.push(body) }),
  );
  const { user } = open("/verify-email/used");
  expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible();

  await enter(user, screen.getByLabelText("Email"), "mara@example.com");
  await user.click(screen.getByRole("button", { name: "Resend Email" }));

  expect(await screen.findByText("Verification email sent! Check your inbox and spam folder.")).toBeVisible();
  expect(bodies).toEqual([{ email: "mara@example.com" }]);
});

// spec: verify-4
test("a sign-up by somebody else is removed only on request", async () => {
  let calls = 0;
  server.use(
    answer(
      "delete",
      "/api/auth/verify-email/:token",
      { message: "The sign-up was removed. Nothing is kept of it." },
      {
        onCall: () => {
          calls += 1;
        },
      },
    ),
  );
  const { user } = open("/verify-email/tok?not-me=1");
  const remove = await screen.findByRole("button", { name: "Remove the sign-up" });
  expect(calls).toBe(0);

  await user.click(remove);

  expect(await screen.findByText("The sign-up was removed. Nothing is kept of it.")).toBeVisible();
  expect(calls).toBe(1);
});
