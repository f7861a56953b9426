/** The draft changes while its review is open. */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { holdTimers } from "@/testing/clock";
import { aDiff, aProject, PROJECT_ID } from "@/testing/fixtures";
import { openProject, other } from "@/testing/publish-dialog";
import { at, change, DIFF, diff, PUBLISH, publishButton } from "@/testing/review";
import { answer, eventStream, server } from "@/testing/server";

/** How long what has just taken the place of something else rests. */
const SETTLE_MS = 1_000;

// spec: publish-9
test("after a colleague's edit the review shows the new diff, and the next click publishes it", async () => {
  const fresh = aDiff({
    token: "token-2",
    total: 1,
    screens: [
      { screen: "home", change: "changed", total: 1, keys: [change("cta_book", "Jetzt buchen", "Los geht’s")] },
    ],
  });
  const sent: unknown[] = [];
  const { user } = openProject();
  server.use(
    http.post(`*${PUBLISH}`, async ({ request }) => {
      const body = (await request.json()) as { expected: string };
      sent.push(body.expected);
      return body.expected === "token-2"
        ? HttpResponse.json({ message: "Changes published successfully!", release: 2, published: true })
        : HttpResponse.json(
            {
              message: "The draft changed since you reviewed it. Please look at what would be published now.",
              code: "stale_diff",
              diff: fresh,
            },
            { status: 409 },
          );
    }),
  );

  await user.click(await publishButton());
  const aSecondLater = holdTimers(SETTLE_MS);
  await user.click(await screen.findByRole("button", { name: "Publish 3 changes" }));
  expect(await screen.findByText(/The draft changed since you reviewed it/)).toBeVisible();
  expect(screen.getByText("Los geht’s")).toBeVisible();
  expect(screen.queryByText("Bis bald")).not.toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent("The draft changed since you reviewed it.");
  expect(screen.getByRole("button", { name: "Cancel" }).closest("div")?.parentElement).toContainElement(
    screen.getByRole("alert"),
  );
  const again = screen.getByRole("button", { name: "Publish 1 change as shown now" });
  expect(again).toHaveAttribute("aria-disabled", "true");
  await user.click(again);
  again.focus();
  await user.keyboard("{Enter}");
  expect(sent).toEqual(["token-1"]);
  aSecondLater();
  expect(again).not.toHaveAttribute("aria-disabled");
  await user.click(again);

  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
  expect(sent).toEqual(["token-1", "token-2"]);
});

test.each([
  ["a text was saved", { screens: { home: { cta_book: 3 } } }, other, "The draft changed"],
  ["a store changed", { stores: true }, other, "The draft changed"],
  ["a release came", { release: 2 }, { ...other, release: 2 }, "Release 2 was published"],
])("an open review stays as it is when %s, and publishes nothing until the change was looked at", async (...row) => {
  const [, event, present, words] = row;
  const sent: unknown[] = [];
  const stream = eventStream();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  const { user } = openProject();
  server.use(
    answer(
      "post",
      PUBLISH,
      { message: "", release: 2, published: true },
      { onCall: (body) => sent.push((body as { expected: string }).expected) },
    ),
  );
  await user.click(await publishButton());
  const button = await screen.findByRole("button", { name: "Publish 3 changes" });

  expect(screen.getByText("Enter publishes")).toBeVisible();
  server.use(answer("get", DIFF, present));
  stream.say("change", { by: { _id: "usr_2", name: "Jonas" }, at, ...event }, "2");
  expect(await screen.findByText(`${words} since you opened this.`)).toBeVisible();
  expect(screen.queryByText("Enter publishes")).not.toBeInTheDocument();
  expect(screen.getByText("Bis bald")).toBeVisible();
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.click(button);
  expect(sent).toEqual([]);

  const aSecondLater = holdTimers(SETTLE_MS);
  await user.click(screen.getByRole("button", { name: "Show the changes now" }));
  expect(screen.getByText("Los geht’s")).toBeVisible();
  expect(screen.queryByText(/since you opened this/)).not.toBeInTheDocument();
  expect(screen.queryByText("Enter publishes")).not.toBeInTheDocument();
  const renewed = screen.getByRole("button", { name: "Publish 1 change as shown now" });
  expect(renewed).toHaveAttribute("aria-disabled", "true");
  aSecondLater();
  await user.click(renewed);
  expect(await screen.findByText("Changes published successfully!")).toBeInTheDocument();
  expect(sent).toEqual(["token-2"]);
});

test("an event about changes that the review has already changes nothing", async () => {
  const stream = eventStream();
  server.use(http.get(`*/api/projects/${PROJECT_ID}/events`, () => stream.response));
  const { user } = openProject();
  await user.click(await publishButton());
  const button = await screen.findByRole("button", { name: "Publish 3 changes" });
  let reads = 0;
  server.use(answer("get", DIFF, diff, { onCall: () => (reads += 1) }));

  stream.say("change", { by: { _id: "usr_2", name: "Jonas" }, at, screens: { home: { cta_book: 3 } } }, "2");
  await waitFor(() => expect(reads).toBe(1));

  expect(button).not.toHaveAttribute("aria-disabled");
  expect(screen.queryByText("The draft changed since you opened this.")).not.toBeInTheDocument();
});

test("counts that changed without an event are noticed, too", async () => {
  const { user } = openProject();
  await user.click(await publishButton());
  await screen.findByRole("button", { name: "Publish 3 changes" });
  server.use(
    answer("get", DIFF, other),
    answer(
      "get",
      `/api/projects/${PROJECT_ID}`,
      aProject({ unpublished: { total: 1, screens: { home: 1 }, colors: 0, stores: 0 } }),
    ),
  );

  window.dispatchEvent(new Event("focus"));

  expect(await screen.findByText("The draft changed since you opened this.")).toBeVisible();
});
