import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router";
import { expect, test, vi } from "vitest";
import { renderPart } from "@/testing/component";
import { answer, refusal, server } from "@/testing/server";
import { ReceiptPage } from "./receipt-page";

const RECEIPT = "/api/payments/invoices/inv_4/receipt";

const open = () =>
  renderPart(
    <Routes>
      <Route path="/settings/receipts/:invoiceId" element={<ReceiptPage />} />
    </Routes>,
    { at: "/settings/receipts/inv_4" },
  );

test("a receipt names the buyer and what was paid, and can be printed", async () => {
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  server.use(
    answer("get", RECEIPT, {
      number: "inv_4",
      buyerName: "Ada Lovelace",
      buyerEmail: "ada@example.com",
      credits: 1200,
      amount: "1200.00",
      currency: "USD",
      provider: "sandbox",
      providerReference: "sbx_1",
      orderedAt: "2026-11-20T12:00:00.000Z",
      paidAt: "2026-11-20T12:04:10.000Z",
    }),
  );
  const { user } = open();

  const sheet = within(await screen.findByRole("article", { name: "Receipt" }));
  expect(sheet.getByText("Ada Lovelace, ada@example.com")).toBeVisible();
  expect(sheet.getByRole("row", { name: "1,200 credits 1200.00 USD" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Print or save as PDF" }));
  expect(print).toHaveBeenCalledOnce();
  print.mockRestore();
});

test("a purchase that is not paid has no receipt", async () => {
  const message = "There is no receipt for this purchase: it is not paid, or not yours.";
  server.use(refusal("get", RECEIPT, 404, { message, code: "receipt_not_found" }));
  open();

  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Print or save as PDF" })).not.toBeInTheDocument();
});
