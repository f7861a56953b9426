/** A typed number of credits in the dialog that buys them. credit-amount.test.ts has all ways to write a number. */
import { beforeEach, expect, test, vi } from "vitest";
import { bought, openDialog, orders, prepareOrders } from "@/testing/buy-credits";

beforeEach(prepareOrders);

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
  ["de-DE", "1.000", 1000],
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
  ["en-US", "1.000"],
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
