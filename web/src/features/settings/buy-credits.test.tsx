import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { renderPart } from "@/testing/component";
import { aUser } from "@/testing/fixtures";
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

/** The tab that the browser opened, or null when it kept it from opening. */
let tab: { location: { replace: (url: string) => void }; close: () => void; closed: boolean; opener: unknown } | null;

let orders: { body: unknown; key: string | null }[];

beforeEach(() => {
  tab = { location: { replace: vi.fn() }, close: vi.fn(), closed: false, opener: window };
  vi.spyOn(window, "open").mockImplementation(() => tab as unknown as Window);
  orders = [];
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
  const field = dialog.getByRole("textbox", { name: "Credits" });
  const write = async (text: string) => {
    await user.clear(field);
    await user.type(field, text);
  };
  return { user, dialog, field, write };
}

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

test("after a lost answer the second try carries the same key, so that there is one invoice", async () => {
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

test("where the browser opens no tab, the link is offered", async () => {
  tab = null;
  const { user, dialog } = await openDialog();

  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));

  const link = await dialog.findByRole("link", { name: "Open the payment page" });
  expect(link).toHaveAttribute("href", "https://pay.example.com/inv_1");
  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
});
