/** The offer to translate what was added, and a key that is translated from its own cell. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { hurry } from "@/testing/clock";
import { aScreen } from "@/testing/fixtures";
import { adds, inAllLanguages, OFFER, TRANSLATE_KEY } from "@/testing/key-offer";
import { cta, inRegion, KEYS, openScreen } from "@/testing/screen";
import { answer, server } from "@/testing/server";

// spec: ai-6
test("a new key in a project of several languages is offered to AI, by keyboard, while the next key can be added", async () => {
  hurry();
  const asked: unknown[] = [];
  const { user } = await openScreen(
    {},
    adds,
    answer("post", TRANSLATE_KEY, inAllLanguages("subtitle"), { onCall: (body) => asked.push(body) }),
  );
  const name = screen.getByRole("textbox", { name: "Name of the new key" });

  await user.type(name, "subtitle{Enter}Slow{Enter}");
  const offer = await inRegion(OFFER);
  expect(offer.getByText(/is only in English/)).toBeVisible();
  expect(name).toHaveFocus();
  expect(asked).toEqual([]);
  server.use(answer("get", KEYS, aScreen([cta, inAllLanguages("subtitle").updatedKey])));
  await user.keyboard("{Alt>}t{/Alt}");

  expect(await offer.findByText(/is in all languages now/)).toBeVisible();
  expect(asked).toEqual([{ key: "subtitle", value: "Slow", sourceLang: "en" }]);
  expect(screen.getByRole("gridcell", { name: "subtitle, German: Langsam" })).toBeInTheDocument();
  const row = screen.getByRole("rowheader", { name: "subtitle" }).closest<HTMLElement>('[role="row"]');
  expect(row && within(row).getByText("AI")).toBeVisible();
});

// spec: ai-6
test("'Not now' takes the offer away, and the next key can be typed", async () => {
  const { user } = await openScreen({}, adds);
  const name = screen.getByRole("textbox", { name: "Name of the new key" });

  await user.type(name, "subtitle{Enter}Slow{Enter}");
  await user.click((await inRegion(OFFER)).getByRole("button", { name: "Not now" }));

  expect(screen.queryByRole("region", { name: OFFER })).not.toBeInTheDocument();
  expect(name).toHaveFocus();
});
