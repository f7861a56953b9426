import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test, vi } from "vitest";
import { languages } from "@/testing/fixtures";
import {
  aChange,
  aComparison,
  aVersion,
  first,
  kept,
  newest,
  openHistory,
  openOnScreen,
  pro,
  showButton,
  VERSIONS,
} from "@/testing/history";
import { answer, offline, refusal, server } from "@/testing/server";

// spec: history-1
test("versions are listed newest first, with number, time, person and number of keys", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-19T13:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const { panel } = await openHistory();

  const list = await panel.findByRole("group", { name: "Versions, newest first" });
  const rows = within(list)
    .getAllByRole("radio")
    .map((radio) => radio.closest("label"));
  expect(rows[0]).toHaveTextContent(/^Version 3Release 3 ?3 hours ago.*Ada Lovelace.*1 key$/);
  expect(rows[1]).toHaveTextContent(/^Version 2.*Draft before roll back.*Grace Hopper.*3 keys$/);
  expect(rows[2]).toHaveTextContent(/^Version 1.*12 keys$/);
  expect(within(list).getAllByTitle(/Nov 19, 2026/)).toHaveLength(3);
});

test("the list distinguishes a restore from a publish, and a draft before a restore from a draft before a roll back", async () => {
  const versions = [
    aVersion(4, { kind: "draft", release: 8 }),
    aVersion(3, { release: 8, restored: 2 }),
    aVersion(2, { kind: "draft", release: 7, restored: 2 }),
    aVersion(1, { release: 2 }),
  ];
  const { panel } = await openHistory(pro, { versions, nextCursor: null });

  const list = await panel.findByRole("group", { name: "Versions, newest first" });
  const rows = within(list)
    .getAllByRole("radio")
    .map((radio) => radio.closest("label"));
  expect(rows[0]).toHaveTextContent(/^Version 4Draft before roll back/);
  expect(rows[1]).toHaveTextContent(/^Version 3Release 8 · restored release 2/);
  expect(rows[2]).toHaveTextContent(/^Version 2Draft before release 2 was restored/);
  expect(rows[3]).toHaveTextContent(/^Version 1Release 2/);
});

// spec: history-8
test("a chosen version shows what rolling back would change, without a person, and what the version changed itself", async () => {
  const asked: string[] = [];
  const { user, panel } = await openHistory();
  server.use(
    http.get(`*${VERSIONS}/ver_1`, ({ request }) => {
      const against = new URL(request.url).searchParams.get("against") === "previous" ? "previous" : "draft";
      asked.push(against);
      const keys = [aChange("title", "added", "", "Hello")];
      return HttpResponse.json(aComparison(first, against === "draft" ? {} : { against, total: 1, keys }));
    }),
  );

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  expect(await panel.findByText("Rolling back changes 2 keys of the draft.")).toBeVisible();
  const line = panel.getByText("cta_book").closest<HTMLElement>("li");
  expect(line?.querySelector("del")).toHaveTextContent("Reserve now");
  expect(line?.querySelector("ins")).toHaveTextContent("Book now");
  const effect = within(panel.getByRole("region", { name: "Version 1: If you roll back" }));
  expect(effect.queryByText(/Ada Lovelace|ago/)).toBeNull();

  await user.click(panel.getByRole("button", { name: "What it changed" }));
  expect(await panel.findByText("It changed 1 key.")).toBeVisible();
  expect(panel.getByText("title")).toBeVisible();
  const changed = within(panel.getByRole("region", { name: "Version 1: What it changed" }));
  expect(changed.getByText(/^Ada Lovelace,/)).toBeVisible();
  expect(asked).toEqual(expect.arrayContaining(["draft", "previous"]));
});

test("the arrow keys go through the versions", async () => {
  const { user, panel } = await openHistory();
  server.use(answer("get", `${VERSIONS}/:version`, aComparison(kept)));

  await user.click(await panel.findByRole("radio", { name: /^Version 3/ }));
  await user.keyboard("{ArrowDown}");

  expect(panel.getByRole("radio", { name: /^Version 2/ })).toBeChecked();
  expect(await panel.findByRole("region", { name: "Draft before roll back: If you roll back" })).toBeVisible();
});

test("a large difference shows its first keys, and how many more there are", async () => {
  const { user, panel } = await openHistory();
  server.use(answer("get", `${VERSIONS}/ver_1`, aComparison(first, { total: 1_202 })));

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));

  expect(await panel.findByText("and 1,200 more keys")).toBeVisible();
});

test("older versions are fetched on request", async () => {
  const { user, panel } = await openHistory(pro, { versions: [newest], nextCursor: 3 });
  server.use(
    http.get(`*${VERSIONS}`, ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get("cursor") === "3"
          ? { versions: [kept, first], nextCursor: null }
          : { versions: [newest], nextCursor: 3 },
      ),
    ),
  );

  await user.click(await panel.findByRole("button", { name: "Older versions" }));

  expect(await panel.findByRole("radio", { name: /^Version 1/ })).toBeInTheDocument();
  expect(panel.queryByRole("button", { name: "Older versions" })).not.toBeInTheDocument();
});

// spec: history-13
test("a screen that was never published has no versions yet", async () => {
  const { panel } = await openHistory(pro, { versions: [], nextCursor: null });

  expect(await panel.findByText("No published versions yet")).toBeVisible();
});

// spec: history-11
test("a failure to fetch versions offers another try", async () => {
  server.use(answer("get", "/api/languages", { languages }), offline("get", VERSIONS));
  const { user } = showButton(pro);
  await user.click(await screen.findByRole("button", { name: "History" }));

  expect(await screen.findByText("Failed to fetch versions")).toBeVisible();
  server.use(answer("get", VERSIONS, { versions: [first], nextCursor: null }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("radio", { name: /^Version 1/ })).toBeInTheDocument();
});

// spec: history-2
test("without the pro tier the panel shows which tier has it and leads to the plan", async () => {
  const asked: string[] = [];
  const { user, panel } = await openOnScreen({}, {});
  server.use(answer("get", VERSIONS, {}, { onCall: () => asked.push("versions") }));

  expect(screen.getByRole("button", { name: "History", hidden: true })).toHaveAccessibleDescription(
    "Version history is part of the Pro Tier.",
  );
  expect(panel.getByText("Version history is part of the Pro Tier.")).toBeVisible();
  expect(panel.getByText(/This project is on Growth Tier; its versions are kept already\.$/)).toBeVisible();
  server.use(answer("get", "/api/plans", { creditPrice: "", durations: [1], plans: [] }));
  await user.click(panel.getByRole("button", { name: "See the Pro Tier" }));

  expect(await screen.findByRole("dialog", { name: /plan|tier/i })).toBeVisible();
  expect(asked).toEqual([]);
});

test("a person who may not choose a plan reads who may", async () => {
  const { panel } = await openHistory({ role: "editor", permissions: ["read", "edit", "publish"] }, {});

  expect(panel.getByText(/Only admins and the owner can activate a plan\.$/)).toBeVisible();
  expect(panel.queryByRole("button", { name: "See the Pro Tier" })).not.toBeInTheDocument();
});

test("a plan that has ended shows the offer of the plan, not a failure", async () => {
  server.use(
    answer("get", "/api/languages", { languages }),
    refusal("get", VERSIONS, 403, { message: "Version history is part of …", code: "tier_feature" }),
  );
  const { user } = showButton(pro);
  await user.click(await screen.findByRole("button", { name: "History" }));

  expect(await screen.findByText("Version history is part of the Pro Tier.")).toBeVisible();
});

// spec: history-14
test("a viewer looks at versions and does not roll back", async () => {
  const { user, panel } = await openHistory({ ...pro, role: "viewer", permissions: ["read"] });

  await user.click(await panel.findByRole("radio", { name: /^Version 1/ }));
  await panel.findByText("Rolling back changes 2 keys of the draft.");
  const button = panel.getByRole("button", { name: "Roll back" });
  expect(button).toHaveAccessibleDescription(/^Viewers can't change content\./);
  await user.click(button);

  expect(screen.queryByRole("dialog", { name: /^Roll back to/ })).not.toBeInTheDocument();
});
