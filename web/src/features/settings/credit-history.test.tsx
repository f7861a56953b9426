import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { usePurchaseWatch } from "@/lib/purchases";
import { useMe } from "@/lib/queries";
import { renderPart } from "@/testing/component";
import { anInvoice, invoices } from "@/testing/credits";
import { aUser } from "@/testing/fixtures";
import { answer, refusal, server } from "@/testing/server";
import { CreditsSection } from "./credits-section";

/** The section of credits, beside the watch that the frame of every page has. */
function Credits() {
  const { data: me } = useMe();
  usePurchaseWatch();
  return me?.billing === "credits" && <CreditsSection credits={me.credits} />;
}

const renderCredits = (me = aUser()) => renderPart(<Credits />, { at: "/settings", me });

afterEach(() => {
  vi.useRealTimers();
});

test("a payment that falls short is reported, and the rest can be paid", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.use(invoices(anInvoice()));
  renderCredits();
  await screen.findByRole("list", { name: "Purchases" });

  server.use(invoices(anInvoice({ status: "partially_paid" })));
  await act(() => vi.advanceTimersByTimeAsync(3_500));

  expect(
    await screen.findByText("Part of the payment for 10 credits is missing. Pay the rest to get them."),
  ).toBeInTheDocument();
  expect(await screen.findByText("Part of the payment is missing")).toBeVisible();
  expect(screen.getByRole("link", { name: "Pay for 10 credits" })).toHaveTextContent("Pay the rest");
});

test("without an open purchase the list is read once, and a finished purchase causes no toast", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let calls = 0;
  server.use(
    answer(
      "get",
      "/api/payments/invoices",
      {
        invoices: [anInvoice({ status: "paid" }), anInvoice({ _id: "inv_0", status: "expired" })] as never,
        nextCursor: null,
      },
      {
        onCall: () => {
          calls += 1;
        },
      },
    ),
  );
  renderCredits();
  await screen.findByRole("list", { name: "Purchases" });

  await act(() => vi.advanceTimersByTimeAsync(60_000));

  expect(calls).toBe(1);
  expect(screen.queryByText("10 credits arrived.")).not.toBeInTheDocument();
});

test("with billing off no purchases are requested", async () => {
  let calls = 0;
  server.use(
    answer(
      "get",
      "/api/payments/invoices",
      { invoices: [], nextCursor: null },
      {
        onCall: () => {
          calls += 1;
        },
      },
    ),
  );
  const { queryClient } = renderCredits(aUser({ billing: "off" }));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));

  expect(calls).toBe(0);
});

test("purchases show their state, and can be paid while they are open", async () => {
  server.use(
    invoices(
      anInvoice(),
      anInvoice({ _id: "inv_2", credits: 1, status: "confirming" }),
      anInvoice({ _id: "inv_3", credits: 300, status: "expired" }),
      anInvoice({ _id: "inv_4", credits: 4, status: "paid", overpaid: "1.25 USDT" }),
    ),
  );
  renderCredits();

  const list = within(await screen.findByRole("list", { name: "Purchases" }));
  expect(list.getAllByRole("listitem").map((item) => item.querySelector("p")?.textContent)).toEqual([
    "10 credits Waiting for payment",
    "1 credit Payment is being confirmed",
    "300 credits Expired",
    "4 credits Paid",
  ]);
  expect(list.getByText(/1\.25 USDT came beyond the price and buys nothing/)).toBeVisible();
  const link = list.getByRole("link", { name: "Pay for 10 credits" });
  expect(link).toHaveAttribute("href", "https://pay.example.com/inv_1");
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
  expect(list.getByRole("link", { name: "Receipt for 4 credits" })).toHaveAttribute("href", "/settings/receipts/inv_4");
  expect(list.getAllByRole("link")).toHaveLength(2);
});

test("the history shows the reason and the balance of each change, and loads older entries on request", async () => {
  const entry = (values: object) => ({
    _id: "1",
    kind: "grant",
    amount: 100,
    balanceAfter: 100,
    projectId: null,
    projectName: null,
    tierName: null,
    months: null,
    createdAt: "2026-11-01T10:00:00Z",
    ...values,
  });
  const names = { projectName: "Aurora Travel", tierName: "Starter Tier" };
  const asked: string[] = [];
  const page = (entries: object[], nextCursor: string | null) =>
    answer(
      "get",
      "/api/payments/credits",
      { entries: entries as never, months: [{ month: "2026-11", received: 1110, spent: 57 }], nextCursor },
      { onCall: (_, request) => asked.push(new URL(request.url).search) },
    );
  server.use(
    page(
      [
        entry({ _id: "4", kind: "activation", amount: -57, balanceAfter: 53, ...names, months: 3 }),
        entry({ _id: "3", kind: "purchase", amount: 10, balanceAfter: 110 }),
        entry({ _id: "2", kind: "free_month", amount: 0, ...names, tierName: "Free Starter Month", months: 1 }),
      ],
      "2",
    ),
  );
  const { user } = renderCredits();
  const rows = () => within(screen.getByRole("region", { name: "Credit history" })).getAllByRole("listitem");
  expect(await screen.findByRole("heading", { name: "November 2026 57 spent, 1,110 received" })).toBeVisible();
  expect(rows()[0]).toHaveTextContent("Starter Tier for Aurora Travel, 3 monthsNov 1, 2026−5753 left");
  expect(rows()[1]).toHaveTextContent("BoughtNov 1, 2026+10110 left");
  expect(rows()[2]).toHaveTextContent("Free Starter Month for Aurora TravelNov 1, 20260100 left");

  server.use(page([entry({})], null));
  await user.click(screen.getByRole("button", { name: "Show older" }));

  await waitFor(() => expect(rows()).toHaveLength(4));
  expect(rows()[3]).toHaveTextContent("Granted by the operator");
  expect(asked.at(-1)).toBe("?limit=10&cursor=2");
  expect(screen.queryByRole("button", { name: "Show older" })).not.toBeInTheDocument();
});

test("a history that can't be loaded shows an error", async () => {
  server.use(refusal("get", "/api/payments/credits", 500, { message: "" }));
  renderCredits();

  expect(await screen.findByText("Failed to fetch your credits.")).toBeVisible();
});
