import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { rememberActivation } from "@/lib/pending-activation";
import { bought, browser, INVOICE, openDialog, orders, paymentAnswer, prepareOrders } from "@/testing/buy-credits";
import { offline, server } from "@/testing/server";

beforeEach(prepareOrders);

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
  expect(browser.tab?.close).toHaveBeenCalled();
  expect(browser.tab?.location.replace).not.toHaveBeenCalled();
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

  await waitFor(() => expect(browser.tab?.location.replace).toHaveBeenCalled());
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

// spec: buy-6
test("where the browser opens no tab, the link is offered", async () => {
  browser.tab = null;
  const { user, dialog } = await openDialog();

  await user.click(dialog.getByRole("button", { name: "Buy 10 credits" }));

  const link = await dialog.findByRole("link", { name: "Open the payment page" });
  expect(link).toHaveAttribute("href", "https://pay.example.com/inv_1");
  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("rel", "noopener noreferrer");
});
