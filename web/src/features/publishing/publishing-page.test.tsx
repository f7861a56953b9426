import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import { heard, onSmallScreen } from "@/testing/browser";
import { aDiff, aKey, aProject, aScreen, aUser, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, eventStream, server } from "@/testing/server";

const ID = "prj_k7m2xq4tz8ha3b5c";

const DIFF = `/api/projects/${ID}/diff`;

const PUBLISH = `/api/translations/${ID}/publish`;

const at = "2026-11-20T10:00:00Z";

const change = (key: string, old: string, next: string) => ({
  key,
  change: old === "" ? ("added" as const) : next === "" ? ("removed" as const) : ("changed" as const),
  by: "Mara Lindt",
  at,
  values: [{ language: "de", old, new: next }],
});

const diff = aDiff({
  total: 3,
  screens: [
    {
      screen: "home",
      change: "changed",
      total: 2,
      keys: [change("cta_book", "Jetzt buchen", "Jetzt reservieren"), change("farewell", "", "Bis bald")],
    },
  ],
  colors: [
    {
      key: "primary",
      change: "changed",
      by: "Mara Lindt",
      at,
      old: "#0b5d5e",
      new: "#c8371c",
      oldNickname: "Sea",
      newNickname: "Vermilion",
    },
  ],
});

function openProject(project: Partial<Project> = {}) {
  server.use(
    answer(
      "get",
      `/api/projects/${ID}`,
      aProject({ unpublished: { total: 3, screens: { home: 2 }, colors: 1, stores: 0 }, ...project }),
    ),
    answer("get", "/api/languages", { languages }),
    answer(
      "get",
      `/api/translations/${ID}/home`,
      aScreen([aKey("cta_book", { en: "Book now", de: "Jetzt reservieren" })]),
    ),
    answer("get", DIFF, diff),
  );
  return openSignedIn(`/projects/${ID}/home`);
}

const publishButton = () => screen.findByRole("button", { name: /^Publish Changes/ });

test("the review shows old and new with who changed it, and Enter publishes what was reviewed", async () => {
  const sent: unknown[] = [];
  const { user } = openProject();
  server.use(
    answer(
      "post",
      PUBLISH,
      { message: "Changes published successfully!", release: 2, published: true },
      {
        onCall: (body) => {
          sent.push(body);
          server.use(answer("get", `/api/projects/${ID}`, aProject({ release: 2 })));
        },
      },
    ),
  );
  const texts = heard("translationsUpdated");
  const projects = heard("projectUpdated");

  await user.click(await publishButton());
  const dialog = await screen.findByRole("dialog", { name: "Publish Changes" });
  const home = await within(dialog).findByRole("region", { name: "home" });
  expect(home).toHaveTextContent("cta_book");
  expect(home).toHaveTextContent("Mara Lindt");
  expect(within(home).getByText("buchen").tagName).toBe("MARK");
  expect(within(home).getByText("reservieren").tagName).toBe("MARK");
  expect(within(dialog).getByRole("region", { name: "Colours" })).toHaveTextContent("#0b5d5eSea→#c8371cVermilion");
  await waitFor(() => expect(within(dialog).getByRole("button", { name: "Publish 3 changes" })).toHaveFocus());
  await user.keyboard("{Enter}");

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
  expect(sent).toEqual([{ expected: "token-1" }]);
  expect(texts).toEqual([{ projectId: ID, screen: "__ALL__" }]);
  expect(projects).toEqual([{ projectId: ID }]);
  await waitFor(async () => expect(await publishButton()).toHaveAccessibleName("Publish Changes"));
});

test("the review waits for an edit that is still on its way", async () => {
  const { user } = openProject();
  const order: string[] = [];
  server.use(
    answer(
      "put",
      `/api/translations/${ID}/home/cta_book`,
      aKey("cta_book", { en: "Book now", de: "Los" }, { revision: 2 }),
      {
        afterMs: 60,
        onCall: () => order.push("edit"),
      },
    ),
    http.get(`*${DIFF}`, () => {
      order.push("diff");
      return HttpResponse.json(diff);
    }),
  );

  await user.click(await screen.findByRole("gridcell", { name: /^cta_book, German/ }));
  await user.keyboard("!{Control>}{Enter}{/Control}");

  expect(await screen.findByRole("button", { name: "Publish 3 changes" })).toBeVisible();
  expect(order).toEqual(["edit", "diff"]);
});

const starter = {
  id: "starter",
  name: "Starter Tier",
  monthlyCreditCost: 19,
  priceDisplay: "19 credits / month",
  tag: "",
  icon: "gift",
  features: [],
  limits: aProject().limits,
  support: "community",
};

test("without an active plan the button leads to the plans and says why", async () => {
  const { user } = openProject({ activeTier: "none", plan: "free", expiresAt: null });
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1, 2, 3, 6, 12], plans: [starter] }));

  await user.click(await publishButton());

  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveAccessibleName("Activate Starter Tier");
  expect(dialog).toHaveTextContent(
    "This project does not have an active plan. Please assign credits in Project Settings to publish.",
  );
  expect(screen.queryByRole("dialog", { name: "Publish Changes" })).not.toBeInTheDocument();
});

type Schedule = Answer<"/api/schedule/project/{projectId}", "get">[number];

const SCHEDULES = `/api/schedule/project/${ID}`;

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const pro: Partial<Project> = { hasScheduling: true, activeTier: "pro", tierName: "Pro Tier" };

/** So many days from now at this hour, on the clock of this browser. */
function day(days: number, hour = 9): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

const two = (number: number) => String(number).padStart(2, "0");

const dateOf = (moment: Date) => `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;

function aSchedule(values: Partial<Schedule> = {}): Schedule {
  return {
    _id: "sch_1",
    publishAt: day(1).toISOString(),
    status: "pending",
    by: "Mara Lindt",
    createdAt: "2026-11-20T10:00:00Z",
    endedAt: null,
    reason: null,
    late: false,
    release: null,
    ...values,
  };
}

function openScheduled(project: Partial<Project> = {}, schedules: Schedule[] = [], isFading = false) {
  const [waiting] = schedules.filter(({ status }) => status === "pending");
  server.use(
    answer("get", `/api/projects/${ID}`, aProject({ ...pro, scheduledFor: waiting?.publishAt ?? null, ...project })),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${ID}/home`, aScreen([])),
    answer("get", SCHEDULES, schedules),
  );
  return openSignedIn(`/projects/${ID}/home`, aUser(), { isFading });
}

const scheduleButton = () => screen.findByRole("button", { name: "Schedule Publish" });

async function openDialog(project: Partial<Project> = {}, schedules: Schedule[] = [], isFading = false) {
  const opened = openScheduled(project, schedules, isFading);
  await opened.user.click(await scheduleButton());
  const found = await screen.findByRole("dialog", { name: "Manage Scheduled Publishes" });
  await waitFor(() => expect(within(found).queryByRole("status", { name: /^Loading/ })).not.toBeInTheDocument());
  const dialog = within(found);
  return {
    ...opened,
    dialog,
    submit: () => opened.user.click(dialog.getByRole("button", { name: "Schedule Publish" })),
  };
}

const dateField = () => screen.getByLabelText("Publish date");

const timeField = () => screen.getByLabelText(`Publish time (${zone})`);

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

test("tomorrow at nine is proposed each time it opens; what is shown in UTC is what is sent", async () => {
  const sent: unknown[] = [];
  const { user, dialog } = await openDialog();
  const made = aSchedule({ publishAt: day(3, 17).toISOString() });
  server.use(
    answer(
      "post",
      SCHEDULES,
      { message: "Publish scheduled successfully!", schedule: made },
      {
        status: 201,
        onCall: (body) => {
          sent.push(body);
          server.use(
            answer("get", SCHEDULES, [made]),
            answer("get", `/api/projects/${ID}`, aProject({ ...pro, scheduledFor: made.publishAt })),
          );
        },
      },
    ),
  );
  expect(dateField()).toHaveValue(dateOf(day(1)));
  expect(dateField()).toHaveAttribute("min", dateOf(day(1)));
  expect(dateField()).toHaveAttribute("max", dateOf(day(366)));
  expect(timeField()).toHaveValue("09:00");
  expect(dialog.getByText(day(1).toISOString())).toBeVisible();
  expect(dialog.getByText(/All of the draft goes out as it stands at that moment/)).toBeVisible();
  type(dateField(), dateOf(day(5)));
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await user.click(await scheduleButton());
  await screen.findByLabelText("Publish date");

  expect(dateField()).toHaveValue(dateOf(day(1)));
  type(dateField(), dateOf(day(3)));
  type(timeField(), "17:00");
  expect(screen.getByText(day(3, 17).toISOString())).toBeVisible();
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Schedule Publish" }));

  expect(await screen.findByText("Publish scheduled successfully!")).toBeInTheDocument();
  expect(sent).toEqual([{ publishAtString: day(3, 17).toISOString() }]);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  // After 17:00 less than three whole days are left.
  expect(screen.getByRole("button", { name: /^Publishes in [23] days, .* 17:00/ })).toBeVisible();
});

test("a plan without scheduling says why, and offers one that has it", async () => {
  server.use(answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }));
  const { user, dialog } = await openDialog({ hasScheduling: false, activeTier: "growth", tierName: "Growth Tier" });
  expect(dialog.getByText("Scheduled publishing is part of the Pro Tier and of the free month.")).toBeVisible();
  expect(dialog.getByText(/This project is on Growth Tier/)).toBeVisible();
  expect(screen.queryByLabelText("Publish date")).not.toBeInTheDocument();
  await user.click(dialog.getByRole("button", { name: "See the Pro Tier" }));

  await waitFor(() =>
    expect(screen.queryByRole("dialog", { name: "Manage Scheduled Publishes" })).not.toBeInTheDocument(),
  );
  expect(await screen.findByRole("dialog")).toBeVisible();
});

test("the chip says when it goes out and opens the dialog, also on a small screen", async () => {
  onSmallScreen();
  const { user } = openScheduled({}, [aSchedule()]);

  const chip = await screen.findByRole("button", { name: `Publishes ${distance()}tomorrow 09:00 (${zone})` });
  expect(chip).toHaveTextContent("tomorrow 09:00");
  expect(screen.getByRole("button", { name: "Schedule Publish" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Publish Changes" })).toBeVisible();
  await user.click(chip);

  expect(await screen.findByRole("region", { name: "Waiting" })).toBeVisible();
});

/** How long it is until tomorrow at nine, where that is less than a day. */
function distance(): string {
  const hours = Math.trunc((day(1).getTime() - Date.now()) / 3_600_000);
  return hours >= 24 ? "" : hours === 1 ? "in 1 hour, " : `in ${hours} hours, `;
}

test("what a colleague schedules appears at once", async () => {
  const stream = eventStream();
  openScheduled();
  server.use(http.get(`*/api/projects/${ID}/events`, () => stream.response));
  await scheduleButton();
  expect(screen.queryByRole("button", { name: /^Publishes / })).not.toBeInTheDocument();

  server.use(answer("get", `/api/projects/${ID}`, aProject({ ...pro, scheduledFor: day(1).toISOString() })));
  stream.say("change", { by: { _id: "usr_2", name: "Noor Aziz" }, project: true, schedules: true }, "2");

  expect(await screen.findByRole("button", { name: /^Publishes / })).toBeVisible();
});
