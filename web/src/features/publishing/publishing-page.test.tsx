import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { heard, onSmallScreen } from "@/testing/browser";
import { hurry } from "@/testing/clock";
import { aDiff, aKey, aProject, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import {
  aSchedule,
  dateField,
  dateOf,
  day,
  pro,
  type Schedule,
  scheduleButton,
  timeField,
  type,
  zone,
} from "@/testing/schedules";
import { answer, eventStream, server } from "@/testing/server";

function openProject(project: Partial<Project> = {}) {
  server.use(
    answer(
      "get",
      `/api/projects/${PROJECT_ID}`,
      aProject({ unpublished: { total: 3, screens: { home: 2 }, colors: 1, stores: 0 }, ...project }),
    ),
    answer("get", "/api/languages", { languages }),
    answer(
      "get",
      `/api/translations/${PROJECT_ID}/home`,
      aScreen([aKey("cta_book", { en: "Book now", de: "Jetzt reservieren" })]),
    ),
    answer("get", DIFF, diff),
  );
  return openSignedIn(`/projects/${PROJECT_ID}/home`);
}

// spec: event-5, publish-2, publish-7, publish-8
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
          server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ release: 2 })));
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
  expect(texts).toEqual([{ projectId: PROJECT_ID, screen: "__ALL__" }]);
  expect(projects).toEqual([{ projectId: PROJECT_ID }]);
  await waitFor(async () => expect(await publishButton()).toHaveAccessibleName("Publish Changes"));
});

test("the review waits for an edit that is being saved", async () => {
  const { user } = openProject();
  const order: string[] = [];
  server.use(
    answer(
      "put",
      `/api/translations/${PROJECT_ID}/home/cta_book`,
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

// spec: publish-1
test("without an active plan the button leads to the plans and shows why", async () => {
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

const SCHEDULES = `/api/schedule/project/${PROJECT_ID}`;

function openScheduled(project: Partial<Project> = {}, schedules: Schedule[] = [], isFading = false) {
  const [waiting] = schedules.filter(({ status }) => status === "pending");
  server.use(
    answer(
      "get",
      `/api/projects/${PROJECT_ID}`,
      aProject({ ...pro, scheduledFor: waiting?.publishAt ?? null, ...project }),
    ),
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/translations/${PROJECT_ID}/home`, aScreen([])),
    answer("get", SCHEDULES, schedules),
    answer("get", DIFF, aDiff()),
  );
  return openSignedIn(`/projects/${PROJECT_ID}/home`, aUser(), { isFading });
}

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

// spec: schedule-2, schedule-3, schedule-4, schedule-12, schedule-22
test("the dialog proposes tomorrow at nine each time, and sends the moment that it shows in UTC", async () => {
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
            answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, scheduledFor: made.publishAt })),
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
  expect(dialog.getByText(/The publish takes the whole draft of that moment/)).toBeVisible();
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
  expect(screen.getByRole("button", { name: /^Publishes in [23] days, .* 5:00 PM/ })).toBeVisible();
});

// spec: schedule-19
test("a plan without scheduling shows why, and offers a plan that has it", async () => {
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

// spec: schedule-1
test("the chip shows when the scheduled publish happens and opens the dialog, also on a small screen", async () => {
  onSmallScreen();
  const { user } = openScheduled({}, [aSchedule()]);

  const chip = await screen.findByRole("button", { name: `Publishes ${distance()}tomorrow 9:00 AM (${zone})` });
  expect(chip).toHaveTextContent("Tomorrow 9:00 AM");
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

// spec: schedule-30
test("a colleague's schedule appears at once", async () => {
  hurry();
  const stream = eventStream();
  openScheduled();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  await scheduleButton();
  expect(screen.queryByRole("button", { name: /^Publishes / })).not.toBeInTheDocument();

  server.use(answer("get", `/api/projects/${PROJECT_ID}`, aProject({ ...pro, scheduledFor: day(1).toISOString() })));
  stream.say("change", { by: { _id: "usr_2", name: "Noor Aziz" }, project: true, schedules: true }, "2");

  expect(await screen.findByRole("button", { name: /^Publishes / })).toBeVisible();
});
