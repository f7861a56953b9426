import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { deviceFor, keepDevice } from "@/lib/devices";
import { aProjectSummary, aUser } from "@/testing/fixtures";
import { open } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import { ROTATION_MS, TAGLINES, Tagline } from "./tagline";

const unverified = "Please verify your email first. Follow the link in the mail we sent you, or have it sent again.";

afterEach(() => {
  vi.useRealTimers();
});

function answerDashboard() {
  server.use(
    answer("get", "/api/user/me", aUser()),
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/activity", []),
  );
}

async function fillIn(user: ReturnType<typeof open>["user"]) {
  await enter(user, await screen.findByLabelText("Email"), "demo@example.com");
  await enter(user, screen.getByLabelText("Password"), "a long password");
}

// spec: login-11, session-1
test("logging in stores token and user and opens the dashboard", async () => {
  const bodies: unknown[] = [];
  server.use(
    answer(
      "post",
      "/api/auth/login",
      { message: "Welcome", token: "tok_1", user: aUser(), device: "dev_1" },
      {
        onCall: (body) => bodies.push(body),
      },
    ),
  );
  answerDashboard();
  const { user, router } = open("/login");
  await fillIn(user);

  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();
  expect(router.state.location.pathname).toBe("/dashboard");
  expect(bodies).toEqual([{ email: "demo@example.com", password: "a long password" }]);
  expect(localStorage.getItem("authToken")).toBe("tok_1");
  expect(JSON.parse(localStorage.getItem("user") ?? "{}")).toMatchObject({ name: "Demo Person" });
});

test("the device is sent with the next login of the same email", async () => {
  keepDevice("Demo@Example.com", "dev_1");
  const bodies: unknown[] = [];
  const welcome = { message: "Welcome", token: "tok_1", user: aUser(), device: "dev_2" };
  server.use(answer("post", "/api/auth/login", welcome, { onCall: (body) => bodies.push(body) }));
  answerDashboard();
  const { user } = open("/login");
  await fillIn(user);

  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();
  expect(bodies).toEqual([{ email: "demo@example.com", password: "a long password", device: "dev_1" }]);
  expect(deviceFor("demo@example.com")).toBe("dev_2");
});

// spec: login-7, login-12, login-17, login-19
test("a refused login shows the server's message, and a new attempt clears it", async () => {
  server.use(refusal("post", "/api/auth/login", 401, { message: "Invalid email or password." }));
  const { user, router } = open("/login");
  await fillIn(user);

  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Invalid email or password.");
  expect(router.state.location.pathname).toBe("/login");
  expect(screen.getByLabelText("Email")).toHaveValue("demo@example.com");
  expect(screen.queryByRole("button", { name: "Resend Email" })).not.toBeInTheDocument();

  server.use(answer("post", "/api/auth/login", {}, { afterMs: "infinite" }));
  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Log in" })).toBeDisabled();
});

test("a refusal without a message, and no answer at all, have texts of their own", async () => {
  server.use(answer("post", "/api/auth/login", {}, { status: 500 }));
  const { user } = open("/login");
  await fillIn(user);

  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Login failed");

  server.use(offline("post", "/api/auth/login"));
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(await screen.findByText("Something went wrong. Please try again.")).toBeVisible();
});

// spec: login-17, login-18, login-20, login-21
test("an unverified person has the mail sent again", async () => {
  const bodies: unknown[] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server.use(
    refusal("post", "/api/auth/login", 403, { message: unverified }),
    answer(
      "post",
      "/api/auth/resend-verification",
      { message: "ok" },
      { onCall: (body) => bodies.push(body), until: held },
    ),
  );
  const { user } = open("/login");
  await fillIn(user);
  await user.click(screen.getByRole("button", { name: "Log in" }));

  await user.click(await screen.findByRole("button", { name: "Resend Email" }));

  expect(await screen.findByRole("button", { name: "Sending..." })).toBeDisabled();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  letGo();
  expect(await screen.findByText("Verification email sent! Check your inbox and spam folder.")).toBeVisible();
  expect(bodies).toEqual([{ email: "demo@example.com" }]);
});

// spec: login-24
test("sending the mail again needs an email, and a failure is shown", async () => {
  server.use(
    refusal("post", "/api/auth/login", 403, { message: unverified }),
    answer("post", "/api/auth/resend-verification", {}, { status: 500 }),
  );
  const { user } = open("/login");
  await fillIn(user);
  await user.click(screen.getByRole("button", { name: "Log in" }));
  await screen.findByRole("button", { name: "Resend Email" });

  await user.clear(screen.getByLabelText("Email"));
  await user.click(screen.getByRole("button", { name: "Resend Email" }));
  expect(await screen.findByText("Please enter your email address first")).toBeVisible();

  await enter(user, screen.getByLabelText("Email"), "demo@example.com");
  await user.click(screen.getByRole("button", { name: "Resend Email" }));
  expect(await screen.findByText("Failed to resend verification email")).toBeVisible();
});

// spec: login-25
test("the fields are checked before anything is sent", async () => {
  const { user } = open("/login");

  await user.type(await screen.findByLabelText("Email"), "demo");
  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByText("Enter an email address, like name@example.com.")).toBeVisible();
  expect(screen.getByText("Enter your password.")).toBeVisible();
});

// spec: login-5
test("the password can be shown and hidden", async () => {
  const { user } = open("/login");
  const password = await screen.findByLabelText("Password");
  expect(password).toHaveAttribute("type", "password");

  await user.click(screen.getByRole("button", { name: "Show" }));
  expect(password).toHaveAttribute("type", "text");

  await user.click(screen.getByRole("button", { name: "Hide" }));
  expect(password).toHaveAttribute("type", "password");
});

// spec: login-6
test("without 'Remember me' the session ends with the browser's cookie", async () => {
  server.use(answer("post", "/api/auth/login", { message: "", token: "tok_2", user: aUser() }));
  answerDashboard();
  const { user, unmount } = open("/login");
  await fillIn(user);
  await user.click(screen.getByRole("checkbox", { name: "Remember me" }));

  await user.click(screen.getByRole("button", { name: "Log in" }));
  await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" });
  unmount();

  const newTab = open("/dashboard");
  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();
  newTab.unmount();

  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store; the browser was closed.
  document.cookie = "livery_browser_session=; Path=/; Max-Age=0";
  open("/dashboard");
  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(localStorage.getItem("authToken")).toBeNull();
});

test("the taglines take turns, four seconds each", () => {
  vi.useFakeTimers();
  render(<Tagline />);
  const shown = () => screen.getAllByText(/./).filter((line) => line.getAttribute("aria-hidden") === "false");

  for (const text of [...TAGLINES, TAGLINES[0]]) {
    expect(shown().map((line) => line.textContent)).toEqual([text]);
    act(() => vi.advanceTimersByTime(ROTATION_MS));
  }

  const resting = shown()[0]?.textContent;
  fireEvent.pointerEnter(screen.getByRole("paragraph"));
  act(() => vi.advanceTimersByTime(ROTATION_MS * 2));
  expect(shown()[0]?.textContent).toBe(resting);
});
