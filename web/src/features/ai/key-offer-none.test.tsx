/** New keys that AI does not translate. */
import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { adds, inAllLanguages, OFFER, TRANSLATE_KEY } from "@/testing/key-offer";
import { inRegion, NO_PLAN, openScreen } from "@/testing/screen";
import { answer, server } from "@/testing/server";

// spec: ai-6
test("nothing is offered for a key without a text, in a project of one language, or without a plan", async () => {
  for (const [project, typed] of [
    [{}, "empty_one{Enter}{Enter}"],
    [{ languages: ["en"] }, "subtitle{Enter}Slow{Enter}"],
    [NO_PLAN, "subtitle{Enter}Slow{Enter}"],
  ] as const) {
    const { user, unmount } = await openScreen(project as Parameters<typeof openScreen>[0], adds);

    await user.type(screen.getByRole("textbox", { name: "Name of the new key" }), typed);

    await screen.findByRole("rowheader", { name: /empty_one|subtitle/ });
    expect(screen.queryByRole("region", { name: OFFER })).not.toBeInTheDocument();
    unmount();
  }
});

// spec: ai-8
test("an offer that fails without a message shows that, and can be tried again", async () => {
  const asked: unknown[] = [];
  const fails = http.post(`*${TRANSLATE_KEY}`, async ({ request }) => {
    asked.push(await request.json());
    return HttpResponse.json({ message: "" }, { status: 500 });
  });
  const { user } = await openScreen({}, adds, fails);

  await user.type(screen.getByRole("textbox", { name: "Name of the new key" }), "subtitle{Enter}Slow{Enter}");
  const offer = await inRegion(OFFER);
  await user.keyboard("{Alt>}t{/Alt}");
  expect(await offer.findByRole("alert")).toHaveTextContent("Failed to auto-translate key");
  expect(asked).toEqual([{ key: "subtitle", value: "Slow", sourceLang: "en" }]);
  server.use(answer("post", TRANSLATE_KEY, inAllLanguages("subtitle")));
  await user.click(offer.getByRole("button", { name: "Try again" }));

  expect(await offer.findByText(/is in all languages now/)).toBeVisible();
});
