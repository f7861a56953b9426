import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http, type JsonBodyType } from "msw";
import { expect, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import type { PlaceWarnings } from "@/lib/diff";
import { holdTimers } from "@/testing/clock";
import { renderInProject } from "@/testing/component";
import { aDiff, aProject, aScreen, languages, NO_LOSSES, PROJECT_ID } from "@/testing/fixtures";
import { at, change, DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import { answer, eventStream, offline, refusal, server } from "@/testing/server";
import { Presence } from "../live/presence";
import { Discarding } from "./discarding";
import { PublishButton } from "./publish-button";

/** How long what has just taken the place of something else rests. */
const SETTLE_MS = 1_000;

function openProject(project: Partial<Project> = {}) {
  server.use(answer("get", "/api/languages", { languages }), answer("get", DIFF, diff));
  return renderInProject(
    (shown) => (
      <Discarding>
        <Presence projectId={shown.projectId} />
        <PublishButton project={shown} onNoPlan={() => {}} />
      </Discarding>
    ),
    { unpublished: { total: 3, screens: { home: 2 }, colors: 1, stores: 0 }, ...project },
    { at: "home" },
  );
}

test("a key with two editors shows each editor beside the language; a key with a single editor shows the editor once", async () => {
  const values = [
    { language: "en", old: "Book now", new: "Reserve", by: "Ada Lovelace" },
    { language: "de", old: "Jetzt buchen", new: "Jetzt reservieren", by: null },
  ];
  const { user } = openProject();
  const shared = { ...change("cta_book", "x", "y"), values };
  const screens = [
    { screen: "home", change: "changed" as const, total: 2, keys: [shared, change("farewell", "", "Bis bald")] },
  ];
  server.use(answer("get", DIFF, aDiff({ total: 2, screens })));

  await user.click(await publishButton());
  const dialog = await screen.findByRole("dialog", { name: "Publish Changes" });
  const [both, single] = await within(dialog).findAllByRole("listitem");

  expect(within(both as HTMLElement).getByText("Ada Lovelace")).toBeInTheDocument();
  expect(within(both as HTMLElement).getAllByText(/Mara Lindt/)).toHaveLength(2);
  expect(within(single as HTMLElement).getAllByText(/Mara Lindt/)).toHaveLength(1);
});

test("removals come first, with what apps lose, and Enter does not publish them", async () => {
  let sent = 0;
  const { user } = openProject();
  server.use(
    answer(
      "get",
      DIFF,
      aDiff({
        total: 14,
        screens: [
          {
            screen: "promo",
            place: "screen/promo",
            ref: "screen:promo",
            tie: "screen:promo",
            change: "removed",
            total: 10,
            keys: [],
          },
          {
            screen: "home",
            change: "changed",
            total: 2,
            keys: [
              { ...change("cta_book", "Book now", ""), renamedTo: "cta_reserve" },
              { ...change("cta_reserve", "", "Book now"), renamedFrom: "cta_book" },
            ],
          },
        ],
        languages: [{ language: "de", change: "removed", ref: "language:de", tie: "language:de" }],
        losses: { ...NO_LOSSES, screens: ["promo"], texts: 11, items: 1, languages: ["de"] },
      }),
    ),
    http.post(`*${PUBLISH}`, () => {
      sent += 1;
      return HttpResponse.json({ message: "Changes published successfully!", release: 2, published: true });
    }),
  );

  await user.click(await publishButton());
  const dialog = await screen.findByRole("dialog", { name: "Publish Changes" });
  const [first] = await within(dialog).findAllByRole("region", { name: /^(Removals|home)$/ });
  const removals = within(first as HTMLElement);

  expect(removals.getByRole("heading")).toHaveTextContent("Removals3 removals");
  expect(removals.getByText("Apps lose 11 texts, 1 item, and 1 language.")).toBeVisible();
  expect(removals.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
    "promoRemovedwhole screenDiscardApps lose 10 texts.",
    "German deRemovedlanguageDiscard",
    expect.stringMatching(/^cta_bookRemoved: renamed to cta_reservein homeMara Lindt, .*Book now$/),
  ]);
  expect(within(dialog).getByText("Renamed from cta_book")).toBeVisible();
  expect(within(dialog).getByText("Enter does not publish a removal.")).toBeVisible();
  expect(within(dialog).queryByText("Enter publishes")).not.toBeInTheDocument();
  await user.keyboard("{Enter}");
  expect(sent).toBe(0);
  await user.click(within(dialog).getByRole("button", { name: "Publish 14 changes" }));
  await waitFor(() => expect(sent).toBe(1));
});

test("a renamed colour is named with its former key in the review, and with its new key among the removals", async () => {
  const { user } = openProject();
  const sea = { by: "Mara Lindt", at, old: "", new: "", oldNickname: "", newNickname: "" };
  const colors = [
    { ...sea, key: "primary", change: "removed" as const, old: "#0b5d5e", renamedTo: "brand" },
    { ...sea, key: "brand", change: "added" as const, new: "#0b5d5e", renamedFrom: "primary" },
  ];
  server.use(answer("get", DIFF, aDiff({ total: 2, colors, losses: { ...NO_LOSSES, colors: 1 } })));

  await user.click(await publishButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  const removals = within(await dialog.findByRole("region", { name: "Removals" }));

  expect(removals.getByText("Removed: renamed to brand").closest("li")).toHaveTextContent(/^primary/);
  expect(dialog.getByText("Renamed from primary").closest("li")).toHaveTextContent(/^brand/);
});

// spec: publish-9
test("after a colleague's edit the review shows the new diff, and the next click publishes it", async () => {
  const fresh = aDiff({
    token: "token-2",
    total: 1,
    screens: [
      { screen: "home", change: "changed", total: 1, keys: [change("cta_book", "Jetzt buchen", "Los geht’s")] },
    ],
  });
  const sent: unknown[] = [];
  const { user } = openProject();
  server.use(
    http.post(`*${PUBLISH}`, async ({ request }) => {
      const body = (await request.json()) as { expected: string };
      sent.push(body.expected);
      return body.expected === "token-2"
        ? HttpResponse.json({ message: "Changes published successfully!", release: 2, published: true })
        : HttpResponse.json(
            {
              message: "The draft changed since you reviewed it. Please look at what would be published now.",
              code: "stale_diff",
              diff: fresh,
            },
            { status: 409 },
          );
    }),
  );

  await user.click(await publishButton());
  const aSecondLater = holdTimers(SETTLE_MS);
  await user.click(await screen.findByRole("button", { name: "Publish 3 changes" }));
  expect(await screen.findByText(/The draft changed since you reviewed it/)).toBeVisible();
  expect(screen.getByText("Los geht’s")).toBeVisible();
  expect(screen.queryByText("Bis bald")).not.toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent("The draft changed since you reviewed it.");
  expect(screen.getByRole("button", { name: "Cancel" }).closest("div")?.parentElement).toContainElement(
    screen.getByRole("alert"),
  );
  const again = screen.getByRole("button", { name: "Publish 1 change as shown now" });
  expect(again).toHaveAttribute("aria-disabled", "true");
  await user.click(again);
  again.focus();
  await user.keyboard("{Enter}");
  expect(sent).toEqual(["token-1"]);
  aSecondLater();
  expect(again).not.toHaveAttribute("aria-disabled");
  await user.click(again);

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
  expect(sent).toEqual(["token-1", "token-2"]);
});

const other = aDiff({
  token: "token-2",
  total: 1,
  screens: [{ screen: "home", change: "changed", total: 1, keys: [change("cta_book", "Jetzt buchen", "Los geht’s")] }],
});

test.each([
  ["a text was saved", { screens: { home: { cta_book: 3 } } }, other, "The draft changed"],
  ["a store changed", { stores: true }, other, "The draft changed"],
  ["a release came", { release: 2 }, { ...other, release: 2 }, "Release 2 was published"],
])("an open review stays as it is when %s, and publishes nothing until the change was looked at", async (...row) => {
  const [, event, present, words] = row;
  const sent: unknown[] = [];
  const stream = eventStream();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  const { user } = openProject();
  server.use(
    answer(
      "post",
      PUBLISH,
      { message: "", release: 2, published: true },
      { onCall: (body) => sent.push((body as { expected: string }).expected) },
    ),
  );
  await user.click(await publishButton());
  const button = await screen.findByRole("button", { name: "Publish 3 changes" });

  expect(screen.getByText("Enter publishes")).toBeVisible();
  server.use(answer("get", DIFF, present));
  stream.say("change", { by: { _id: "usr_2", name: "Jonas" }, at, ...event }, "2");
  expect(await screen.findByText(`${words} since you opened this.`)).toBeVisible();
  expect(screen.queryByText("Enter publishes")).not.toBeInTheDocument();
  expect(screen.getByText("Bis bald")).toBeVisible();
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.click(button);
  expect(sent).toEqual([]);

  const aSecondLater = holdTimers(SETTLE_MS);
  await user.click(screen.getByRole("button", { name: "Show the changes now" }));
  expect(screen.getByText("Los geht’s")).toBeVisible();
  expect(screen.queryByText(/since you opened this/)).not.toBeInTheDocument();
  expect(screen.queryByText("Enter publishes")).not.toBeInTheDocument();
  const renewed = screen.getByRole("button", { name: "Publish 1 change as shown now" });
  expect(renewed).toHaveAttribute("aria-disabled", "true");
  aSecondLater();
  await user.click(renewed);
  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
  expect(sent).toEqual(["token-2"]);
});

test("an event about changes that the review has already changes nothing", async () => {
  const stream = eventStream();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  const { user } = openProject();
  await user.click(await publishButton());
  const button = await screen.findByRole("button", { name: "Publish 3 changes" });
  let reads = 0;
  server.use(answer("get", DIFF, diff, { onCall: () => (reads += 1) }));

  stream.say("change", { by: { _id: "usr_2", name: "Jonas" }, at, screens: { home: { cta_book: 3 } } }, "2");
  await waitFor(() => expect(reads).toBe(1));

  expect(button).not.toHaveAttribute("aria-disabled");
  expect(screen.queryByText("The draft changed since you opened this.")).not.toBeInTheDocument();
});

test("counts that changed without an event are noticed, too", async () => {
  const { user } = openProject();
  await user.click(await publishButton());
  await screen.findByRole("button", { name: "Publish 3 changes" });
  server.use(
    answer("get", DIFF, other),
    answer(
      "get",
      `/api/projects/${PROJECT_ID}`,
      aProject({ unpublished: { total: 1, screens: { home: 1 }, colors: 0, stores: 0 } }),
    ),
  );

  window.dispatchEvent(new Event("focus"));

  expect(await screen.findByText("The draft changed since you opened this.")).toBeVisible();
});

test("the Back button closes the review", async () => {
  const { user, router } = openProject();
  server.use(answer("get", `/api/translations/${PROJECT_ID}/cart`, aScreen([])));
  await publishButton();
  await act(() => router.navigate(`/projects/${PROJECT_ID}/cart`));
  await user.click(await publishButton());
  await screen.findByRole("button", { name: "Publish 3 changes" });

  await act(() => router.navigate(-1));

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/home`);
});

test("the review shows an open schedule", async () => {
  const tomorrow = new Date();
  tomorrow.setDate(tomorrow.getDate() + 1);
  tomorrow.setHours(9, 0, 0, 0);
  const { user } = openProject({ scheduledFor: tomorrow.toISOString() });

  await user.click(await publishButton());

  expect(await screen.findByText(/Also scheduled for tomorrow 9:00 AM\./)).toBeVisible();
});

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

// spec: publish-16
test("the first of thousands of changes are drawn, and the others unfold", async () => {
  const many = (name: string) => ({
    screen: name,
    change: "changed" as const,
    total: 1_200,
    keys: Array.from({ length: 200 }, (_, index) => change(`${name}_${index}`, "Alt", "Neu")),
  });
  const { user } = openProject();
  server.use(answer("get", DIFF, { ...diff, total: 5_000, screens: ["home", "cart", "more"].map(many), colors: [] }));

  await user.click(await publishButton());
  const home = within(await screen.findByRole("region", { name: "home" }));

  expect(home.getByRole("button", { expanded: true })).toHaveTextContent("1,200 keys");
  expect(home.getAllByRole("listitem")).toHaveLength(40);
  expect(home.getByRole("button", { name: "Show 1,160 more" })).toBeEnabled();
  const cart = within(screen.getByRole("region", { name: "cart" }));
  expect(cart.queryByRole("listitem")).not.toBeInTheDocument();
  await user.click(cart.getByRole("button", { expanded: false }));
  expect(cart.getAllByRole("listitem")).toHaveLength(40);
  expect(screen.getByRole("button", { name: "Publish 5,000 changes" })).toBeEnabled();
});

const manyKeys = (count: number) => Array.from({ length: count }, (_, index) => change(`home_${index}`, "Alt", "Neu"));

const long = aDiff({
  ...diff,
  total: 90,
  screens: [{ screen: "home", change: "changed", total: 90, keys: manyKeys(60) }],
  colors: [],
});

const longer = { ...long, screens: long.screens.map((one) => ({ ...one, keys: manyKeys(90) })) };

/** Opens a review of 90 changes, whose rest is answered by `rest`. */
async function openLong(rest: (sections: string[]) => HttpResponse<JsonBodyType>) {
  const { user } = openProject();
  server.use(
    http.get(`*${DIFF}`, ({ request }) => {
      const sections = new URL(request.url).searchParams.getAll("whole");
      return sections.length === 0 ? HttpResponse.json(long) : rest(sections);
    }),
  );
  await user.click(await publishButton());
  return { user, home: within(await screen.findByRole("region", { name: "home" })) };
}

// spec: publish-16
test("a long list is shown in full on request, and the publish names the full list", async () => {
  const asked: string[][] = [];
  const { user, home } = await openLong((sections) => {
    asked.push(sections);
    return HttpResponse.json(longer);
  });
  const sent: unknown[] = [];
  server.use(
    answer("post", PUBLISH, { message: "", release: 4, published: true }, { onCall: (body) => sent.push(body) }),
  );

  await user.click(home.getByRole("button", { name: "Show 50 more" }));

  expect(home.getByText("home_40").closest("li")).toHaveFocus();
  expect(await home.findByText("home_89")).toBeInTheDocument();
  expect(home.getAllByRole("listitem")).toHaveLength(90);
  expect(home.queryByRole("button", { name: /more$/ })).not.toBeInTheDocument();
  expect(screen.queryByText(/Of long lists/)).not.toBeInTheDocument();
  expect(asked).toEqual([["screen/home"]]);
  await user.click(screen.getByRole("button", { name: "Publish 90 changes" }));
  await waitFor(() => expect(sent).toEqual([{ expected: long.token }]));
});

test("the review stays and reports a changed draft if the rest of a long list belongs to a newer draft", async () => {
  const { user, home } = await openLong(() => HttpResponse.json({ ...longer, token: "another" }));

  await user.click(home.getByRole("button", { name: "Show 50 more" }));

  expect(await screen.findByText("The draft changed since you opened this.")).toBeVisible();
  expect(home.getAllByRole("listitem")).toHaveLength(60);
});

test("the rest of a long list can be loaded again", async () => {
  let failures = 1;
  const { user, home } = await openLong(() => (failures-- > 0 ? HttpResponse.error() : HttpResponse.json(longer)));

  await user.click(home.getByRole("button", { name: "Show 50 more" }));
  expect(await home.findByRole("alert")).toHaveTextContent("The server can't be reached.");
  await user.click(home.getByRole("button", { name: "Show 30 more" }));

  expect(await home.findByText("home_89")).toBeInTheDocument();
  expect(home.getByText("home_60").closest("li")).toHaveFocus();
  expect(home.queryByRole("alert")).not.toBeInTheDocument();
});

test("offline the review shows that nothing was published, and can be tried again", async () => {
  const { user } = openProject();
  const button = await publishButton();
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  server.use(offline("get", DIFF));
  window.dispatchEvent(new Event("offline"));

  await user.click(button);
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  expect(await dialog.findByText("You are offline. Nothing was published.")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Try again" })).toBeVisible();
  isOnline.mockRestore();
  server.use(answer("get", DIFF, diff));
  window.dispatchEvent(new Event("online"));

  expect(await dialog.findByRole("button", { name: "Publish 3 changes" })).toBeVisible();
});

test("the offline notice disappears when the connection returns; a message of the server stays", async () => {
  const { user } = openProject();
  server.use(offline("post", PUBLISH));
  await user.click(await publishButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  const confirm = await dialog.findByRole("button", { name: "Publish 3 changes" });
  const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);

  await user.click(confirm);
  expect(await dialog.findByText("You are offline. Nothing was published.")).toBeVisible();
  isOnline.mockRestore();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(dialog.queryByText("You are offline. Nothing was published.")).not.toBeInTheDocument();

  server.use(answer("post", PUBLISH, {}, { status: 500 }));
  await user.click(confirm);
  expect(await dialog.findByText("Failed to publish changes.")).toBeVisible();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(dialog.getByText("Failed to publish changes.")).toBeVisible();
});

// spec: publish-14
test("the first publish is announced", async () => {
  const { user } = openProject({ release: 0, isPublished: false });
  server.use(answer("get", DIFF, { ...diff, isFirst: true, release: 0 }));

  await user.click(await publishButton());

  expect(await screen.findByText(/This is the first publish: your apps get everything below/)).toBeVisible();
});

// spec: publish-14
test("with nothing new there is nothing to publish", async () => {
  const { user } = openProject({ unpublished: { total: 0, screens: {}, colors: 0, stores: 0 } });
  server.use(answer("get", DIFF, aDiff()));

  await user.click(await publishButton());

  expect(await screen.findByText(/There is nothing new to publish/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Publish" })).not.toBeInTheDocument();
});

test("a refusal is shown in the review", async () => {
  const { user } = openProject();
  server.use(refusal("post", PUBLISH, 422, { message: 'The texts in "de" are 11.0 MB; apps can load at most 10 MB.' }));

  await user.click(await publishButton());
  await user.click(await screen.findByRole("button", { name: "Publish 3 changes" }));

  expect(await screen.findByText(/apps can load at most 10 MB/)).toBeVisible();
});

// spec: publish-2, publish-3, publish-4
test.each([
  ["no message", answer("post", PUBLISH, {}, { status: 500 }), "Failed to publish changes."],
  ["no answer", offline("post", PUBLISH), "Error publishing changes."],
])("a publish that fails with %s is reported, and a second try works", async (_, failing, text) => {
  const { user } = openProject();
  server.use(failing);
  await user.click(await publishButton());
  await user.click(await screen.findByRole("button", { name: "Publish 3 changes" }));
  expect(await screen.findByText(text)).toBeVisible();

  server.use(answer("post", PUBLISH, { message: "", release: 2, published: true }));
  await user.click(screen.getByRole("button", { name: "Publish 3 changes" }));

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
});

// spec: publish-15
test("a viewer can't publish and reads why", async () => {
  const { user } = openProject({ role: "viewer", permissions: ["read"] });

  const button = await publishButton();
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(button).toHaveAccessibleDescription(
    "Viewers can't publish. Ask an admin of this project for the editor role.",
  );
  await user.click(button);
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});
