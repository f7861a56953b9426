import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rememberActivation } from "@/lib/pending-activation";
import { renderPart } from "@/testing/component";
import { aPlan, aUser } from "@/testing/fixtures";
import { answer, offline, server } from "@/testing/server";
import { CreditsSection } from "./credits-section";

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

const FREE = aPlan("free_starter_month", "Free Starter Month", 0);
const STARTER = aPlan("starter", "Starter Tier", 19);
const PRO = aPlan("pro", "Pro Tier", 179);

/** The tab that the browser opened, or null when it kept it from opening. */
let tab: { location: { replace: (url: string) => void }; close: () => void; closed: boolean; opener: unknown } | null;

let orders: { body: unknown; key: string | null }[];

beforeEach(() => {
  tab = { location: { replace: vi.fn() }, close: vi.fn(), closed: false, opener: window };
  vi.spyOn(window, "open").mockImplementation(() => tab as unknown as Window);
  orders = [];
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [FREE, STARTER, PRO] }));
  server.use(paymentAnswer({ invoice: INVOICE }, 201));
});

function paymentAnswer(body: object, status: number) {
  return answer("post", "/api/payments/create-invoice", body as never, {
    status,
    onCall: (sent, request) => orders.push({ body: sent, key: request.headers.get("idempotency-key") }),
  });
}

async function openDialog(advanceTimers?: (ms: number) => void) {
  const { user: hands } = renderPart(<CreditsSection credits={62} />, { at: "/settings", me: aUser() });
  const user = advanceTimers === undefined ? hands : userEvent.setup({ advanceTimers });
  const credits = within(await screen.findByRole("region", { name: "Your Credits" }));
  await user.click(credits.getByRole("button", { name: "Buy More Credits" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Buy More Credits" }));
  const field = await dialog.findByRole("textbox", { name: "Credits" });
  const write = async (text: string) => {
    await user.clear(field);
    await user.type(field, text);
  };
  return { user, dialog, field, write };
}

const bought = (amount: number) => waitFor(() => expect(orders.map(({ body }) => body)).toEqual([{ months: amount }]));

// spec: buy-3
test.each([
  ["25", 25],
  ["7.9", 7],
  ["many", 1],
  ["", 1],
])("'%s' counts as %i", async (typed, amount) => {
  const { user, dialog, field, write } = await openDialog();
  if (typed !== "") await write(typed);
  else await user.clear(field);
  const credits = amount === 1 ? "1 credit" : `${amount} credits`;
  expect(dialog.getByRole("button", { name: `Buy ${credits}` })).toBeVisible();

  await user.keyboard("{Enter}");

  if (typed !== String(amount)) {
    // The field shows the number before it is bought.
    expect(field).toHaveValue(String(amount));
    expect(field).toHaveAccessibleDescription(expect.stringContaining(`This is ${credits} now. Confirm to buy.`));
    expect(orders).toEqual([]);
    await user.keyboard("{Enter}");
  }
  await bought(amount);
});

// spec: buy-3
test.each([
  ["en-US", "1,000", 1000],
  ["en-US", "12,345", 12_345],
  ["en-US", "1 000", 1000],
  ["en-US", "1\u202f000", 1000],
  ["en-US", "0010", 10],
  ["en-US", "10.00", 10],
  ["de-DE", "1.000", 1000],
  ["de-CH", "1\u2019000", 1000],
  ["fr-FR", "1\u202f000", 1000],
  ["en-IN", "1,00,000", 100_000],
])("in %s '%s' buys %i credits, and the button shows the number", async (language, typed, amount) => {
  vi.spyOn(navigator, "language", "get").mockReturnValue(language);
  const { user, dialog, write } = await openDialog();
  await write(typed);

  const shown = amount.toLocaleString("en");
  expect(dialog.getByText(new RegExp(`^${shown} USDT, about ${shown}\\.00 USD\\.`))).toBeVisible();
  await user.click(dialog.getByRole("button", { name: `Buy ${shown} credits` }));

  await bought(amount);
});

test.each([
  ["en-US", "1e3"],
  ["en-US", "0x10"],
  ["en-US", "1.000"],
  ["en-US", "1 0"],
  ["en-US", "10,00,0"],
  ["en-US", "10 credits"],
  ["en-US", "1,0005"],
  ["de-DE", "1,000"],
  ["en-US", "١٠"],
])(
  "in %s '%s' is ambiguous: nothing is bought, and the field shows how to write the number",
  async (language, typed) => {
    vi.spyOn(navigator, "language", "get").mockReturnValue(language);
    const { user, dialog, field, write } = await openDialog();
    await write(typed);

    expect(dialog.queryByText(/USDT/)).not.toBeInTheDocument();
    await user.click(dialog.getByRole("button", { name: "Buy credits" }));

    expect(field).toHaveAccessibleDescription(expect.stringContaining("Write the number with digits only, like 1000."));
    expect(field).toBeInvalid();
    expect(field).toHaveFocus();
    expect(field).toHaveValue(typed);
    expect(orders).toEqual([]);
    expect(window.open).not.toHaveBeenCalled();
  },
);

test("the price of a month of each plan can be chosen", async () => {
  const { user, dialog, field } = await openDialog();
  const offered = within(await dialog.findByRole("group", { name: "A month of a plan" }));
  expect(offered.getAllByRole("button").map((button) => button.textContent)).toEqual([
    "Starter Tier: 19",
    "Pro Tier: 179",
  ]);

  await user.click(offered.getByRole("button", { name: "Pro Tier: 179" }));
  expect(field).toHaveValue("179");
  expect(offered.getByRole("button", { name: "Pro Tier: 179" })).toHaveAttribute("aria-pressed", "true");
  await user.click(dialog.getByRole("button", { name: "Buy 179 credits" }));

  await bought(179);
});

test("a person who wants a plan begins with the credits that are missing for it", async () => {
  rememberActivation({
    projectId: "prj_1",
    projectName: "Aurora Travel",
    tierId: "pro",
    tierName: "Pro Tier",
    months: 1,
    cost: 179,
  });

  const { field } = await openDialog();

  expect(field).toHaveValue("117");
});

// spec: buy-4
test.each(["0", "-5"])("%s credits are refused, and no tab is opened", async (typed) => {
  const { user, dialog, write } = await openDialog();
  await write(typed);

  await user.keyboard("{Enter}");

  expect(await dialog.findByText("Please enter a valid number of credits (minimum 1).")).toBeVisible();
  expect(orders).toEqual([]);
  expect(window.open).not.toHaveBeenCalled();
});

// spec: buy-8, buy-9
test.each([
  ["the server's message", { message: "Payments are away.", code: "x" }, 503, "Error: Payments are away."],
  ["a status without a message", {}, 502, "Error: Failed to retrieve payment link (status: 502)"],
  ["no link", { invoice: { ...INVOICE, url: "" } }, 201, "Error: Payment link missing in response from server."],
  [
    "a link that is no web address",
    { invoice: { ...INVOICE, url: "javascript:alert(1)" } },
    201,
    "Error: Payment link missing in response from server.",
  ],
])("a failure is shown with its reason: %s", async (_, body, status, text) => {
  server.use(paymentAnswer(body, status));
  const { user, dialog, write } = await openDialog();
  await write("31");

  await user.click(dialog.getByRole("button", { name: "Buy 31 credits" }));

  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(tab?.close).toHaveBeenCalled();
  expect(tab?.location.replace).not.toHaveBeenCalled();
  expect(dialog.getByRole("textbox", { name: "Credits" })).toHaveValue("31");
});

// spec: buy-7
test("the toast of a redirect stays for five seconds", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
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
});

test("after a lost answer the second try carries the same key, so that there is a single invoice", async () => {
  const keys: (string | null)[] = [];
  server.use(offline("post", "/api/payments/create-invoice"));
  server.events.on("request:start", ({ request }) => {
    if (request.url.includes("create-invoice")) keys.push(request.headers.get("idempotency-key"));
  });
  onTestFinished(() => server.events.removeAllListeners());
  const { user, dialog } = await openDialog();
  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));
  expect(await screen.findByText("Error: The server can't be reached. Please try again.")).toBeInTheDocument();

  server.use(paymentAnswer({ invoice: INVOICE }, 201));
  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));

  await waitFor(() => expect(tab?.location.replace).toHaveBeenCalled());
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

// spec: buy-6
test("where the browser opens no tab, the link is offered", async () => {
  tab = null;
  const { user, dialog } = await openDialog();

  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));

  const link = await dialog.findByRole("link", { name: "Open the payment page" });
  expect(link).toHaveAttribute("href", "https://pay.example.com/inv_1");
  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
});
