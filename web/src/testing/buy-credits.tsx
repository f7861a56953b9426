/** The dialog that buys credits. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, vi } from "vitest";
import { CreditsSection } from "@/features/settings/credits-section";
import { renderPart } from "@/testing/component";
import { aPlan, aUser } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";

export const INVOICE = {
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
export const browser: {
  tab: { location: { replace: (url: string) => void }; close: () => void; closed: boolean; opener: unknown } | null;
} = { tab: null };

export const orders: { body: unknown; key: string | null }[] = [];

/** Before each test: plans, and payments that succeed. */
export function prepareOrders() {
  browser.tab = { location: { replace: vi.fn() }, close: vi.fn(), closed: false, opener: window };
  vi.spyOn(window, "open").mockImplementation(() => browser.tab as unknown as Window);
  orders.length = 0;
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [FREE, STARTER, PRO] }));
  server.use(paymentAnswer({ invoice: INVOICE }, 201));
}

export function paymentAnswer(body: object, status: number) {
  return answer("post", "/api/payments/create-invoice", body as never, {
    status,
    onCall: (sent, request) => orders.push({ body: sent, key: request.headers.get("idempotency-key") }),
  });
}

export async function openDialog(advanceTimers?: (ms: number) => void) {
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

export const bought = (amount: number) =>
  waitFor(() => expect(orders.map(({ body }) => body)).toEqual([{ months: amount }]));
