import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { heard } from "@/testing/browser";
import { anInvoice, invoices } from "@/testing/credits";
import { aProject, aScreen, aUser } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";
import { aKey, aSession, KEY } from "@/testing/settings";
import { enter } from "@/testing/typing";

beforeEach(() => {
  server.use(
    answer("get", "/api/user/apikey", { apikey: KEY }),
    answer("get", "/api/user/apikeys", { apikeys: [aKey()] }),
    answer("get", "/api/user/sessions", { sessions: [aSession()] }),
    answer("get", "/api/projects", []),
    answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }),
  );
});

/** Opens the page and waits for it; gives the section with this title. */
async function openSection(title: string, user = aUser()) {
  const opened = openSignedIn("/settings", user);
  const element = await screen.findByRole("region", { name: title });
  return { ...opened, section: within(element) };
}

// spec: settings-2
test("the name is edited in place, and shown in the sidebar at once", async () => {
  const sent: unknown[] = [];
  server.use(answer("put", "/api/user/me", aUser({ name: "Noor Aziz" }), { onCall: (body) => sent.push(body) }));
  const { section, user } = await openSection("Profile");

  await user.click(section.getByRole("button", { name: "Edit name" }));
  const field = section.getByRole("textbox", { name: "Full Name" });
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, "  Noor Aziz {Enter}");

  expect(await section.findByRole("button", { name: "Edit name" })).toHaveFocus();
  expect(sent).toEqual([{ name: "Noor Aziz" }]);
  expect(section.getByText("Noor Aziz")).toBeVisible();
  expect(screen.getByText("Welcome, Noor Aziz")).toBeVisible();
  expect(window.localStorage.getItem("user")).toContain("Noor Aziz");
});

async function openDeletion(user = aUser()) {
  const opened = await openSection("Delete account", user);
  await opened.user.click(opened.section.getByRole("button", { name: "Delete Account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete your account?" }));
  await waitFor(() => expect(dialog.queryByRole("status", { name: "Loading the form" })).not.toBeInTheDocument());
  return { ...opened, dialog };
}

test("deleting the account shows what is lost, asks for email and password, and leads to the login", async () => {
  const sent: unknown[] = [];
  server.use(
    answer("delete", "/api/user/me", { message: "Your account was deleted." }, { onCall: (body) => sent.push(body) }),
  );
  const { dialog, router, user } = await openDeletion();
  expect(dialog.getByText("your 62 credits, which are forfeited")).toBeVisible();

  await user.click(dialog.getByRole("button", { name: "Delete Account" }));
  expect(await dialog.findByText("Type demo@example.com to go on.")).toBeVisible();
  expect(dialog.getByText("Enter your password.")).toBeVisible();
  expect(sent).toEqual([]);
  await enter(user, dialog.getByLabelText("Your email"), "Demo@example.com");
  await enter(user, dialog.getByLabelText("Password"), "a long and quiet river");
  await user.click(dialog.getByRole("button", { name: "Delete Account" }));

  expect(await screen.findByText("Your account was deleted.")).toBeInTheDocument();
  expect(sent).toEqual([{ password: "a long and quiet river" }]);
  await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  expect(window.localStorage.getItem("authToken")).toBeNull();
});

// spec: dash-5, list-6
test.each([
  ["/dashboard", "Account Settings"],
  ["/projects", "Account Settings"],
  ["/projects", "Settings"],
])("from %s, '%s' leads to the settings", async (path, name) => {
  server.use(answer("get", "/api/activity", []));
  const { router, user } = openSignedIn(path);

  await user.click(await screen.findByRole("link", { name }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/settings"));
});

// spec: buy-1, buy-2, buy-5, buy-6
test("ten credits are bought with a click; the payment opens in a new tab and a toast announces it", async () => {
  const tab = { location: { replace: vi.fn() }, close: vi.fn(), closed: false, opener: window as unknown };
  vi.spyOn(window, "open").mockImplementation(() => tab as unknown as Window);
  const orders: { body: unknown; key: string | null }[] = [];
  server.use(
    answer(
      "post",
      "/api/payments/create-invoice",
      { invoice: { ...anInvoice(), currency: "USDT" } },
      { status: 201, onCall: (sent, { headers }) => orders.push({ body: sent, key: headers.get("idempotency-key") }) },
    ),
  );
  const { section, user } = await openSection("Your Credits");
  await user.click(section.getByRole("button", { name: "Buy More Credits" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Buy More Credits" }));
  const field = await dialog.findByRole("textbox", { name: "Credits" });
  expect(field).toHaveValue("10");
  expect(dialog.getByText(/^10 USDT, about 10\.00 USD\./)).toBeVisible();

  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));

  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith("https://pay.example.com/inv_1"));
  expect(window.open).toHaveBeenCalledWith("", "_blank");
  expect(tab.opener).toBeNull();
  expect(orders.map(({ body }) => body)).toEqual([{ months: 10 }]);
  expect(orders[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(
    await screen.findByText("Redirecting for crypto payment... Your credits will update after successful payment."),
  ).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

// spec: buy-11
test("a person who lacks credits for a plan reaches the dialog with the missing credits, and returns to the activation", async () => {
  server.use(
    answer(
      "get",
      "/api/projects/:projectId",
      aProject({ activeTier: "none", tierName: "No Active Plan", plan: "free" }),
    ),
    answer("get", "/api/translations/:projectId/:tab", aScreen([])),
    answer("get", "/api/languages", { languages: [] }),
    answer("get", "/api/plans", {
      creditPrice: "1.00",
      durations: [1, 2],
      plans: [
        {
          id: "growth",
          name: "Growth Tier",
          monthlyCreditCost: 69,
          priceDisplay: "69 credits",
          tag: "",
          icon: "",
          features: [],
          limits: {},
          support: "standard",
        },
      ],
    }),
  );
  const { user, router } = openSignedIn("/projects/prj_k7m2xq4tz8ha3b5c/general");
  await user.click(await screen.findByRole("button", { name: "Start free month" }));
  expect(await screen.findByText("Not enough credits. You need 69, but have 62.")).toBeVisible();

  await user.click(screen.getByRole("link", { name: "Buy More" }));

  const dialog = within(await screen.findByRole("dialog", { name: "Buy More Credits" }));
  expect(await dialog.findByRole("textbox", { name: "Credits" })).toHaveValue("7");

  await user.keyboard("{Escape}");
  expect(screen.getByText("Growth Tier of Aurora Travel needs 69 credits, you have 62.")).toBeVisible();
  act(() => void window.dispatchEvent(new CustomEvent("userCreditsUpdated", { detail: { credits: 70 } })));
  await user.click(await screen.findByRole("link", { name: "Activate Growth Tier" }));
  expect(await screen.findByRole("dialog", { name: "Activate Growth Tier" })).toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/projects/prj_k7m2xq4tz8ha3b5c/general");
  expect(JSON.stringify(router.state.location.state)).not.toContain("activate");
});

// spec: buy-10
test("when the money arrives, the balance changes by itself on the open page, and a toast shows why", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  server.use(invoices(anInvoice()), answer("get", "/api/activity", []));
  openSignedIn("/dashboard");
  await screen.findByRole("heading", { level: 2, name: "Welcome, Demo Person" });
  await waitFor(() => expect(screen.getAllByText("62 credits").length).toBe(2));
  const told = heard("userCreditsUpdated");

  server.use(
    invoices(anInvoice({ status: "paid", creditedAt: "2026-11-21T10:00:00Z" })),
    answer("get", "/api/user/me", aUser({ credits: 72 })),
  );
  await act(() => vi.advanceTimersByTimeAsync(3_500));

  expect(await screen.findByText("10 credits arrived.")).toBeInTheDocument();
  await waitFor(() => expect(screen.getAllByText("72 credits").length).toBe(2));
  expect(told).toEqual([{ credits: 72 }]);
});
