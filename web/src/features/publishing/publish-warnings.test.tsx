/** Warnings in the review of a publish. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PlaceWarnings } from "@/lib/diff";
import { openProject } from "@/testing/publish-dialog";
import { change, DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import { answer, server } from "@/testing/server";

const warning = (
  kind: PlaceWarnings["counts"][number]["kind"],
  language: string | null,
  message: string,
  field: string | null = null,
) => ({ kind, field, language, message });

const broken = "Placeholder {price} is missing here.";

const places: PlaceWarnings[] = [
  {
    screen: "home",
    store: null,
    name: "home",
    counts: [
      { kind: "placeholder", field: null, language: null, count: 2 },
      { kind: "missing", field: null, language: "en", count: 12 },
      { kind: "outdated", field: null, language: null, count: 2 },
      { kind: "pseudo", field: null, language: null, count: 1 },
    ],
    entries: [
      {
        _id: "cta_book",
        label: "cta_book",
        values: [
          warning("placeholder", "de", broken),
          warning("missing", "fr", "Missing in French. Apps show the English text."),
        ],
      },
      {
        _id: "farewell",
        label: "farewell",
        values: [
          warning("missing", "en", "Missing in English. Apps show what they were built with."),
          warning("missing", "de", "Missing in German. Apps show what they were built with."),
          warning("pseudo", "de", "Pseudo text for testing layouts, not a translation."),
        ],
      },
      {
        _id: "zulu",
        label: "zulu",
        values: [
          warning("placeholder", "de", broken),
          warning("outdated", "de", "The English text was changed after this text."),
          warning("outdated", "en", "The English text was changed after this text."),
        ],
      },
    ],
  },
];

// spec: publish-10, publish-11, publish-13
test("warnings are shown above the review and beside the values, are counted, and stop nothing", async () => {
  const { user } = openProject();
  server.use(
    answer("get", DIFF, { ...diff, warnings: places }),
    answer("post", PUBLISH, { message: "", release: 2, published: true }),
  );

  await user.click(await publishButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  const summary = within(await dialog.findByRole("region", { name: "Warnings" }));

  expect(summary.getByRole("heading", { name: "4 warnings" })).toBeVisible();
  expect(summary.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
    "Checkhome: 2 texts with other placeholders than the original (cta_book and zulu).",
    "Missinghome: 12 texts are missing in English.",
    "Outdatedhome: 2 texts are older than what they translate.",
    "Pseudohome: 1 text is pseudo text for testing layouts, not a translation.",
  ]);
  const changes = within(dialog.getByRole("region", { name: "home" }));
  const lineOf = (key: string) => changes.getByText(key).closest("li");
  expect(lineOf("cta_book")).toHaveTextContent(`de${broken}Missing in French. Apps show the English text.`);
  expect(lineOf("farewell")).toHaveTextContent("Missing in English and German.");
  expect(lineOf("farewell")).toHaveTextContent(/MissingPseudo.*Pseudo text for testing layouts, not a translation\./);
  expect(lineOf("zulu")).toHaveTextContent(`${broken}Older than what they translate: German and English.`);
  const confirm = dialog.getByRole("button", { name: "Publish 3 changes" });
  // Enter alone does not publish a change that needs a check.
  expect(confirm).not.toHaveFocus();
  expect(dialog.getByText("Enter does not publish what needs a check.")).toBeVisible();

  await user.click(confirm);
  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
});

test("warnings that need a check come first and are never folded; languages that lack texts share a line for each screen", async () => {
  const lacks = ["ar", "ja", "fr"].map((language) => ({ kind: "missing" as const, field: null, language, count: 15 }));
  const lost = { kind: "placeholder" as const, field: null, language: null, count: 1 };
  const screens = ["s1", "s2", "s3", "s4", "s5", "s6"];
  const found: PlaceWarnings[] = screens.map((name) => ({
    screen: name,
    store: null,
    name,
    counts: name === "s6" ? [lost, ...lacks] : lacks,
    entries: name === "s6" ? [{ _id: "price", label: "price", values: [warning("placeholder", "de", broken)] }] : [],
  }));
  const { user } = openProject();
  server.use(answer("get", DIFF, { ...diff, warnings: found }));

  await user.click(await publishButton());
  const summary = within(await screen.findByRole("region", { name: "Warnings" }));
  const lines = () => summary.getAllByRole("listitem").map((line) => line.textContent);

  expect(summary.getByRole("heading", { name: "7 warnings" })).toBeVisible();
  expect(lines()).toEqual([
    "Checks6: 1 text with other placeholders than the original (price).",
    ...["s1", "s2", "s3", "s4"].map((name) => `Missing${name}: 45 texts are missing in Arabic, Japanese, and French.`),
  ]);
  await user.click(summary.getByRole("button", { name: "Show 2 more" }));
  expect(lines().slice(5)).toEqual([expect.stringMatching(/^Missings5/), expect.stringMatching(/^Missings6/)]);

  // However many warnings need a check, the list hides no such warning behind a button.
  const grave = [...found, ...screens.map((name) => ({ ...(found[5] as PlaceWarnings), screen: `t${name}` }))];
  server.use(answer("get", DIFF, { ...diff, token: "token-2", warnings: grave }));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await user.click(await publishButton());
  const again = within(await screen.findByRole("region", { name: "Warnings" }));
  expect(again.getAllByText("Check")).toHaveLength(7);
  expect(again.queryByText("Missing")).not.toBeInTheDocument();
});

test("a warning leads to its part, which opens", async () => {
  const { user } = openProject();
  server.use(answer("get", DIFF, { ...diff, warnings: places }));
  await user.click(await publishButton());
  const home = await screen.findByRole("region", { name: "home" });
  const fold = within(home).getByRole("button", { expanded: true });
  await user.click(fold);
  expect(within(home).queryByText("cta_book")).not.toBeInTheDocument();

  const summary = within(screen.getByRole("region", { name: "Warnings" }));
  await user.click(summary.getAllByRole("button", { name: "home" })[0] as HTMLElement);

  expect(within(home).getByText("cta_book")).toBeVisible();
  expect(fold).toHaveFocus();
});

test("a warning leads to its entry, drawn or not, and marks it", async () => {
  const many = Array.from({ length: 60 }, (_, index) => change(`key_${index}`, "Alt", "Neu"));
  const place = { ...(places[0] as PlaceWarnings) };
  const at50 = { _id: "key_50", label: "key_50", values: [warning("placeholder", "de", broken)] };
  const untouched = { _id: "zulu", label: "zulu", values: [warning("placeholder", "de", broken)] };
  const { user } = openProject();
  server.use(
    answer("get", DIFF, {
      ...diff,
      total: 1_200,
      screens: [{ screen: "home", change: "changed", total: 1_200, keys: many }],
      warnings: [{ ...place, entries: [at50, untouched] }],
    }),
  );
  await user.click(await publishButton());
  const home = within(await screen.findByRole("region", { name: "home" }));
  expect(home.queryByText("key_50")).not.toBeInTheDocument();
  expect(
    screen.getByText(/Of long lists the first 200 are shown, .*; this publishes all 1,200 changes\./),
  ).toBeVisible();

  const summary = within(screen.getByRole("region", { name: "Warnings" }));
  await user.click(summary.getByRole("button", { name: "key_50" }));
  expect(home.getByText("key_50").closest("li")).toHaveFocus();
  await user.click(summary.getByRole("button", { name: "zulu" }));
  expect(home.getByText("zulu").closest("li")).toHaveFocus();
  expect(home.getByText("key_50").closest("li")).not.toHaveAttribute("data-marked");
});
