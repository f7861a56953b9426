/** The dashboard while it loads, when the server refuses, and for people who have not verified their email. */
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { hurry } from "@/testing/clock";
import { anActivityEntry, aProjectSummary, aUser, PROJECT_ID } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { answer, offline, refusal, server } from "@/testing/server";

const RESEND = "/api/auth/resend-verification";

afterEach(() => {
  vi.useRealTimers();
});

// spec: dash-1
test("the page shows that it loads until it has the user", async () => {
  hurry();
  let letGo = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  localStorage.setItem("authToken", "a-session-token");
  server.use(
    answer("get", "/api/user/me", aUser(), { until }),
    answer("get", "/api/projects", []),
    answer("get", "/api/activity", []),
  );
  open("/dashboard");

  expect(await screen.findByText("Loading user data...")).toBeVisible();
  letGo();

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();
  expect(screen.queryByText("Loading user data...")).not.toBeInTheDocument();
});

// spec: dash-2, dash-5
test("the welcome has the balance, and the buttons lead on", async () => {
  server.use(answer("get", "/api/projects", [aProjectSummary()]), answer("get", "/api/activity", []));
  openSignedIn("/dashboard", aUser({ credits: 1 }));

  const welcome = within(await screen.findByRole("region", { name: "Welcome" }));
  expect(welcome.getByRole("heading", { name: "Welcome, Demo Person" })).toBeVisible();
  expect(welcome.getByText("1 credit")).toBeVisible();
  expect(welcome.getByRole("button", { name: "What are Credits" })).toBeVisible();
  expect(await screen.findByRole("link", { name: "Create New Project" })).toHaveAttribute("href", "/projects/create");
  expect(screen.getByRole("link", { name: "Account Settings" })).toHaveAttribute("href", "/settings");
});

// spec: dash-21
test("a user who can't be loaded is reported, and can be loaded again", async () => {
  localStorage.setItem("authToken", "a-session-token");
  server.use(offline("get", "/api/user/me"), answer("get", "/api/projects", []), answer("get", "/api/activity", []));
  const { user } = open("/dashboard");
  expect(await screen.findByText("Failed to fetch user data")).toBeVisible();

  server.use(answer("get", "/api/user/me", aUser()));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" })).toBeVisible();
});

// spec: dash-10, dash-22
test("projects that can't be loaded are reported; the activity shows the id of the project until then", async () => {
  server.use(
    offline("get", "/api/projects"),
    answer("get", "/api/activity", [anActivityEntry({ action: "Changed text home.title", target: "home.title" })]),
  );
  const { user } = openSignedIn("/dashboard");
  expect(await screen.findByText("Failed to fetch projects. Please try again later.")).toBeVisible();
  expect(await screen.findByRole("link", { name: PROJECT_ID })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/general`,
  );

  server.use(answer("get", "/api/projects", [aProjectSummary()]));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  const named = await screen.findByRole("link", { name: "Aurora Travel" });
  expect(named).toHaveAttribute("title", PROJECT_ID);
  expect(screen.queryByRole("link", { name: PROJECT_ID })).not.toBeInTheDocument();
  expect(screen.getByText("Total Projects").nextElementSibling).toHaveTextContent("1");
});

// spec: dash-9
test("an entry of the activity has its exact moment, and names no project where it has no project", async () => {
  server.use(
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/activity", [
      anActivityEntry({
        action: "Changed their password",
        target: null,
        projectId: null,
        timestamp: "2026-03-05T10:00:00Z",
      }),
    ]),
  );
  openSignedIn("/dashboard");

  const entry = within(await screen.findByRole("region", { name: "Recent Activity" }));
  expect((await entry.findByRole("listitem")).textContent).toMatch(/^Demo Person changed their password\S/);
  expect(entry.queryByRole("link")).not.toBeInTheDocument();
  const time = (await entry.findByRole("listitem")).querySelector("time");
  expect(time).toHaveAttribute("datetime", "2026-03-05T10:00:00Z");
  expect(time?.title).toMatch(/^Mar 5, 2026, /);
});

// spec: dash-12, dash-13
test("a person who is not verified sees no list, and the lists are not requested", async () => {
  const asked: string[] = [];
  const onCall = (_: unknown, request: Request) => asked.push(new URL(request.url).pathname);
  server.use(answer("get", "/api/projects", [], { onCall }), answer("get", "/api/activity", [], { onCall }));
  openSignedIn("/dashboard", aUser({ isVerified: false }));

  expect(await screen.findByRole("heading", { name: "Verify Your Email" })).toBeVisible();

  for (const text of ["My Projects Overview", "Recent Activity"]) expect(screen.queryByText(text)).toBeNull();
  expect(asked).toEqual([]);
});

const past = "2026-01-01T00:00:00Z";
const future = "2999-01-01T00:00:00Z";

// spec: dash-14, dash-15
test.each([
  ["free", null, "FREE"],
  ["paid", future, "PAID"],
  ["paid", past, "EXPIRED"],
  ["expired", past, "EXPIRED"],
] as const)("the notice shows the plan '%s' until %s as %s", async (plan, planExpiry, shown) => {
  openSignedIn("/dashboard", aUser({ isVerified: false, plan, planExpiry }));

  expect(await screen.findByText(shown)).toBeVisible();
});

// spec: dash-18, dash-19, dash-20
test.each([
  ["the server's message", refusal("post", RESEND, 429, { message: "Wait a minute." }), "Wait a minute."],
  ["no message", answer("post", RESEND, {}, { status: 500 }), "Failed to send email."],
  ["no network", offline("post", RESEND), "An error occurred. Please try again."],
])("resending the mail from the dashboard: a failure with %s is shown for five seconds", async (_, failing, text) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(failing);
  openSignedIn("/dashboard", aUser({ isVerified: false }));
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });

  await user.click(await screen.findByRole("button", { name: "Resend Verification Email" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(screen.getByRole("alert")).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2500));
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

// spec: session-7, dash-16, dash-17
test("resending the mail shows the server's message, and sends the email but no token", async () => {
  const sent: unknown[] = [];
  server.use(
    answer(
      "post",
      RESEND,
      { message: "A new link is on its way." },
      { onCall: (body, request) => sent.push(body, request.headers.get("Authorization")) },
    ),
  );
  const { user } = openSignedIn("/dashboard", aUser({ isVerified: false }));

  await user.click(await screen.findByRole("button", { name: "Resend Verification Email" }));

  expect(await screen.findByText("A new link is on its way.")).toBeVisible();
  await waitFor(() => expect(sent).toEqual([{ email: "demo@example.com" }, null]));
});
