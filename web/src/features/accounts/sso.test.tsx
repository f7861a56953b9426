import { screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { expect, test } from "vitest";
import { deviceFor } from "@/lib/devices";
import { renderPart } from "@/testing/component";
import { aProjectSummary, aUser } from "@/testing/fixtures";
import { open } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import { SsoPage } from "./sso-page";

const CALL = "/api/auth/sso/session";
const entry = { message: "Logged in.", token: "tok_1", user: aUser(), device: "dev_1" };
const link = () => screen.findByRole("link", { name: "Continue with Acme" });

function answerDashboard() {
  server.use(
    answer("get", "/api/user/me", aUser()),
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/activity", []),
  );
}

function haveSso() {
  server.use(answer("get", "/api/auth/sso", { name: "Acme" }));
}

test.each(["/login", "/register"])("%s leads to single sign-on where the server has it", async (path) => {
  haveSso();
  open(path);
  expect(await link()).toHaveAttribute("href", "/api/auth/sso/start");
});

test.each(["/login", "/register"])("%s does not mention what the server does not have", async (path) => {
  const asked: unknown[] = [];
  server.use(answer("get", "/api/auth/sso", { name: null }, { onCall: () => asked.push(1) }));
  open(path);
  await screen.findByLabelText("Email");
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByText(/Continue with/)).not.toBeInTheDocument();
});

test("an email that must use single sign-on is refused, and the way to it has the focus", async () => {
  haveSso();
  const message = "People with this email address log in with single sign-on, not with a password.";
  server.use(refusal("post", "/api/auth/login", 403, { message, code: "sso_required" }));
  const { user } = open("/login");
  await link();
  await enter(user, await screen.findByLabelText("Email"), "mara@acme.example");
  await enter(user, screen.getByLabelText("Password"), "a long password");

  await user.click(screen.getByRole("button", { name: "Log in" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(message);
  await waitFor(async () => expect(await link()).toHaveFocus());
  expect(screen.getByLabelText("Email")).toHaveValue("mara@acme.example");
});

test("a sign-up with such an email is refused in the same way", async () => {
  haveSso();
  server.use(refusal("post", "/api/auth/register", 403, { message: "Use it.", code: "sso_required" }));
  const { user } = open("/register");
  await link();
  await user.type(await screen.findByLabelText("Full Name"), "Mara");
  await enter(user, screen.getByLabelText("Email"), "mara@acme.example");
  await enter(user, screen.getByLabelText("Password"), "a long password");

  await user.click(screen.getByRole("button", { name: "Create account" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Use it.");
  await waitFor(async () => expect(await link()).toHaveFocus());
});

test.each([
  ["denied", "The login was cancelled."],
  ["has_password", "Log in with your password first, then connect single sign-on in Settings."],
  ["constructor", "The login did not work. Please try again."],
  ["<b>raw</b>", "The login did not work. Please try again."],
])("the login page has a sentence for the failure %s", async (code, sentence) => {
  open(`/login#sso=${encodeURIComponent(code)}`);
  expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
});

test("the code becomes a session once, and leads to the dashboard", async () => {
  const calls: [unknown, string | null][] = [];
  server.use(
    answer("post", CALL, entry, {
      onCall: (body, request) => calls.push([body, request.headers.get("Authorization")]),
    }),
  );
  answerDashboard();
  localStorage.setItem("authToken", "of-somebody-before");
  window.history.replaceState(null, "", "/sso#code=abc");
  const { router } = open("/sso#code=abc");

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();

  expect(router.state.location.pathname).toBe("/dashboard");
  expect(window.location.hash).toBe("");
  expect(localStorage.getItem("authToken")).toBe("tok_1");
  expect(deviceFor("demo@example.com")).toBe("dev_1");
  expect(calls).toEqual([[{ code: "abc" }, null]]);
});

test("the code is sent once, however often the page is drawn", async () => {
  const calls: unknown[] = [];
  server.use(answer("post", CALL, entry, { onCall: (body) => calls.push(body) }));
  renderPart(
    <StrictMode>
      <SsoPage destination={() => "/"} onNext={() => {}} />
    </StrictMode>,
    { at: "/sso#code=abc" },
  );
  await waitFor(() => expect(localStorage.getItem("authToken")).toBe("tok_1"));
  expect(calls).toHaveLength(1);
});

test("a page that the login was begun for opens, and no other host", async () => {
  for (const [next, path] of [
    ["/projects", "/projects"],
    ["//evil.test", "/dashboard"],
    ["/\\evil.test", "/dashboard"],
    ["/logout", "/dashboard"],
  ] as const) {
    localStorage.clear();
    server.use(answer("post", CALL, entry));
    answerDashboard();
    const { router, unmount } = open(`/sso#code=abc&next=${encodeURIComponent(next)}`);
    await waitFor(() => expect(router.state.location.pathname).toBe(path));
    unmount();
  }
});

test("without 'Remember me' the session ends with the browser, and the device is not kept", async () => {
  haveSso();
  const { user, unmount } = open("/login");
  await user.click(await screen.findByLabelText("Remember me"));
  (await link()).addEventListener("click", (event) => event.preventDefault());
  await user.click(await link());
  unmount();
  server.use(answer("post", CALL, entry));
  answerDashboard();
  open("/sso#code=abc");

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();

  expect(document.cookie).toContain("livery_browser_session=1");
  expect(deviceFor("demo@example.com")).toBeNull();
});

test("an expired code leads to a new login", async () => {
  server.use(refusal("post", CALL, 401, { message: "This login has expired. Please try again." }));
  open("/sso#code=abc");
  expect(await screen.findByRole("alert")).toHaveTextContent("This login has expired.");
  expect(screen.getByRole("link", { name: "Log in again" })).toHaveAttribute("href", "/api/auth/sso/start");
});

test("an address without a code is no login", async () => {
  open("/sso");
  expect(await screen.findByRole("alert")).toHaveTextContent("This login has expired.");
});

test("without a connection the same code is tried again", async () => {
  server.use(offline("post", CALL));
  const { user } = open("/sso#code=abc");
  expect(await screen.findByRole("alert")).toHaveTextContent("The server could not be reached.");
  server.use(answer("post", CALL, entry));
  answerDashboard();

  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();
});
