/** A cell when AI fails, or may not run. */
import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { REPHRASE, rephrased, TRANSLATE } from "@/testing/cell-tools";
import { NO_PLAN, openScreen } from "@/testing/screen";
import { offline, refusal, server } from "@/testing/server";

// spec: ai-3
test.each([
  ["refused without a message", refusal("post", REPHRASE, 500, { message: "" }), "Failed to rephrase text"],
  [
    "refused with a reason",
    refusal("post", REPHRASE, 503, { message: "The AI service declined this text." }),
    "The AI service declined this text.",
  ],
  ["offline", offline("post", REPHRASE), "Failed to rephrase text. The server can't be reached. Please try again."],
  [
    "refused by a busy service",
    http.post(`*${REPHRASE}`, () =>
      HttpResponse.json(
        { message: "The AI service is busy. Please try again in a moment.", code: "ai_unavailable" },
        { status: 503, headers: { "Retry-After": "12" } },
      ),
    ),
    "The AI service is busy. Try again in 12 seconds.",
  ],
])("rephrasing that is %s shows why, keeps what was typed, and can be tried again", async (_, refused, message) => {
  const { user, openCell } = await openScreen({}, refused);
  const field = await openCell("cta_book, German: Buchen", "cta_book in German");
  await user.type(field, " jetzt");

  await user.keyboard("{Alt>}r{/Alt}");
  expect(await screen.findByRole("alert")).toHaveTextContent(message);
  expect(field).toHaveValue("Buchen jetzt");
  server.use(rephrased("Sofort buchen"));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("Sofort buchen")).toBeVisible();
  await user.keyboard("{Escape}{Escape}");
});

// spec: ai-8
test("a translation that fails without a message shows that it failed", async () => {
  const { user, openCell } = await openScreen({}, refusal("post", TRANSLATE, 500, { message: "" }));
  await openCell("cta_book, German: Buchen", "cta_book in German");

  await user.keyboard("{Alt>}t{/Alt}");

  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to auto-translate key");
});

// spec: ai-19
test("without a plan AI shows why it does nothing", async () => {
  const { user, openCell } = await openScreen(NO_PLAN);
  await openCell("cta_book, German: Buchen", "cta_book in German");
  const reason = "This project does not have an active plan. Please assign credits in Project Settings to use AI.";
  expect(screen.getByRole("button", { name: "Rephrase" })).toHaveAccessibleDescription(reason);

  await user.click(screen.getByRole("button", { name: "Rephrase" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(reason);
});
