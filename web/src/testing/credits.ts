/** Entries of a credit history. */

import { answer } from "./server";

export function anInvoice(values: object = {}) {
  return {
    _id: "inv_1",
    url: "https://pay.example.com/inv_1",
    credits: 10,
    amount: "10.00",
    currency: "USD",
    status: "waiting",
    overpaid: null,
    createdAt: new Date(Date.now() - 60_000).toISOString(),
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    creditedAt: null,
    ...values,
  };
}

export const invoices = (...list: object[]) =>
  answer("get", "/api/payments/invoices", { invoices: list as never, nextCursor: null });
