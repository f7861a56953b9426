import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { aProject, aScreen } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, offline, server } from "@/testing/server";

const INVOICE = {
  _id: "inv_1",
  url: "https://pay.example.com/inv_1",
  credits: 10,
  amount: "10.00",
  currency: "USDT",
  status: "open",
  overpaid: null,
  createdAt: "2026-11-21T10:00:00Z",
  expiresAt: "2026-11-21T11:00:00Z",
  creditedAt: null,
};

/** The tab that the browser opened, or null when it kept it from opening. */
let tab: { location: { replace: (url: string) => void }; close: () => void; closed: boolean; opener: unknown } | null;
let orders: { body: unknown; key: string | null }[];

beforeEach(() => {
  tab = { location: { replace: vi.fn() }, close: vi.fn(), closed: false, opener: window };
  vi.spyOn(window, "open").mockImplementation(() => tab as unknown as Window);
  orders = [];
  server.use(
    answer("get", "/api/user/apikey", { apikey: "lvk_x" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
    paymentAnswer({ invoice: INVOICE }, 201),
  );
});

function paymentAnswer(body: object, status: number) {
  return answer("post", "/api/payments/create-invoice", body as never, {
    status,
    onCall: (sent, request) => orders.push({ body: sent, key: request.headers.get("idempotency-key") }),
  });
}

async function openDialog(advanceTimers?: (ms: number) => void) {
  const { user: hands } = openSignedIn("/settings");
  const user = advanceTimers === undefined ? hands : userEvent.setup({ advanceTimers });
  const credits = within(await screen.findByRole("region", { name: "Your Credits" }));
  await user.click(credits.getByRole("button", { name: "Buy More Credits" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Buy More Credits" }));
  const field = dialog.getByRole("textbox", { name: "Credits" });
  const write = async (text: string) => {
    await user.clear(field);
    await user.type(field, text);
  };
  return { user, dialog, field, write };
}

test("ten credits are bought with a click; the payment opens in a new tab and a toast says what comes", async () => {
  const { user, dialog, field } = await openDialog();
  expect(field).toHaveValue("10");
  expect(dialog.getByText(/^10 USDT, about 10\.00 USD\./)).toBeVisible();

  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));

  await waitFor(() => expect(tab?.location.replace).toHaveBeenCalledWith("https://pay.example.com/inv_1"));
  expect(window.open).toHaveBeenCalledWith("", "_blank");
  expect(tab?.opener).toBeNull();
  expect(orders.map(({ body }) => body)).toEqual([{ months: 10 }]);
  expect(orders[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(
    await screen.findByText("Redirecting for crypto payment... Your credits will update after successful payment."),
  ).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test.each([
  ["25", 25],
  ["7.9", 7],
  ["many", 1],
  ["", 1],
])("'%s' is taken as %i", async (typed, amount) => {
  const { user, write } = await openDialog();
  if (typed !== "") await write(typed);
  else await user.clear(screen.getByRole("textbox", { name: "Credits" }));

  await user.keyboard("{Enter}");

  await waitFor(() => expect(orders.map(({ body }) => body)).toEqual([{ months: amount }]));
});

test.each(["0", "-5"])("%s credits are refused, and no tab is opened", async (typed) => {
  const { user, dialog, write } = await openDialog();
  await write(typed);

  await user.keyboard("{Enter}");

  expect(await dialog.findByText("Please enter a valid number of credits (minimum 1).")).toBeVisible();
  expect(orders).toEqual([]);
  expect(window.open).not.toHaveBeenCalled();
});

test.each([
  ["the server's message", { message: "Payments are away.", code: "x" }, 503, "Error: Payments are away."],
  ["a status without one", {}, 502, "Error: Failed to retrieve payment link (status: 502)"],
  ["no link", { invoice: { ...INVOICE, url: "" } }, 201, "Error: Payment link missing in response from server."],
  [
    "a link that is no web address",
    { invoice: { ...INVOICE, url: "javascript:alert(1)" } },
    201,
    "Error: Payment link missing in response from server.",
  ],
])("a failure is told as it is: %s", async (_, body, status, text) => {
  server.use(paymentAnswer(body, status));
  const { user, dialog, write } = await openDialog();
  await write("31");

  await user.click(dialog.getByRole("button", { name: "Buy 31 credits" }));

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(tab?.close).toHaveBeenCalled();
  expect(tab?.location.replace).not.toHaveBeenCalled();
  expect(dialog.getByRole("textbox", { name: "Credits" })).toHaveValue("31");
});

test("the toast of a redirect stays for five seconds", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user, dialog } = await openDialog(vi.advanceTimersByTime);
  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));
  const text = "Redirecting for crypto payment... Your credits will update after successful payment.";
  await screen.findByText(text);

  const begin = Date.now();
  const shownFor = () => Date.now() - begin;
  while (screen.queryByText(text) !== null && shownFor() < 10_000) {
    await act(() => vi.advanceTimersByTimeAsync(250));
  }
  // It is gone from the page a second later, after its fading.
  expect(Math.abs(shownFor() - 1000 - 5000)).toBeLessThanOrEqual(500);
  vi.useRealTimers();
});

test("after a lost answer the second try carries the same key, so that there is one invoice", async () => {
  const keys: (string | null)[] = [];
  server.use(offline("post", "/api/payments/create-invoice"));
  server.events.on("request:start", ({ request }) => {
    if (request.url.includes("create-invoice")) keys.push(request.headers.get("idempotency-key"));
  });
  const { user, dialog } = await openDialog();
  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));
  expect(await screen.findByText("Error: The server can't be reached. Please try again.")).toBeInTheDocument();

  server.use(paymentAnswer({ invoice: INVOICE }, 201));
  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));

  await waitFor(() => expect(tab?.location.replace).toHaveBeenCalled());
  server.events.removeAllListeners();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test("where the browser opens no tab, the link is offered", async () => {
  tab = null;
  const { user, dialog } = await openDialog();

  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));

  const link = await dialog.findByRole("link", { name: "Open the payment page" });
  expect(link).toHaveAttribute("href", "https://pay.example.com/inv_1");
  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
});

test("who is short of credits for a plan comes to the dialog with what is missing, and back to activating", async () => {
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
  expect(dialog.getByRole("textbox", { name: "Credits" })).toHaveValue("7");

  await user.keyboard("{Escape}");
  expect(screen.getByText("Growth Tier of Aurora Travel needs 69 credits, you have 62.")).toBeVisible();
  act(() => void window.dispatchEvent(new CustomEvent("userCreditsUpdated", { detail: { credits: 70 } })));
  await user.click(await screen.findByRole("link", { name: "Activate Growth Tier" }));
  expect(await screen.findByRole("dialog", { name: "Activate Growth Tier" })).toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/projects/prj_k7m2xq4tz8ha3b5c/general");
  expect(JSON.stringify(router.state.location.state)).not.toContain("activate");
});
