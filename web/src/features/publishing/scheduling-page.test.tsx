/** Scheduling from the page of a project. */
import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { onSmallScreen } from "@/testing/browser";
import { hurry } from "@/testing/clock";
import { aDiff, aProject, aScreen, aUser, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { DIFF } from "@/testing/review";
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

/** How long it is until tomorrow at nine, where that is less than a day. */
function distance(): string {
  const hours = Math.trunc((day(1).getTime() - Date.now()) / 3_600_000);
  return hours >= 24 ? "" : hours === 1 ? "in 1 hour, " : `in ${hours} hours, `;
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
