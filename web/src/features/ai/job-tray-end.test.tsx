/** The end of a colleague's translation job. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { hurry } from "@/testing/clock";
import { aJob } from "@/testing/fixtures";
import { ended, JOBS, list, pill } from "@/testing/jobs";
import { openScreen } from "@/testing/screen";
import { answer, server } from "@/testing/server";

test("a colleague's job is shown while it runs, and not after its end, whatever its result", async () => {
  hurry();
  const theirs = { startedBy: "usr_2", finishedAt: ended() };
  const jobs = [
    aJob({ ...theirs, _id: "job_2", status: "done", done: 40 }),
    aJob({ ...theirs, _id: "job_3", status: "done", done: 39, failedCount: 1 }),
    aJob({ ...theirs, _id: "job_4", status: "failed", reason: "This server's quota is used up." }),
    aJob({ ...theirs, _id: "job_5", status: "cancelled" }),
    aJob({ ...theirs, _id: "job_6", startedBy: null, status: "done", done: 40 }),
  ];
  await openScreen({}, answer("get", JOBS, { jobs: [aJob({ startedBy: "usr_2" }), ...jobs] }));
  expect(await pill("AI translations: Translating 50%")).toBeVisible();

  server.use(answer("get", JOBS, { jobs }));

  await waitFor(() => expect(screen.queryByRole("button", { name: /AI translations/ })).not.toBeInTheDocument());
});

test("the list closes when its last job disappears, and a new job does not open it", async () => {
  hurry();
  const { user, queryClient } = await openScreen({}, answer("get", JOBS, { jobs: [aJob({ startedBy: "usr_2" })] }));
  await user.click(await pill("AI translations: Translating 50%"));
  await list();
  server.use(answer("get", JOBS, { jobs: [] }));
  await waitFor(() => expect(screen.queryByRole("button", { name: /AI translations/ })).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
  const filter = screen.getByRole("searchbox", { name: "Filter this screen" });
  await user.click(filter);

  server.use(answer("get", JOBS, { jobs: [aJob({ _id: "job_2", startedBy: "usr_2" })] }));
  void queryClient.invalidateQueries();
  await pill("AI translations: Translating 50%");

  expect(screen.queryByRole("list", { name: "AI translations" })).not.toBeInTheDocument();
  await user.keyboard("cta");
  expect(filter).toHaveValue("cta");
});
