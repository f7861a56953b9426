import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Diff } from "@/lib/diff";
import { holdTimers } from "@/testing/clock";
import { aDiff, aUser, NO_LOSSES } from "@/testing/fixtures";
import { fresh, openReview, published, texts } from "@/testing/publish-selection";
import { change, DIFF, diff, PUBLISH } from "@/testing/review";
import { answer, refusal, server } from "@/testing/server";

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
