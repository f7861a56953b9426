import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { ASSIGN, openActivation } from "@/testing/activation-dialog";
import { heard } from "@/testing/browser";
import { aProject, aUser, PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";

// spec: event-2, activation-8
test("a new project starts with the free month, in one click", async () => {
  const calls: { body: unknown; key: string | null }[] = [];
  const balances = heard("userCreditsUpdated");
  const { user, dialog } = await openActivation();
  server.use(
    answer(
      "post",
      ASSIGN,
      { message: "The plan is active.", project: aProject({ activeTier: "free_starter_month" }), userCredits: 61 },
      {
        onCall: (body, request) => calls.push({ body, key: request.headers.get("idempotency-key") }),
      },
    ),
  );

  expect(await dialog.findByRole("radio", { name: /Free Starter Month/ })).toBeChecked();
  expect(dialog.getByText("1 month")).toBeVisible();
  expect(dialog.queryByRole("radio", { name: /^\d+ months?$/ })).not.toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "Activate Free Starter Month" }));

  expect(await screen.findByText("The plan is active.")).toBeInTheDocument();
  expect(calls).toHaveLength(1);
  expect(calls[0]?.body).toEqual({ projectId: PROJECT_ID, tierId: "free_starter_month", months: 1 });
  expect(calls[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(balances).toEqual([{ credits: 61 }]);
  await waitFor(() =>
    expect(screen.queryByText("Start your free month to add screens and publish.")).not.toBeInTheDocument(),
  );
});

test("the dialog shows the cost and the missing credits", async () => {
  const { user, dialog } = await openActivation();

  await user.click(await dialog.findByRole("radio", { name: /Starter Tier/ }));
  await user.click(dialog.getByRole("radio", { name: "3 months" }));
  expect(dialog.getByText("57 credits")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Activate Starter Tier" })).toBeEnabled();

  await user.click(dialog.getByRole("radio", { name: "6 months" }));
  expect(dialog.getByText("Not enough credits. You need 114, but have 62.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Activate Starter Tier" })).toBeDisabled();
});

// spec: activation-6
test("credits are spent once after a lost answer: the second try carries the same key", async () => {
  const seen: (string | null)[] = [];
  const { user, dialog } = await openActivation();
  server.use(
    http.post(`*${ASSIGN}`, ({ request }) => {
      seen.push(request.headers.get("idempotency-key"));
      server.use(answer("get", "/api/user/me", aUser({ credits: 43 })));
      return seen.length === 1
        ? HttpResponse.error()
        : HttpResponse.json({
            message: "The plan is active.",
            project: aProject({ activeTier: "starter" }),
            userCredits: 43,
          });
    }),
  );

  await user.click(await dialog.findByRole("radio", { name: /Starter Tier/ }));
  await user.click(dialog.getByRole("button", { name: "Activate Starter Tier" }));
  expect(await dialog.findByText("The server can't be reached. Please try again.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Activate Starter Tier" }));

  expect(await screen.findByText("The plan is active.")).toBeInTheDocument();
  expect(seen).toHaveLength(2);
  expect(seen[0]).toBe(seen[1]);
  expect(await screen.findByText("43 credits")).toBeInTheDocument();
});
