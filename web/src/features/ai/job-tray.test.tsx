/** Translation jobs in a project's header: progress, cancelling, results, and the texts that come in during a job. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { heard, onSmallScreen } from "@/testing/browser";
import { hurry } from "@/testing/clock";
import { aJob, aKey, aScreen, PROJECT_ID } from "@/testing/fixtures";
import { ended, JOBS, list, pill } from "@/testing/jobs";
import { cta, KEYS, openScreen, title } from "@/testing/screen";
import { answer, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";

// spec: ai-16, ai-17
test("a job that runs is read each second; its texts come in, and a text that is being written stays", async () => {
  hurry();
  const events = heard("translationsUpdated");
  const { openCell, user } = await openScreen({}, answer("get", JOBS, { jobs: [aJob()] }));
  expect(await pill("AI translations: Translating 50%")).toBeVisible();
  const field = await openCell("cta_book, German: Buchen", "cta_book in German");
  await enter(user, field, " jetzt");

  const filled = aKey("welcome_title", { ...title.values, de: "Wohin, {name}?" }, { revision: 2 });
  server.use(
    answer("get", KEYS, aScreen([{ ...cta, values: { ...cta.values, ar: "احجز" } }, filled])),
    answer("get", JOBS, { jobs: [aJob({ status: "done", done: 40, finishedAt: ended() })] }),
  );

  expect(await pill("AI translations: Translated")).toBeVisible();
  expect(await screen.findByRole("gridcell", { name: "welcome_title, German: Wohin, {name}?" })).toBeInTheDocument();
  expect(screen.getByText("German: 40 texts translated.")).toBeInTheDocument();
  expect(field).toHaveValue("Buchen jetzt");
  expect(field).toHaveFocus();
  expect(events).toContainEqual({ projectId: PROJECT_ID, screen: "__UNPUBLISHED__" });
  await user.keyboard("{Escape}");
});

test("screen readers hear the progress a quarter at a time", async () => {
  await openScreen({}, answer("get", JOBS, { jobs: [aJob({ done: 11, total: 40 })] }));

  expect(await screen.findByText("AI translates, 25 percent done.")).toHaveAttribute("role", "status");
});

// spec: ai-16
test("a job is cancelled, and its entry shows which texts stay", async () => {
  const cancelled = aJob({ status: "cancelled", finishedAt: ended() });
  const { user } = await openScreen({}, answer("get", JOBS, { jobs: [aJob()] }));
  await user.click(await pill(/AI translations/));
  const jobs = await list();
  expect(await jobs.findByText("20 of 40 texts. What is translated stays if you cancel.")).toBeVisible();

  server.use(answer("delete", "/api/jobs/job_1", cancelled), answer("get", JOBS, { jobs: [cancelled] }));
  await user.click(jobs.getByRole("button", { name: "Cancel home into German" }));

  expect(await jobs.findByText("Cancelled. 20 of 40 texts are translated and stay.")).toBeVisible();
});

// spec: ai-16, ai-18
test("every text that failed is listed with its reason, and leads to its key", async () => {
  const job = aJob({ status: "done", done: 39, failedCount: 1, finishedAt: ended(), provider: "pseudo" });
  const failed = [{ tabName: "home", key: "welcome_title", reason: "The answer left out {name}." }];
  const { user, router } = await openScreen(
    {},
    answer("get", JOBS, { jobs: [job] }),
    answer("get", "/api/jobs/job_1", { ...job, failed }),
  );

  await user.click(await pill("AI translations: 1 not translated"));
  const jobs = await list();
  expect(jobs.getByText("39 of 40 texts translated, 1 could not be.")).toBeVisible();
  expect(screen.getByText(/Pseudo-localization: for testing layouts, not a translation/)).toBeVisible();
  const link = await jobs.findByRole("link", { name: "home.welcome_title" });
  expect(link.closest("li")).toHaveTextContent("home.welcome_title The answer left out {name}.");
  await user.click(link);

  await waitFor(() => expect(router.state.location.search).toBe("?scrollTo=welcome_title"));
});

test("on a phone the menu shows the jobs and opens their list", async () => {
  onSmallScreen();
  const { user } = await openScreen({}, answer("get", JOBS, { jobs: [aJob()] }));
  await screen.findByText("AI translates, 50 percent done.");

  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "AI translations Translating 50%" }));

  expect(await screen.findByRole("dialog", { name: "AI translations" })).toBeVisible();
  expect((await list()).getByText("20 of 40 texts. What is translated stays if you cancel.")).toBeVisible();
});

test("a job that ended long ago is not shown; a list of failures that can't be loaded is reported", async () => {
  const old = aJob({ _id: "job_0", status: "done", done: 40, finishedAt: "2026-01-01T00:00:00Z" });
  const job = aJob({ status: "done", done: 39, failedCount: 1, finishedAt: ended() });
  const { user } = await openScreen(
    {},
    answer("get", JOBS, { jobs: [job, old] }),
    refusal("get", "/api/jobs/job_1", 500, { message: "" }),
  );

  await user.click(await pill(/AI translations/));

  expect(await screen.findByText(/The list of what failed could not be loaded/)).toBeVisible();
  expect((await list()).getAllByRole("button", { name: /^Dismiss/ })).toHaveLength(1);
});
