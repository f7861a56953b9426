/** What the editor shows beside a text: whether it is outdated, what is wrong with it, and how far its language is. */
import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import type { KeyRecord } from "@/lib/queries";
import { hurry } from "@/testing/clock";
import { aKey, aScreen, languages } from "@/testing/fixtures";
import { KEYS, renderScreen } from "@/testing/screen-part";
import { answer, server } from "@/testing/server";

const french = {
  code: "fr",
  name: "French",
  nativeName: "Français",
  direction: "ltr" as const,
  flag: "",
  plurals: ["other"],
};

const at = (time: string, more: Partial<KeyRecord["meta"][string]> = {}) => ({
  state: "published" as const,
  by: "person" as const,
  isConfirmed: false,
  at: `2026-11-19T${time}Z`,
  ...more,
});

const title = aKey("title", { en: "Hello there", de: "Hallo" }, { meta: { en: at("12:00:00"), de: at("10:00:00") } });

const lead = aKey("lead", { en: "Trips", de: "Reisen" }, { meta: { en: at("10:00:00"), de: at("10:00:00") } });

const bare = aKey("bare", { en: "Nothing yet" }, { meta: { en: at("12:00:00") } });

const openScreen = (keys: KeyRecord[], project: Partial<Project> = {}) =>
  renderScreen(keys, project, { known: [...languages, french] });

const rowOf = (key: string) => {
  const row = screen.getByRole("rowheader", { name: key }).closest<HTMLElement>('[role="row"]');
  if (row === null) throw new Error(`no row of ${key}`);
  return within(row);
};

// spec: text-17
test("a translation is outdated when its original is newer, until a person confirms that it is still right", async () => {
  const sent: unknown[] = [];
  const confirmed = { ...title, revision: 2, meta: { ...title.meta, de: at("13:00:00") } };
  server.use(answer("put", `${KEYS}/title`, confirmed, { onCall: (body) => sent.push(body) }));
  const { user } = await openScreen([title, lead, bare]);

  expect(rowOf("title").getByText("Outdated")).toBeVisible();
  expect(
    screen.getByRole("gridcell", {
      name: "title, German: Hallo The English text was changed after this text. Still right",
    }),
  ).toBeVisible();
  expect(rowOf("lead").queryByText("Outdated")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Outdated 1" }));
  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "lead" })).not.toBeInTheDocument());
  expect(screen.getByText(/^The English text was changed after this text\./)).toBeVisible();

  await user.click(screen.getByRole("button", { name: "title in German: Still right" }));

  await waitFor(() => expect(screen.queryByText(/was changed after this text/)).not.toBeInTheDocument());
  expect(screen.getByRole("gridcell", { name: "title, German: Hallo" })).toHaveFocus();
  expect(sent).toEqual([{ key: "title", confirmed: ["de"], revision: 1 }]);
  expect(screen.queryByRole("textbox", { name: "title in German" })).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Outdated 0" })).toBeInTheDocument();
});

test("an outdated text that a colleague changed is not confirmed, but shown as it is now", async () => {
  const current = { ...title, revision: 7, values: { en: "Hello there", de: "Servus" } };
  server.use(
    answer(
      "put",
      `${KEYS}/title`,
      { code: "stale_revision", message: "Somebody changed it.", current },
      { status: 409 },
    ),
  );
  const { user } = await openScreen([title]);

  await user.click(screen.getByRole("button", { name: "title in German: Still right" }));

  expect(await screen.findByRole("gridcell", { name: /^title, German: Servus/ })).toBeVisible();
  expect(screen.getByText(/was changed after this text/)).toBeVisible();
});

// spec: text-18
test("possible faults of a text are shown while it is typed, and beside it", async () => {
  hurry();
  const plural = "{n, plural, one {# trip} other {# trips}}";
  const count = aKey("count", { en: plural, de: "{n, plural, one {# Reise} other {# Reisen}}" });
  const { user } = await openScreen([count, aKey("copy", { en: "Book a trip", de: "Book a trip" })]);

  expect(screen.getByText(/^Same as the English text\./)).toBeVisible();
  expect(rowOf("copy").getByText("Check")).toBeVisible();
  expect(rowOf("count").queryByText("Check")).not.toBeInTheDocument();

  await user.click(await screen.findByRole("button", { name: "Check 1" }));
  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "count" })).not.toBeInTheDocument());
  expect(screen.getByRole("rowheader", { name: "copy" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "All 2" }));

  await user.click(await screen.findByRole("gridcell", { name: /^count, German/ }));
  const field = screen.getByRole("textbox", { name: "count in German" });
  await user.clear(field);
  await user.click(field);
  await user.paste("{n, plural, one {# Reise}}");
  expect(screen.getByText("The plural of n lacks “other”.")).toBeVisible();
  await user.clear(field);
  await user.paste(" {n, plural, one {# Reise} other {# Reisen}}");
  expect(screen.getByText("Starts with a space.")).toBeVisible();
  await user.keyboard("{Escape}");

  await user.click(screen.getByRole("gridcell", { name: /^count, English/ }));
  await user.clear(screen.getByRole("textbox", { name: "count in English" }));
  await user.paste("{n, plural, one {# trip}");
  expect(screen.getByText("A “{” is never closed.")).toBeVisible();
  await user.keyboard("{Escape}");
});

test("'Same as the English text' disappears when a person confirms the text, and returns with a different text", async () => {
  const copy = aKey("plan", { en: "Premium Plan", de: "Premium Plan" });
  const confirmed = aKey("plan", copy.values, {
    revision: 2,
    meta: { ...copy.meta, de: at("13:00:00", { isConfirmed: true }) },
  });
  const sent: unknown[] = [];
  server.use(answer("put", `${KEYS}/plan`, confirmed, { onCall: (body) => sent.push(body) }));
  const { user } = await openScreen([copy]);
  expect(rowOf("plan").getByText("Check")).toBeVisible();

  await user.click(screen.getByRole("button", { name: "plan in German: Right as it is" }));

  await waitFor(() => expect(screen.queryByText(/^Same as the English text\./)).not.toBeInTheDocument());
  expect(screen.getByRole("gridcell", { name: "plan, German: Premium Plan" })).toHaveFocus();
  expect(rowOf("plan").queryByText("Check")).not.toBeInTheDocument();
  expect(sent).toEqual([{ key: "plan", confirmed: ["de"], revision: 1 }]);
  server.use(
    answer("put", `${KEYS}/plan`, { ...confirmed, values: { ...copy.values, en: "Premium Plans" }, revision: 3 }),
  );
  await user.click(screen.getByRole("gridcell", { name: /^plan, English/ }));
  await user.keyboard("s{Enter}");
  expect(await rowOf("plan").findByText("Saved")).toBeVisible();
  await user.click(screen.getByRole("gridcell", { name: "plan, German: Premium Plan" }));
  await user.keyboard("s");
  expect(screen.getByText("Same as the English text.")).toBeVisible();
  await user.keyboard("{Escape}");
});

// spec: text-3
test("each language shows its progress, and its texts are read when it is chosen", async () => {
  const asked: string[][] = [];
  const all = [lead, bare];
  const { user } = await openScreen(all, { languages: ["en", "de", "fr"] });
  server.use(
    http.get(KEYS, ({ request }) => {
      asked.push(new URL(request.url).searchParams.getAll("lang"));
      const values = { en: "Trips", fr: "Voyages" };
      return Response.json({
        ...aScreen([{ ...lead, values, meta: { en: at("10:00:00"), fr: at("10:00:00") } }, bare]),
      });
    }),
  );

  const picker = screen.getByRole("combobox", { name: "Second language" });
  expect(await within(picker).findByRole("option", { name: "German · Deutsch · 50%" })).toBeInTheDocument();
  expect(await within(picker).findByRole("option", { name: "French · Français · 0%" })).toBeInTheDocument();
  await user.selectOptions(picker, "fr");

  expect(await screen.findByRole("gridcell", { name: "lead, French: Voyages" })).toBeVisible();
  expect(asked).toEqual([["en", "fr"]]);
});

test("a row shows the state of the shown texts: a change in a hidden language does not count", async () => {
  const waiting = { en: at("10:00:00"), de: at("10:00:00"), fr: at("12:00:00", { state: "changed" }) };
  const inFrench = aKey("lead", { en: "Trips", de: "Reisen" }, { state: "changed", meta: waiting });
  const inGerman = aKey(
    "title",
    { en: "Hello", de: "Hallo" },
    { meta: { ...waiting, de: at("12:00:00", { state: "changed" }) } },
  );
  const { user } = await openScreen([inFrench, inGerman], { languages: ["en", "de", "fr"] });

  expect(rowOf("lead").getByText("Published")).toBeVisible();
  expect(rowOf("title").getByText("Changed")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Changed 1" }));
  await waitFor(() => expect(screen.queryByRole("rowheader", { name: "lead" })).not.toBeInTheDocument());
});

test("a text by the stand-in for AI is not marked as a translation", async () => {
  const byAi = { en: at("10:00:00"), de: at("10:00:00", { by: "ai" }) };
  await openScreen([
    aKey("title", { en: "Hello", de: "[!!! Ĥéļļö !!!]" }, { meta: byAi }),
    aKey("lead", { en: "Trips", de: "Reisen" }, { meta: byAi }),
  ]);

  expect(rowOf("title").getByText("Pseudo")).toBeVisible();
  expect(rowOf("lead").getByText("AI")).toBeVisible();
});
