/** Every dialog that has its own button to go on: two clicks before anything is drawn again make one call. */
import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aDiff, aProject, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";
import { clickTwice, counted, dialog } from "@/testing/twice";

function openProject(values: Parameters<typeof aProject>[0] = {}) {
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(values)),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([])),
    answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff({ total: 1 })),
  );
  return openSignedIn(`/projects/${PROJECT_ID}/general`);
}

test("a review publishes once", async () => {
  const { user } = openProject();
  counted("post", `/api/translations/${PROJECT_ID}/publish`, { message: "Done.", release: 2, published: true });
  await user.click(await screen.findByRole("button", { name: /^Publish Changes/ }));

  await clickTwice(await (await dialog("Publish Changes")).findByRole("button", { name: "Publish 1 change" }));
});

test("a plan is activated once", async () => {
  const starter = {
    id: "starter",
    name: "Starter Tier",
    monthlyCreditCost: 19,
    priceDisplay: "19 credits / month",
    tag: "",
    icon: "gift",
    features: [],
    limits: aProject().limits,
    support: "community",
  };
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [starter] }));
  const { user } = openProject({ activeTier: "none", tierName: "No Active Plan", plan: "free", expiresAt: null });
  counted("post", "/api/projects/assign-credits", { message: "Done.", project: aProject(), userCredits: 43 });
  await user.click(await screen.findByRole("button", { name: /^(Choose a plan|Start free month)$/ }));

  await clickTwice(await screen.findByRole("button", { name: "Activate Starter Tier" }));
});

test("a payment is begun once, in one tab", async () => {
  const tab = { location: { replace: vi.fn() }, close: vi.fn(), closed: false, opener: window };
  const openTab = vi.spyOn(window, "open").mockImplementation(() => tab as unknown as Window);
  server.use(
    answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }),
    answer("get", "/api/user/apikey", { apikey: "lvk_x" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
  );
  counted("post", "/api/payments/create-invoice", { invoice: { url: "https://pay.example.com/inv_1" } });
  const { user } = openSignedIn("/settings");
  const credits = within(await screen.findByRole("region", { name: "Your Credits" }));
  await user.click(credits.getByRole("button", { name: "Buy More Credits" }));

  await clickTwice(await (await dialog("Buy More Credits")).findByRole("button", { name: "Buy 10 credits" }));
  expect(openTab).toHaveBeenCalledTimes(1);
});
