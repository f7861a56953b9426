/** Discarding changes in the review of a publish. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Diff } from "@/lib/diff";
import { holdTimers } from "@/testing/clock";
import { renderInProject } from "@/testing/component";
import { aDiff, aProject, languages, PROJECT_ID } from "@/testing/fixtures";
import { fresh, openReview } from "@/testing/publish-selection";
import { at, DIFF, publishButton } from "@/testing/review";
import { answer, server } from "@/testing/server";
import { Discarding } from "./discarding";
import { PublishButton } from "./publish-button";

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
