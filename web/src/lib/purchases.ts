/** What this person bought, and the watch that refreshes every part of the dashboard when credits arrive. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import toast from "react-hot-toast";
import type { Answer } from "./api-types";
import { counted } from "./counted";
import { meQuery, useMe } from "./queries";
import { apiQuery, invalidate } from "./query";
import { announce } from "./window-events";

export type Invoice = Answer<"/api/payments/invoices", "get">["invoices"][number];

const SOON_MS = 3_000;
const LATER_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Whether money may still come: also a while after the invoice's end, since a late payment counts. */
export function isOpen(invoice: Invoice, now = Date.now()): boolean {
  const awaits = invoice.status === "waiting" || invoice.status === "confirming" || invoice.status === "partially_paid";
  return awaits && now < Date.parse(invoice.expiresAt) + HOUR_MS;
}

/** The newest purchases; asked again every few seconds while one of them is open. */
export const invoicesQuery = apiQuery(
  "/api/payments/invoices",
  { query: { limit: 10 } },
  {
    select: ({ invoices }) => invoices,
    refetchInterval: ({ state }) => {
      const open = (state.data?.invoices ?? []).filter((invoice) => isOpen(invoice));
      if (open.length === 0) return false;
      return open.some(({ createdAt }) => Date.now() - Date.parse(createdAt) < HOUR_MS) ? SOON_MS : LATER_MS;
    },
    refetchOnWindowFocus: "always",
  },
);

/** Follows open purchases wherever the person is in the dashboard: the balance changes by itself, and a toast gives the reason. */
export function usePurchaseWatch(): void {
  const client = useQueryClient();
  const { data: user } = useMe();
  const { data: invoices } = useQuery({ ...invoicesQuery, enabled: user?.billing === "credits" });
  const known = useRef<ReadonlyMap<string, Invoice["status"]> | null>(null);
  useEffect(() => {
    if (invoices === undefined) return;
    const before = known.current;
    known.current = new Map(invoices.map(({ _id, status }) => [_id, status]));
    // What was over when this page was opened is history, not news.
    const news = before === null ? [] : invoices.filter(({ _id, status }) => before.get(_id) !== status);
    for (const { _id, credits, status } of news) {
      if (status === "paid") toast.success(`${counted(credits, "credit")} arrived.`, { id: _id });
      if (status === "partially_paid") {
        toast.error(`Part of the payment for ${counted(credits, "credit")} is missing. Pay the rest to get them.`, {
          id: _id,
        });
      }
    }
    if (news.some(({ status }) => status === "paid")) {
      void client
        .fetchQuery({ ...meQuery, staleTime: 0 })
        .then(({ credits }) => announce("userCreditsUpdated", { credits }));
      void invalidate(client, "/api/payments/credits");
    }
  }, [invoices, client]);
}
