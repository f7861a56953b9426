import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, expect, test, vi } from "vitest";
import { inDays } from "@/testing/clock";
import { anActivityEntry, aProject, aProjectSummary, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, refusal, server } from "@/testing/server";

afterEach(() => {
  vi.useRealTimers();
});

// spec: dash-5, dash-6, dash-7, dash-8, dash-9
test("the dashboard counts projects and shows the activity in sentences", async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  server.use(
    answer("get", "/api/projects", [
      aProjectSummary(),
      aProjectSummary({ projectId: "prj_2", name: "Borealis", isPublished: false }),
      aProjectSummary({ projectId: "prj_3", name: "Cirrus", isPublished: false }),
    ]),
    answer("get", "/api/activity", [
      anActivityEntry({ action: "Changed text home.title", target: "home.title", timestamp: minutesAgo(3) }),
      anActivityEntry({ _id: "act_2", timestamp: inDays(-3) }),
      ...[3, 4, 5, 6].map((n) => anActivityEntry({ _id: `act_${n}`, timestamp: minutesAgo(60 * 24 * 3) })),
    ]),
  );
  openSignedIn("/dashboard");

  const entries = within(await screen.findByRole("region", { name: "Recent Activity" }));
  expect(await entries.findAllByRole("listitem")).toHaveLength(5);
  expect(await entries.findByRole("link", { name: "Aurora Travel" })).toHaveAttribute(
    "href",
    "/projects/prj_k7m2xq4tz8ha3b5c/general",
  );
  expect(entries.getAllByRole("listitem")[0]).toHaveTextContent(
    "Demo Person changed text home.title in Aurora Travel3 minutes ago",
  );
  expect(entries.getAllByRole("listitem")[1]).toHaveTextContent("Demo Person created project Aurora Travel3 days ago");
  const overview = within(screen.getByRole("region", { name: "My Projects Overview" }));
  for (const [label, count] of [
    ["Total Projects", "3"],
    ["Published", "1"],
    ["Drafts", "2"],
  ] as const) {
    expect(overview.getByText(label).nextElementSibling).toHaveTextContent(count);
  }
  expect(screen.getByRole("link", { name: "Create New Project" })).toHaveAttribute("href", "/projects/create");
});

test("an invitation is declined after a question, and accepting a different invitation opens its project", async () => {
  const anInvitation = (_id: string, projectName: string) => ({
    _id,
    projectName,
    inviterName: "Mara Lindt",
    email: "demo@example.com",
    role: "editor",
    expiresAt: "2026-12-05T10:00:00Z",
  });
  let waiting = [anInvitation("inv_1", "Harbour"), anInvitation("inv_2", "Aurora Travel")];
  const calls: string[] = [];
  const onCall = (_: unknown, request: Request) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`);
    waiting = waiting.filter(({ _id }) => !request.url.includes(_id));
  };
  server.use(
    http.get("*/api/user/invitations", () => HttpResponse.json({ invitations: waiting })),
    answer("delete", "/api/user/invitations/:id", { message: "The invitation was declined." }, { onCall }),
    answer("post", "/api/user/invitations/:id/accept", aProject({ role: "editor" }), { onCall }),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ role: "editor" })),
    answer("get", `/api/translations/${PROJECT_ID}/general`, aScreen([])),
    answer("get", "/api/languages", { languages }),
    answer("get", "/api/projects", []),
    answer("get", "/api/activity", []),
  );
  const { user, router } = openSignedIn("/dashboard");
  const invitations = within(await screen.findByRole("region", { name: "Invitations" }));
  expect(invitations.getAllByRole("listitem")[0]).toHaveTextContent(
    "Mara Lindt invites you to Harbour as an editor. Ends Dec 5, 2026.",
  );

  await user.click(invitations.getByRole("button", { name: "Decline Harbour" }));
  const question = within(await screen.findByRole("dialog", { name: "Decline the invitation?" }));
  await user.click(question.getByRole("button", { name: "Decline" }));
  expect(await screen.findByText("The invitation was declined.")).toBeInTheDocument();
  await waitFor(() => expect(invitations.getAllByRole("listitem")).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
  await user.click(invitations.getByRole("button", { name: "Accept Aurora Travel" }));

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/general`));
  expect(await screen.findByText("You are in Aurora Travel.")).toBeInTheDocument();
  expect(calls).toEqual(["DELETE /api/user/invitations/inv_1", "POST /api/user/invitations/inv_2/accept"]);
});

// spec: dash-11
test("a new user reads that nothing has happened yet", async () => {
  server.use(answer("get", "/api/projects", []), answer("get", "/api/activity", []));
  openSignedIn("/dashboard");

  expect(await screen.findByText("No recent activity to display.")).toBeVisible();
  expect(await screen.findByText(/^Create a project for your app/)).toHaveTextContent(
    "it holds the app's texts, colours, images and data, and changes them while the app runs. The first month is free.",
  );
  expect(screen.getAllByRole("link", { name: "Create New Project" })).toHaveLength(1);
});

test("a person who had the free month, or has no billing, reads nothing of it", async () => {
  server.use(answer("get", "/api/projects", []), answer("get", "/api/activity", []));
  const { unmount } = openSignedIn("/dashboard", aUser({ freeMonthUsed: true }));
  expect(await screen.findByText(/^Create a project for your app/)).not.toHaveTextContent("free");
  unmount();

  openSignedIn("/dashboard", aUser({ billing: "off" }));
  expect(await screen.findByText(/^Create a project for your app/)).not.toHaveTextContent("free");
});

// spec: dash-23
test("a failure of one part leaves the other, and can be tried again", async () => {
  server.use(answer("get", "/api/projects", []), refusal("get", "/api/activity", 500, { message: "Broken" }));
  const { user } = openSignedIn("/dashboard");
  expect(await screen.findByText("The recent activity could not be loaded.")).toBeVisible();

  server.use(answer("get", "/api/activity", []));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("No recent activity to display.")).toBeVisible();
});

// spec: dash-12, dash-17, dash-18
test("an unverified user sees only the notice; the result of the resend disappears after five seconds", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(answer("post", "/api/auth/resend-verification", { message: "" }));
  openSignedIn("/dashboard", aUser({ isVerified: false, plan: "free" }));
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });

  expect(await screen.findByRole("heading", { name: "Verify Your Email" })).toBeVisible();
  expect(screen.getByText("FREE")).toBeVisible();
  expect(screen.queryByText("My Projects Overview")).not.toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Create New Project" })).not.toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Resend Verification Email" }));
  expect(await screen.findByText("Verification email sent.")).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(screen.queryByText("Verification email sent.")).not.toBeInTheDocument();
});

// spec: dash-4
test("the upgrade banner closes itself after four seconds, or by hand", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(answer("get", "/api/projects", []), answer("get", "/api/activity", []));
  const { router } = openSignedIn("/dashboard?upgraded=true");

  const banner = "Thank you. Credits appear as soon as the payment is confirmed.";

  expect(await screen.findByText(banner)).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(screen.getByText(banner)).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.queryByText(banner)).not.toBeInTheDocument();
  expect(router.state.location.search).toBe("");

  const begin = Date.now();
  await act(() => router.navigate("/dashboard?upgraded=true"));
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(await screen.findByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByText(banner)).not.toBeInTheDocument());
  expect(Date.now() - begin).toBeLessThan(4000);
  expect(router.state.location.search).toBe("");

  await act(() => router.navigate("/dashboard?upgraded=false"));
  expect(screen.queryByText(banner)).not.toBeInTheDocument();
});

// spec: dash-3
test("'What are Credits' explains them by the plans", async () => {
  server.use(
    answer("get", "/api/projects", []),
    answer("get", "/api/activity", []),
    answer("get", "/api/plans", {
      creditPrice: "1.00",
      durations: [1],
      plans: [{ id: "starter", name: "Starter Tier", monthlyCreditCost: 19 }],
    }),
  );
  const { user } = openSignedIn("/dashboard");

  await user.click(await screen.findByRole("button", { name: "What are Credits" }));

  expect(await screen.findByText("19 credits a month")).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.queryByText("19 credits a month")).not.toBeInTheDocument();
});
