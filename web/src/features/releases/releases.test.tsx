/** The list of releases, and what each changed. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { invalidateProject } from "@/lib/query";
import { onSmallScreen } from "@/testing/browser";
import { aProject, PROJECT_ID } from "@/testing/fixtures";
import { aChange, aDiff, ago, aRelease, detail, first, LIST, listed, pro, second, third } from "@/testing/releases";
import { openQuestion, openReleases } from "@/testing/releases-part";
import { answer, refusal, server } from "@/testing/server";

// spec: release-1
test("the releases are listed newest first by day, each with its time, kind, person and number of changes", async () => {
  openReleases();
  const list = await listed();

  expect(list.getAllByRole("region").map((day) => day.getAttribute("aria-label"))).toEqual([
    "Today",
    "Yesterday",
    "Wednesday, Nov 19, 2025",
  ]);
  expect(list.getAllByRole("link").map((link) => link.textContent)).toEqual([
    expect.stringMatching(/^Release 3Live\d+:\d\d [AP]MPublished by Ada Lovelace1 change$/),
    expect.stringMatching(/^Release 2.*Scheduled by Grace Hopper12 changes$/),
    expect.stringMatching(/^Release 1.*Published by Ada Lovelace12 changes$/),
  ]);
});

// spec: release-1
test.each([
  ["images", null, "Images by"],
  ["item_rollback", null, "Item rolled back by"],
  ["restore", 7, "Restored release 7 by"],
] as const)("a release of the kind %s shows its kind", async (kind, restored, words) => {
  openReleases(pro, { releases: [aRelease(9, { kind, restored, isCurrent: true })] });

  expect((await listed()).getByRole("link")).toHaveTextContent(words);
});

// spec: release-2
test("the live release is shown first, and a chosen release shows what it changed", async () => {
  const { user, router } = openReleases();
  const list = await listed();
  expect((await detail(3)).getByRole("heading", { name: /^Release 3 ?Live$/ })).toBeVisible();
  expect(list.getByRole("link", { name: /^Release 3/ })).toHaveAttribute("aria-current", "true");

  await user.click(list.getByRole("link", { name: /^Release 2/ }));

  const shown = await detail(2);
  expect(await shown.findByText("It made 1 change.")).toBeVisible();
  const line = shown.getByText("title").closest("li");
  expect(line?.querySelector("del")).toHaveTextContent("Text of previous");
  expect(line?.querySelector("ins")).toHaveTextContent("Text of 2");
  expect(router.state.location.search).toBe("?release=2");
});

test("the arrow keys go through the list, and Enter chooses", async () => {
  const { user } = openReleases();
  const list = await listed();
  list.getByRole("link", { name: /^Release 3/ }).focus();

  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
  expect(list.getByRole("link", { name: /^Release 2/ })).toHaveFocus();
  await user.keyboard("{End}{Enter}");

  expect(await (await detail(1)).findByText("The first release: 1 change.")).toBeVisible();
});

// spec: release-2
test("a release is compared with any other release, and with the draft", async () => {
  const { user, router } = openReleases(pro, { search: "?release=3" });
  const picker = await (await detail(3)).findByLabelText("Compare with");

  await user.selectOptions(picker, "1");
  expect(await screen.findByText("From release 1 to release 3: 1 change.")).toBeVisible();
  expect(screen.getByText("title").closest("li")?.querySelector("del")).toHaveTextContent("Text of 1");
  expect(router.state.location.search).toBe("?release=3&against=1");

  await user.selectOptions(picker, "draft");
  expect(await screen.findByText("Since release 3, with what is not published yet: 1 change.")).toBeVisible();
});

// spec: release-8
test("an address leads to a release and its comparison, also to a release that is not listed yet", async () => {
  const asked: string[] = [];
  server.use(answer("get", LIST, {}));
  openReleases(pro, { search: "?release=12&against=9" });
  server.use(
    http.get(`*${LIST}`, ({ request }) => {
      const { searchParams } = new URL(request.url);
      const cursor = searchParams.get("cursor");
      if (cursor === null) return HttpResponse.json({ releases: [aRelease(99, { isCurrent: true })], nextCursor: 99 });
      asked.push(searchParams.toString());
      return HttpResponse.json({ releases: [aRelease(12)], nextCursor: 12 });
    }),
  );

  const shown = await detail(12);

  expect(await shown.findByText("From release 9 to release 12: 1 change.")).toBeVisible();
  expect(shown.getByLabelText("Compare with")).toHaveDisplayValue("Release 9");
  expect(asked).toEqual(["cursor=13&limit=1"]);
});

test.each(["?release=77", "?release=3&against=77"])("%s names no release, and the page shows that", async (search) => {
  openReleases(pro, { search });
  server.use(
    refusal("get", `${LIST}/:number/diff`, 404, { message: "There is no such release.", code: "release_not_found" }),
  );

  expect(await screen.findByText(/There is no (release 77|such release)\./)).toBeVisible();
  expect(await listed()).toBeDefined();
});

test("more releases are fetched on request", async () => {
  const { user } = openReleases();
  server.use(
    http.get(`*${LIST}`, ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get("cursor") === "2"
          ? { releases: [first], nextCursor: null }
          : { releases: [third, second], nextCursor: 2 },
      ),
    ),
  );
  await user.click(await screen.findByRole("button", { name: "Show more" }, { timeout: 15_000 }));

  expect(await (await listed()).findByRole("link", { name: /^Release 1/ })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
});

test("a comparison shows nicknames of colours, fields of stores, sizes of images, and the bounds of a long list", async () => {
  openReleases();
  const at = ago(0);
  const price = { _id: "fld_price", name: "price", type: "Number" as const, required: true, isTranslatable: false };
  server.use(
    answer(
      "get",
      `${LIST}/3/diff`,
      aDiff(3, {
        total: 1_503,
        screens: [{ screen: "home", change: "changed", total: 1_500, keys: [aChange("title", "", "مرحبا")] }],
        colors: [
          {
            key: "primary",
            change: "changed",
            by: "Ada Lovelace",
            at,
            old: "#0b5d5e",
            new: "#c8371c",
            oldNickname: "Sea",
            newNickname: "Vermilion",
          },
        ],
        colorsTotal: 1,
        stores: [
          {
            store: "trips",
            name: "Trips",
            change: "changed",
            total: 1,
            oldName: "Journeys",
            newName: "Trips",
            fields: [{ name: "price", change: "removed", old: price, new: null }],
            fieldsMoved: false,
            by: "Grace Hopper",
            at,
            items: [],
          },
        ],
        images: [
          {
            key: "logo",
            change: "changed",
            by: "Ada Lovelace",
            at,
            old: { hash: "a", width: 120, height: 60, bytes: 2_048 },
            new: { hash: "b", width: 240, height: 120, bytes: 4_096 },
          },
        ],
        imagesTotal: 1,
      }),
    ),
  );

  const shown = await detail(3);

  expect(await shown.findByText(/Of long lists the first 200 changes are shown/)).toBeVisible();
  expect(shown.getByRole("button", { name: "Show 1,499 more" })).toBeEnabled();
  expect(shown.getByRole("region", { name: "Colours" })).toHaveTextContent("#0b5d5eSea→#c8371cVermilion");
  expect(shown.getByRole("region", { name: "Data Store Trips" })).toHaveTextContent(
    /Name and fieldsChangedGrace Hopper, .*NameJourneysTripspriceremoved: Number, requiredIts values go with it\.$/,
  );
  expect(shown.getByRole("region", { name: "Images" })).toHaveTextContent("120 × 60, 2 KB240 × 120, 4 KB");
});

test("a long list is shown in full on request", async () => {
  const list = (count: number) => [
    {
      screen: "home",
      change: "changed" as const,
      total: 3,
      keys: ["a", "b", "c"].slice(0, count).map((key) => aChange(key, "", "x")),
    },
  ];
  const { user } = openReleases();
  server.use(
    http.get(`*${LIST}/3/diff`, ({ request }) => {
      const isWhole = new URL(request.url).searchParams.getAll("whole").includes("screen/home");
      return HttpResponse.json(aDiff(3, { total: 3, screens: list(isWhole ? 3 : 1) }));
    }),
  );
  const shown = await detail(3);

  await user.click(await shown.findByRole("button", { name: "Show 2 more" }));

  await waitFor(() => expect(shown.getByText("b").closest("li")).toHaveFocus());
  expect(shown.getByText("c")).toBeVisible();
  expect(shown.queryByText(/Of long lists/)).not.toBeInTheDocument();
});

test("a change that has not happened has no date and no person", async () => {
  const { user, dialog } = await openQuestion();
  const lineIn = (part: { getByText: (text: string) => HTMLElement }) => part.getByText("title").closest("li");
  expect(lineIn(dialog)).not.toHaveTextContent(/just now|Ada Lovelace/);
  await user.keyboard("{Escape}");

  const picker = within(screen.getByRole("article")).getByLabelText("Compare with");
  await user.selectOptions(picker, "3");
  expect(await screen.findByText("From release 3 to release 2: 1 change.")).toBeVisible();
  expect(lineIn(screen)).not.toHaveTextContent(/just now|Ada Lovelace/);
  await user.selectOptions(picker, "draft");
  expect(await screen.findByText(/with what is not published yet/)).toBeVisible();
  expect(lineIn(screen)).toHaveTextContent("Ada Lovelace, just now");
});

test("a printed release has every change, folded and hidden changes too", async () => {
  const many = Array.from({ length: 60 }, (_, number) => aChange(`key_${number}`, "", "New"));
  const section = { screen: "home", change: "changed" as const, total: 61 };
  const { user } = openReleases(pro, { search: "?release=3" });
  const wholes: string[] = [];
  server.use(
    http.get(`*${LIST}/3/diff`, ({ request }) => {
      const whole = new URL(request.url).searchParams.getAll("whole");
      wholes.push(...whole);
      const keys = whole.length > 0 ? [...many, aChange("key_60", "", "Last")] : many;
      return HttpResponse.json(aDiff(3, { total: 61, screens: [{ ...section, keys }] }));
    }),
  );
  const seen: number[] = [];
  const print = vi.spyOn(window, "print").mockImplementation(() => {
    act(() => void window.dispatchEvent(new Event("beforeprint")));
    seen.push(screen.getAllByText(/^key_/).length);
    act(() => void window.dispatchEvent(new Event("afterprint")));
  });

  await user.click(await screen.findByRole("button", { name: "Print all changes" }));

  await waitFor(() => expect(seen).toEqual([61]));
  expect(wholes).toEqual(["screen/home"]);
  await waitFor(() => expect(screen.getAllByText(/^key_/)).toHaveLength(40));
  print.mockRestore();
});

test("the print dialog does not open on a different release", async () => {
  let arrive = () => {};
  const until = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const section = { screen: "home", change: "changed" as const, total: 61, keys: [aChange("title", "", "New")] };
  const { user, queryClient } = openReleases(pro, { search: "?release=3" });
  server.use(answer("get", `${LIST}/3/diff`, aDiff(3, { total: 61, screens: [section] })));
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  const button = await screen.findByRole("button", { name: "Print all changes" });
  await screen.findByText(/the numbers count all/);
  server.use(answer("get", `${LIST}/3/diff`, aDiff(3, { total: 61, screens: [section] }), { until }));
  await user.click(button);
  await user.click((await listed()).getByRole("link", { name: /^Release 2/ }));
  await detail(2);

  arrive();

  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(print).not.toHaveBeenCalled();
});

// spec: release-9
test("before the first publish the page explains what it will show", async () => {
  openReleases({ ...pro, release: 0, isPublished: false }, { releases: [] });

  expect(await screen.findByRole("heading", { name: "Nothing is published yet" }, { timeout: 15_000 })).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to the texts" })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/general`,
  );
});

// spec: release-9
test("releases that can't be read can be loaded again", async () => {
  const { user } = openReleases();
  server.use(answer("get", LIST, "", { status: 500 }));
  expect(await screen.findByText("Failed to fetch releases.")).toBeVisible();

  server.use(answer("get", LIST, { releases: [third], nextCursor: null }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await detail(3)).toBeDefined();
});

test("a comparison that fails can be tried again", async () => {
  const { user } = openReleases(pro, { search: "?release=2" });
  server.use(answer("get", `${LIST}/2/diff`, "", { status: 500 }));
  expect(await screen.findByText("Failed to compare the releases.")).toBeVisible();

  server.use(answer("get", `${LIST}/2/diff`, aDiff(2)));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("It made 1 change.")).toBeVisible();
});

// spec: release-9
test("on a small screen the list leads to a release and back, and the focus follows", async () => {
  onSmallScreen();
  const { user } = openReleases();
  const list = await listed();
  expect(screen.queryByRole("article")).not.toBeInTheDocument();

  await user.click(list.getByRole("link", { name: /^Release 2/ }));
  expect((await detail(2)).getByRole("heading", { name: "Release 2" })).toHaveFocus();
  expect(screen.queryByRole("navigation", { name: "Releases, newest first" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "All releases" }));

  expect((await listed()).getByRole("link", { name: /^Release 2/ })).toHaveFocus();
});

test("a colleague's publish appears in the list, and the open release stays open", async () => {
  const { user, queryClient, router } = openReleases();
  const list = await listed();
  const read = await detail(3);
  list.getByRole("link", { name: /^Release 3/ }).focus();
  const releases = [aRelease(4, { isCurrent: true }), { ...third, isCurrent: false }, second, first];
  server.use(
    answer("get", LIST, { releases, nextCursor: null }),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, release: 4 })),
  );

  await invalidateProject(queryClient, PROJECT_ID);

  expect(await list.findByRole("link", { name: /^Release 4 ?Live/ })).toBeVisible();
  expect(list.getByRole("link", { name: /^Release 3/ })).toHaveFocus();
  expect(list.getByRole("link", { name: /^Release 3/ })).toHaveAttribute("aria-current", "true");
  expect(read.getByRole("heading", { name: "Release 3" })).toBeVisible();
  expect(screen.getByRole("status")).toHaveTextContent("Release 4 is published.");

  await user.click(screen.getByRole("button", { name: "Show it" }));

  expect(await detail(4)).toBeDefined();
  expect(router.state.location.search).toBe("?release=4");
  expect(screen.queryByText("Release 4 is published.")).not.toBeInTheDocument();
  expect(screen.getByRole("main")).toHaveFocus();
});
