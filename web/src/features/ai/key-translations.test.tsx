/** What AI translates of a new key, and what it leaves. */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { hurry } from "@/testing/clock";
import { aJob, aKey } from "@/testing/fixtures";
import { adds, inAllLanguages, OFFER, TRANSLATE_KEY } from "@/testing/key-offer";
import { cta, inRegion, KEYS, openScreen } from "@/testing/screen";
import { answer } from "@/testing/server";

// spec: ai-7
test("a language that could not be translated is named with the reason", async () => {
  const reason = "The answer left out {name}.";
  const { user } = await openScreen(
    {},
    adds,
    answer("post", TRANSLATE_KEY, inAllLanguages("subtitle", [{ language: "ar", reason }])),
  );

  await user.type(screen.getByRole("textbox", { name: "Name of the new key" }), "subtitle{Enter}Slow{Enter}");
  const offer = await inRegion(OFFER);
  await user.click(offer.getByRole("button", { name: "Translate into 2 languages" }));

  expect(await offer.findByText(/is in 1 of 2 other languages now/)).toBeVisible();
  expect(offer.getByRole("listitem")).toHaveTextContent(`Arabic: ${reason}`);
});

// spec: ai-6
test("many pasted keys are one offer, which fills what is missing on the screen", async () => {
  const started: string[] = [];
  const { user } = await openScreen(
    {},
    adds,
    http.post(`*${KEYS}/:language/auto-translate`, ({ params }) => {
      started.push(String(params["language"]));
      const job = aJob({ _id: `job_${params["language"]}`, language: String(params["language"]) });
      return HttpResponse.json({ message: `Into ${params["language"]}.`, job }, { status: 202 });
    }),
  );

  await user.click(screen.getByRole("textbox", { name: "Name of the new key" }));
  await user.paste("first\tOne\nsecond\tTwo\n");
  await user.click(await screen.findByRole("button", { name: "Add 2 keys" }));
  const offer = await inRegion(OFFER);
  expect(await offer.findByText(/2 keys were added, only in English/)).toBeVisible();
  await user.click(offer.getByRole("button", { name: "Translate into 2 languages" }));

  expect(await offer.findByText("Into de. Into ar.")).toBeVisible();
  expect(started).toEqual(["de", "ar"]);
});

// spec: ai-7
test("'Translate' in a cell of the default language saves its text first, and translates it into the other languages", async () => {
  hurry();
  const calls: unknown[] = [];
  const { openCell, user } = await openScreen(
    {},
    answer(
      "put",
      `${KEYS}/cta_book`,
      { ...cta, values: { ...cta.values, en: "Book it" }, revision: 2 },
      {
        afterMs: 150,
        onCall: () => calls.push("saved"),
      },
    ),
    answer("post", TRANSLATE_KEY, inAllLanguages("cta_book"), { onCall: (body) => calls.push(body) }),
  );
  const field = await openCell("cta_book, English: Book now", "cta_book in English");
  await user.clear(field);
  await user.type(field, "Book it");

  await user.keyboard("{Alt>}t{/Alt}");

  expect(await (await inRegion(OFFER)).findByText(/is in all languages now/)).toBeVisible();
  expect(calls).toEqual(["saved", { key: "cta_book", value: "Book it", sourceLang: "en" }]);
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "cta_book in English" })).not.toBeInTheDocument());
});

// spec: ai-7
test("a key that was edited since it was added is translated as it is now", async () => {
  const asked: unknown[] = [];
  const { user } = await openScreen(
    {},
    adds,
    http.post(`*${TRANSLATE_KEY}`, async ({ request }) => {
      const body = (await request.json()) as { value: string };
      asked.push(body.value);
      const current = aKey("subtitle", { en: "Slower" }, { revision: 2 });
      return body.value === "Slower"
        ? HttpResponse.json(inAllLanguages("subtitle"))
        : HttpResponse.json({ message: "Somebody changed it.", code: "stale_revision", current }, { status: 409 });
    }),
  );

  await user.type(screen.getByRole("textbox", { name: "Name of the new key" }), "subtitle{Enter}Slow{Enter}");
  await inRegion(OFFER);
  await user.keyboard("{Alt>}t{/Alt}");

  expect(await (await inRegion(OFFER)).findByText(/is in all languages now/)).toBeVisible();
  expect(asked).toEqual(["Slow", "Slower"]);
});

test("a language that keeps what a person wrote before the text was changed is named", async () => {
  const answered = inAllLanguages("subtitle");
  const { updatedKey } = answered;
  updatedKey.meta["en"] = { state: "new", by: "person", isConfirmed: false, at: "2026-11-19T12:00:00Z" };
  updatedKey.meta["de"] = { state: "new", by: "person", isConfirmed: false, at: "2026-11-19T11:00:00Z" };
  updatedKey.meta["ar"] = { state: "new", by: "ai", isConfirmed: false, at: "2026-11-19T12:30:00Z" };
  const { user } = await openScreen({}, adds, answer("post", TRANSLATE_KEY, answered));

  await user.type(screen.getByRole("textbox", { name: "Name of the new key" }), "subtitle{Enter}Slow{Enter}");
  await user.click((await inRegion(OFFER)).getByRole("button", { name: /^Translate into/ }));

  expect(
    await (await inRegion(OFFER)).findByText(/German keeps what a person wrote before this text was changed\./),
  ).toBeVisible();
});
