/** Buying credits in the whole dashboard. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openSection } from "@/testing/account-page";
import { heard } from "@/testing/browser";
import { anInvoice, invoices } from "@/testing/credits";
import { aProject, aScreen, aUser } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";
import { aKey, aSession, KEY } from "@/testing/settings";

beforeEach(() => {
  server.use(
    answer("get", "/api/user/apikey", { apikey: KEY }),
    answer("get", "/api/user/apikeys", { apikeys: [aKey()] }),
    answer("get", "/api/user/sessions", { sessions: [aSession()] }),
    answer("get", "/api/projects", []),
    answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }),
  );
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
