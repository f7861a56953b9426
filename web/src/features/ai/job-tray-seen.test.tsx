/** The end of a translation job is shown until its person has seen it. */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { aJob } from "@/testing/fixtures";
import { ended, JOBS, list, pill } from "@/testing/jobs";
import { openScreen } from "@/testing/screen";
import { answer } from "@/testing/server";

// spec: ai-16
test("a job that stopped shows why; once dismissed, it is not shown after a reload", async () => {
  const job = aJob({ status: "failed", reason: "This server's quota is used up.", finishedAt: ended() });
  const answers = [answer("get", JOBS, { jobs: [job] })];
  const first = await openScreen({}, ...answers);
  await first.user.click(await pill("AI translations: Translation failed"));
  const jobs = await list();
  expect(jobs.getByText("This server's quota is used up. 20 of 40 texts translated.")).toBeVisible();

  await first.user.click(jobs.getByRole("button", { name: "Dismiss home into German" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: /AI translations/ })).not.toBeInTheDocument());
  first.unmount();
  let asked = 0;
  await openScreen(
    {},
    http.get(`*${JOBS}`, () => {
      asked += 1;
      return HttpResponse.json({ jobs: [job] });
    }),
  );

  await waitFor(() => expect(asked).toBe(1));
  expect(screen.queryByRole("button", { name: /AI translations/ })).not.toBeInTheDocument();
});

test("whoever started a job sees its end until they have looked, or for a minute", async () => {
  const done = aJob({ status: "done", done: 40, finishedAt: ended() });
  const old = { ...done, _id: "job_0", finishedAt: new Date(Date.now() - 61_000).toISOString() };
  const first = await openScreen({}, answer("get", JOBS, { jobs: [old] }));
  await first.user.click(await screen.findByRole("button", { name: "More actions" }));
  expect(screen.queryByRole("button", { name: /AI translations/ })).not.toBeInTheDocument();
  first.unmount();

  const { user } = await openScreen({}, answer("get", JOBS, { jobs: [done] }));
  await user.click(await pill("AI translations: Translated"));
  await list();
  await user.keyboard("{Escape}");

  await waitFor(() => expect(screen.queryByRole("button", { name: /AI translations/ })).not.toBeInTheDocument());
  await waitFor(() => expect(document.body).not.toHaveFocus());
});

test("failures stay until the person who started the job has looked at them; a link to a failure keeps the list", async () => {
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const job = aJob({ status: "done", done: 39, failedCount: 1, finishedAt: anHourAgo });
  const failed = [{ tabName: "home", key: "welcome_title", reason: "The answer left out {name}." }];
  const { user } = await openScreen(
    {},
    answer("get", JOBS, { jobs: [job] }),
    answer("get", "/api/jobs/job_1", { ...job, failed }),
  );
  await user.click(await pill("AI translations: 1 not translated"));
  await user.click(await (await list()).findByRole("link", { name: "home.welcome_title" }));
  await waitFor(() => expect(screen.queryByRole("list", { name: "AI translations" })).not.toBeInTheDocument());

  await user.click(await pill("AI translations: 1 not translated"));
  await list();
  await user.keyboard("{Escape}");

  await waitFor(() => expect(screen.queryByRole("button", { name: /AI translations/ })).not.toBeInTheDocument());
});
