import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Diff } from "@/lib/diff";
import { holdTimers } from "@/testing/clock";
import { renderInProject } from "@/testing/component";
import { aDiff, aProject, aUser, languages, NO_LOSSES, PROJECT_ID } from "@/testing/fixtures";
import { at, change, DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import { answer, refusal, server } from "@/testing/server";
import { Discarding } from "./discarding";
import { PublishButton } from "./publish-button";

const NOOR = "usr_noor";
const published = { message: "Changes published successfully!", release: 2, published: true, leftOut: 0 };

/** Opens the review of these changes, and notes what a publish sends. */
async function openReview(shown: Diff) {
  const sent: unknown[] = [];
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", DIFF, shown),
    answer("post", PUBLISH, published, { onCall: (body) => sent.push(body) }),
  );
  const opened = renderInProject(
    (project) => (
      <Discarding>
        <PublishButton project={project} onNoPlan={() => {}} />
      </Discarding>
    ),
    { unpublished: { total: shown.total, screens: {}, colors: 0, stores: 0 } },
  );
  await opened.user.click(await publishButton());
  const dialog = within(await screen.findByRole("dialog", { name: "Publish Changes" }));
  await dialog.findByRole("navigation", { name: "Parts of the review" });
  const box = (name: string | RegExp) => dialog.getByRole("checkbox", { name });
  const publish = () => dialog.getByRole("button", { name: /^Publish/ });
  return { ...opened, sent, dialog, box, publish };
}

const texts = (key: string, values: Record<string, [string, string]>, by = "usr_mara", name = "Mara Lindt") => ({
  ...change(key, "x", "y"),
  by: name,
  byId: by,
  values: Object.entries(values).map(([language, [old, next]]) => ({
    language,
    old,
    new: next,
    by: null,
    ref: `text:key_${key}/${language}`,
    byId: by,
    needs: [],
    tie: null,
  })),
});

/** Two keys of home, one of them in two languages, a new screen with two keys, and a colour. */
const fresh: Diff = aDiff({
  ...diff,
  total: 5,
  screens: [
    {
      screen: "home",
      place: "screen/home",
      change: "changed",
      total: 2,
      keys: [
        texts("cta", { en: ["Book now", "Reserve"], de: ["Jetzt buchen", "Reservieren"] }),
        texts("price", { de: ["Ab {price}", "Ab sofort"] }, NOOR, "Noor Aziz"),
      ],
    },
    {
      screen: "promo",
      place: "screen/promo",
      ref: "screen:promo",
      change: "added",
      total: 2,
      keys: ["hero", "hint"].map((key) => ({ ...change(key, "", "Neu"), needs: ["screen:promo"] })),
    },
  ],
  people: [
    { id: "usr_mara", name: "Mara Lindt", total: 4 },
    { id: NOOR, name: "Noor Aziz", total: 1 },
  ],
});

test("a change that is left out stays in the draft, is marked so, and is named to the server", async () => {
  const { user, dialog, box, publish, sent } = await openReview(fresh);
  expect(publish()).toHaveAccessibleName("Publish 5 changes");
  expect(box("Everything, 5 of 5 selected")).toBeChecked();

  await user.click(box("price"));

  const row = within(dialog.getByText("price").closest("li") as HTMLElement);
  expect(row.getByText("stays in the draft")).toBeVisible();
  expect(dialog.getByRole("status")).toHaveTextContent("1 stays in the draft");
  expect(box("Everything, 4 of 5 selected")).toBePartiallyChecked();
  expect(box("home, 1 of 2 selected")).toBePartiallyChecked();
  expect(dialog.getByRole("button", { name: /^home/, expanded: true })).toHaveTextContent("1 of 2 keys");
  expect(dialog.getByText(/The rest stays in the draft\./)).toBeVisible();
  expect(publish()).toHaveAccessibleName("Publish 4 of 5");
  server.use(answer("post", PUBLISH, { ...published, leftOut: 1 }, { onCall: (body) => sent.push(body) }));
  await user.click(publish());

  expect(await screen.findByText("Changes published successfully! 1 stays in the draft.")).toBeInTheDocument();
  expect(sent).toEqual([{ expected: "token-1", leaveOut: ["text:key_price"] }]);
});

test("the keys of a new screen go with the screen, and bring it back", async () => {
  const { user, box, publish, sent } = await openReview(fresh);

  await user.click(box("promo, 2 of 2 selected"));
  expect(box("hero")).not.toBeChecked();
  expect(box("hint")).not.toBeChecked();
  await user.click(box("hero"));
  expect(box("promo, 1 of 2 selected")).toBePartiallyChecked();
  await user.click(box("hero"));
  expect(box("promo, 0 of 2 selected")).not.toBeChecked();
  await user.click(publish());

  await waitFor(() => expect(sent).toEqual([{ expected: "token-1", leaveOut: ["screen:promo", "in:screen/promo"] }]));
});

test("both halves of a renamed key are ticked together", async () => {
  const tie = "rename:key_cta";
  const keys = [
    { ...change("cta_book", "Jetzt buchen", ""), renamedTo: "cta", tie },
    { ...change("cta", "", "Jetzt buchen"), renamedFrom: "cta_book", tie },
    change("other", "Alt", "Neu"),
  ];
  const screens = [{ screen: "home", place: "screen/home", change: "changed" as const, total: 3, keys }];
  const losses = { ...NO_LOSSES, texts: 1 };
  const { user, box, publish, dialog, sent } = await openReview(aDiff({ total: 3, screens, losses }));
  expect(dialog.getByText("Enter does not publish a removal.")).toBeVisible();

  await user.click(box("cta"));

  expect(box("cta_book")).not.toBeChecked();
  expect(box("Removals, 0 of 1 selected")).not.toBeChecked();
  expect(dialog.getByText("Apps lose nothing: the removals stay in the draft.")).toBeVisible();
  expect(dialog.getByText("Enter publishes")).toBeVisible();
  await user.click(publish());
  await waitFor(() => expect(sent).toEqual([{ expected: "token-1", leaveOut: ["text:key_cta_book", "text:key_cta"] }]));
});

test("a language and a person are left out with all of their texts", async () => {
  const { user, dialog, box, publish, sent } = await openReview(fresh);
  const by = (name: string) => within(dialog.getByRole("region", { name }));

  await user.click(by("By language").getByRole("checkbox", { name: "German, 4 of 4 selected" }));

  expect(box("cta")).toBePartiallyChecked();
  expect(dialog.getByText("part stays in the draft")).toBeVisible();
  expect(dialog.getByRole("status")).toHaveTextContent("4 stay in the draft, 1 of them in part");
  expect(publish()).toHaveAccessibleName("Publish 2 of 5");
  await user.click(by("By language").getByRole("checkbox", { name: "German, 0 of 4 selected" }));
  expect(publish()).toHaveAccessibleName("Publish 5 changes");

  await user.click(by("By person").getByRole("checkbox", { name: "Noor Aziz, 1 of 1 selected" }));
  expect(box("price")).not.toBeChecked();
  await user.click(publish());
  await waitFor(() => expect(sent).toEqual([{ expected: "token-1", leaveOut: ["text:key_price"] }]));
});

test("with nothing selected nothing can be published", async () => {
  const { user, dialog, box, publish, sent } = await openReview(fresh);

  await user.click(box("Everything, 5 of 5 selected"));
  expect(publish()).toHaveAccessibleName("Publish 0 of 5");
  expect(publish()).toHaveAccessibleDescription("Nothing is selected. Select at least one change to publish.");
  await user.click(publish());
  expect(sent).toEqual([]);

  await user.click(box("Everything, 0 of 5 selected"));
  expect(publish()).toHaveAccessibleName("Publish 5 changes");
  server.use(
    refusal("post", PUBLISH, 422, {
      message: "Nothing is selected. Select at least one change to publish.",
      code: "nothing_selected",
    }),
  );
  await user.click(publish());
  expect(await dialog.findByText("Nothing is selected. Select at least one change to publish.")).toBeVisible();
});

test("filters show own changes, changes with warnings and what is left out; a tick takes no line away", async () => {
  const me = aUser()._id;
  const mine = { ...texts("mine", { en: ["a", "b"] }, me, "Demo Person") };
  const screens = fresh.screens.map((one) =>
    one.screen === "home" ? { ...one, total: 3, keys: [...one.keys, mine] } : one,
  );
  const message = "Placeholder {price} is missing here.";
  const warnings: Diff["warnings"] = [
    {
      screen: "home",
      store: null,
      name: "home",
      counts: [{ kind: "placeholder", field: null, language: null, count: 1 }],
      entries: [
        { _id: "price", label: "price", values: [{ kind: "placeholder", field: null, language: "de", message }] },
      ],
    },
  ];
  const { user, dialog } = await openReview({ ...fresh, total: 6, screens, warnings });
  const filter = (name: RegExp) => dialog.getByRole("button", { name });
  const names = () =>
    dialog.getAllByRole("listitem").flatMap((line) =>
      within(line)
        .queryAllByRole("checkbox")
        .map((tick) => tick.getAttribute("aria-label")),
    );

  await user.click(filter(/^By me 1$/));
  expect(names()).toEqual(["mine"]);
  await user.click(filter(/^To check 1$/));
  expect(names()).toEqual(["price"]);
  expect(dialog.getByText(message)).toBeVisible();
  await user.click(dialog.getByRole("checkbox", { name: "price" }));
  await user.click(filter(/^Left out 1$/));
  expect(names()).toEqual(["price"]);

  await user.click(dialog.getByRole("checkbox", { name: "price" }));
  expect(names()).toEqual(["price"]);
  await user.click(filter(/^Left out 0$/));
  expect(dialog.getByText("Nothing is left out.")).toBeVisible();
  await user.click(filter(/^All 6$/));
  expect(names()).toHaveLength(6);
});

test("a long list is left out by its name, with what is not listed", async () => {
  const keys = Array.from({ length: 3 }, (_, index) => change(`key_${index}`, "Alt", "Neu"));
  const screens = [{ screen: "home", place: "screen/home", change: "changed" as const, total: 900, keys }];
  const { user, box, publish, dialog, sent } = await openReview(aDiff({ ...diff, total: 901, screens }));

  await user.click(box("home, 900 of 900 selected"));

  expect(publish()).toHaveAccessibleName("Publish 1 of 901");
  expect(box("key_0")).toBeDisabled();
  expect(box("key_0")).toHaveAttribute("title", "Show all changes of home to choose among them.");
  await user.click(publish());
  await waitFor(() => expect(sent).toEqual([{ expected: "token-1", leaveOut: ["in:screen/home"] }]));
  expect(dialog.queryByRole("region", { name: "By language" })).not.toBeInTheDocument();
});

test("all of a long list that was left out can be chosen from once it is shown", async () => {
  const keys = Array.from({ length: 3 }, (_, index) => change(`key_${index}`, "Alt", "Neu"));
  const list = (count: number) =>
    aDiff({
      ...diff,
      total: 4,
      screens: [{ screen: "home", place: "screen/home", change: "changed", total: 3, keys: keys.slice(0, count) }],
    });
  const { user, box, publish, dialog, sent } = await openReview(list(1));
  await user.click(box("home, 3 of 3 selected"));
  server.use(answer("get", DIFF, list(3)));

  await user.click(dialog.getByRole("button", { name: "Show 2 more" }));
  await user.click(await dialog.findByRole("checkbox", { name: "key_2" }));

  expect(publish()).toHaveAccessibleName("Publish 2 of 4");
  await user.click(publish());
  await waitFor(() => expect(sent).toEqual([{ expected: "token-1", leaveOut: ["text:key_key_0", "text:key_key_1"] }]));
});

test("after a colleague's edit the new changes are shown, and what was left out stays left out", async () => {
  const { user, dialog, box, sent } = await openReview(fresh);
  await user.click(box("price"));
  await user.click(box("hint"));
  const edited = {
    ...fresh,
    token: "token-2",
    total: 4,
    screens: fresh.screens.map((one) =>
      one.screen === "promo" ? { ...one, total: 1, keys: one.keys.filter(({ key }) => key === "hero") } : one,
    ),
  };
  server.use(
    http.post(`*${PUBLISH}`, async ({ request }) => {
      const body = (await request.json()) as { expected: string };
      sent.push(body);
      return body.expected === "token-2"
        ? HttpResponse.json(published)
        : HttpResponse.json({ message: "The draft changed.", code: "stale_diff", diff: edited }, { status: 409 });
    }),
  );
  const aSecondLater = holdTimers(1_000);

  await user.click(dialog.getByRole("button", { name: "Publish 3 of 5" }));

  expect(await dialog.findByText("The draft changed.")).toBeVisible();
  expect(box("price")).not.toBeChecked();
  expect(dialog.queryByRole("checkbox", { name: "hint" })).not.toBeInTheDocument();
  aSecondLater();
  await user.click(dialog.getByRole("button", { name: "Publish 3 of 4 as shown now" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ expected: "token-2", leaveOut: ["text:key_price"] }));
});

test("the arrow keys go from box to box, and Space ticks", async () => {
  const { user, box } = await openReview(fresh);
  box("cta").focus();

  await user.keyboard("{ArrowDown} ");
  expect(box("price")).toHaveFocus();
  expect(box("price")).not.toBeChecked();
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(box("All changes of home")).toHaveFocus();
  await user.keyboard("{Home}{Enter}");
  expect(box("All changes of home")).toBePartiallyChecked();
  expect(screen.getByRole("dialog", { name: "Publish Changes" })).toBeVisible();

  box("Everything, 4 of 5 selected").focus();
  await user.keyboard("{ArrowDown}");
  expect(box("home, 1 of 2 selected")).toHaveFocus();
});

test("a click with Shift ticks all changes from the box that was clicked before", async () => {
  const { user, box } = await openReview(fresh);
  await user.click(box("cta"));

  await user.keyboard("{Shift>}");
  await user.click(box("hint"));

  for (const name of ["cta", "price", "hero", "hint"]) expect(box(name)).not.toBeChecked();
  await user.click(box("price"));
  expect(box("cta")).not.toBeChecked();
  for (const name of ["price", "hero", "hint"]) expect(box(name)).toBeChecked();
});

/** Answers a discard and its undo, and notes what was sent. */
function answerDiscards(after: Diff) {
  const calls: unknown[] = [];
  const keptAt = "2026-11-20T12:00:00.000Z";
  server.use(
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/discard`,
      { message: "Discarded 1 change.", discarded: 1, keptAt },
      {
        onCall: (body) => {
          calls.push(body);
          server.use(answer("get", DIFF, after));
        },
      },
    ),
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/discard/undo`,
      { message: "The discarded changes are back." },
      {
        onCall: (body) => {
          calls.push(body);
          server.use(answer("get", DIFF, fresh));
        },
      },
    ),
    answer(
      "get",
      `/api/projects/${PROJECT_ID}`,
      aProject({ unpublished: { total: 4, screens: {}, colors: 0, stores: 0 } }),
    ),
  );
  return { calls, keptAt };
}

const withoutPrice: Diff = {
  ...fresh,
  token: "token-2",
  total: 4,
  screens: fresh.screens.map((one) =>
    one.screen === "home" ? { ...one, total: 1, keys: one.keys.filter(({ key }) => key !== "price") } : one,
  ),
};

test("one small change is discarded without a question, the other ticks stay, and it can be undone", async () => {
  const { user, dialog, box } = await openReview(fresh);
  const { calls, keptAt } = answerDiscards(withoutPrice);
  await user.click(box("hint"));

  await user.click(dialog.getByRole("button", { name: "Discard price" }));

  expect(await dialog.findByText("Discarded the change of price.")).toBeVisible();
  await waitFor(() => expect(dialog.queryByRole("checkbox", { name: "price" })).not.toBeInTheDocument());
  expect(dialog.getByRole("button", { name: "Publish 3 of 4" })).toBeVisible();
  expect(screen.queryByText("The draft changed since you opened this.")).not.toBeInTheDocument();
  expect(calls).toEqual([{ changes: ["text:key_price"], expected: "token-1" }]);

  await user.click(dialog.getByRole("button", { name: "Undo" }));
  expect(await dialog.findByRole("checkbox", { name: "price" })).toBeChecked();
  expect(box("hint")).not.toBeChecked();
  expect(calls.at(-1)).toEqual({ keptAt });
  expect(dialog.queryByRole("button", { name: "Undo" })).not.toBeInTheDocument();
});

test("more than one change is asked about once, with what goes along", async () => {
  const { user, dialog } = await openReview(fresh);
  const { calls } = answerDiscards(withoutPrice);
  await user.click(dialog.getByRole("button", { name: "Discard…" }));
  expect(await screen.findByRole("menuitem", { name: /^All by Noor Aziz 1$/ })).toBeVisible();
  await user.click(screen.getByRole("menuitem", { name: /^All by Mara Lindt 4$/ }));

  const question = within(await screen.findByRole("dialog", { name: "Discard all changes by Mara Lindt?" }));
  expect(question.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
    "The draft gets back what release 1 has. Apps keep that release and get nothing new.",
    "You can undo this right after it.",
    expect.stringMatching(/^cta/),
    expect.stringMatching(/^hero/),
    expect.stringMatching(/^hint/),
    expect.stringMatching(/^primary/),
  ]);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: /^Discard/ })).not.toBeInTheDocument());
  expect(screen.getByRole("dialog", { name: "Publish Changes" })).toBeVisible();
  expect(calls).toEqual([]);

  await user.click(dialog.getByRole("checkbox", { name: "primary" }));
  await user.click(dialog.getByRole("checkbox", { name: "cta" }));
  await user.click(dialog.getByRole("button", { name: "Discard…" }));
  await user.click(await screen.findByRole("menuitem", { name: /^The selected changes 3$/ }));
  await user.click(await screen.findByRole("button", { name: "Discard 3 changes" }));
  await waitFor(() =>
    expect(calls).toEqual([{ changes: ["text:key_price", "screen:promo", "in:screen/promo"], expected: "token-1" }]),
  );
});

test("a discard of a draft that changed shows the new list before anything is lost", async () => {
  const { user, dialog } = await openReview(fresh);
  server.use(
    answer(
      "post",
      `/api/projects/${PROJECT_ID}/discard`,
      { message: "The draft changed.", code: "stale_diff", diff: withoutPrice },
      { status: 409 },
    ),
  );
  await user.click(dialog.getByRole("button", { name: "Discard…" }));
  await user.click(await screen.findByRole("menuitem", { name: /^Everything/ }));
  const question = within(await screen.findByRole("dialog", { name: "Discard all unpublished changes?" }));
  expect(question.getByText("price")).toBeVisible();
  expect(question.getByText("You can undo this right after it.")).toBeVisible();
  const aSecondLater = holdTimers(1_000);
  await user.click(question.getByRole("button", { name: "Discard 5 changes" }));

  expect(await question.findByText("The draft changed. Look at what would be discarded now.")).toBeVisible();
  expect(question.queryByText("price")).not.toBeInTheDocument();
  const again = question.getByRole("button", { name: "Discard 4 changes" });
  expect(again).toHaveAttribute("aria-disabled", "true");
  aSecondLater();
  const { calls } = answerDiscards({ ...aDiff(), token: "token-3" });
  await user.click(again);

  expect(await dialog.findByText(/There is nothing new to publish/)).toBeVisible();
  expect(calls).toEqual([{ changes: ["all"], expected: "token-2" }]);
});

test("who may publish but not edit is offered no discard", async () => {
  server.use(answer("get", "/api/languages", { languages }), answer("get", DIFF, { ...fresh, at }));
  const { user } = renderInProject(
    (project) => (
      <Discarding>
        <PublishButton project={project} onNoPlan={() => {}} />
      </Discarding>
    ),
    { permissions: ["read", "publish"] },
  );
  await user.click(await publishButton());

  expect(await screen.findByRole("checkbox", { name: "price" })).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Discard/ })).not.toBeInTheDocument();
});
