/** A plan that costs more credits than a person has. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { ASSIGN, GROWTH, openActivation } from "@/testing/activation-choices";
import { aUser } from "@/testing/fixtures";
import { openSettings } from "@/testing/project-settings";
import { answer, refusal, server } from "@/testing/server";

// spec: activation-4
test("a lack of credits leads to buying credits", async () => {
  const plans = answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [GROWTH] });
  server.use(
    answer("get", "/api/user/apikey", { apikey: "lvk_x" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
  );
  const { user, router, section } = await openSettings({}, aUser({ credits: 60 }), plans);
  const usage = section("Usage and plan limits");
  await user.click(await usage.findByRole("button", { name: "Renew or change plan" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("Not enough credits. You need 69, but have 60.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Renew Growth Tier" })).toBeDisabled();

  await user.click(dialog.getByRole("link", { name: "Buy More" }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/settings"));
  const buying = within(await screen.findByRole("dialog", { name: "Buy More Credits" }));
  expect(await buying.findByRole("textbox", { name: "Credits" })).toHaveValue("9");
});

// spec: activation-4
test("a refusal for lack of credits reads the balance again", async () => {
  const { user, dialog } = await openActivation({}, { credits: 100 });
  server.use(
    refusal("post", ASSIGN, 402, {
      message: "Not enough credits. You need 69, but have 3.",
      code: "not_enough_credits",
    }),
    answer("get", "/api/user/me", aUser({ credits: 3 })),
  );

  await user.click(dialog.getByRole("button", { name: "Renew Growth Tier" }));

  expect(await dialog.findByRole("link", { name: "Buy More" })).toBeVisible();
  expect(dialog.getByRole("button", { name: "Renew Growth Tier" })).toBeDisabled();
});
