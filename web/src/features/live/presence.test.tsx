/** Who else has the project open, and what becomes of the stream when it is lost, ended or hidden. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test, vi } from "vitest";
import { hurry } from "@/testing/clock";
import { aUser, PROJECT_ID } from "@/testing/fixtures";
import { changeOf, EVENTS, jonas, openHome } from "@/testing/live";
import { requestsTo } from "@/testing/page";
import { answer, eventStream, server } from "@/testing/server";

// spec: live-5
test("the head shows the other people: three by their initials, the others as a number", async () => {
  const { stream } = await openHome();
  const people = ["Jonas Weber", "Mai", "Ada Lovelace", "Noor Aziz", "Lin Okafor"].map((name) => ({
    _id: `usr_${name}`,
    name,
  }));

  stream.say("presence", { people: [{ _id: aUser()._id, name: aUser().name }, ...people], total: 6 });

  const list = within(await screen.findByRole("list", { name: "Also here" }));
  expect(list.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "JWJonas Weber",
    "MMai",
    "ALAda Lovelace",
    "+2Noor Aziz, Lin Okafor",
  ]);
  stream.say("presence", { people: [{ _id: aUser()._id, name: aUser().name }], total: 1 });
  await waitFor(() => expect(screen.queryByRole("list", { name: "Also here" })).not.toBeInTheDocument());
});

// spec: live-7
test("a lost connection resumes after the last event it got, and 'Reconnecting' is shown only after a while", async () => {
  hurry();
  const { stream, state } = await openHome();
  const next = eventStream();
  stream.say("change", { by: jonas, project: true }, "41");
  await waitFor(() => expect(state.projectReads).toBeGreaterThan(1));
  let mayAnswer = false;
  server.use(
    http.get(EVENTS, ({ request }) => {
      state.lastIds.push(request.headers.get("Last-Event-ID"));
      return mayAnswer ? next.response : HttpResponse.error();
    }),
  );

  act(() => stream.end());
  await waitFor(() => expect(state.lastIds.length).toBeGreaterThan(1));
  expect(screen.queryByText("Reconnecting…")).not.toBeInTheDocument();
  expect(await screen.findByText("Reconnecting…")).toBeVisible();
  mayAnswer = true;
  fireEvent(window, new Event("online"));

  await waitFor(() => expect(screen.queryByText("Reconnecting…")).not.toBeInTheDocument());
  expect(state.lastIds.slice(1)).not.toContain(null);
  expect(state.lastIds.at(-1)).toBe("41");
});

test("a stream that ends because the person lost the project leads out of it", async () => {
  const { stream, router } = await openHome();
  server.use(
    answer("get", "/api/projects", []),
    answer("get", `/api/projects/${PROJECT_ID}`, { message: "Project not found.", code: "not_found" }, { status: 404 }),
    answer(
      "get",
      `/api/projects/${PROJECT_ID}/events`,
      { message: "Project not found.", code: "not_found" },
      { status: 404 },
    ),
  );

  stream.say("bye", { spreadMs: 0 });
  act(() => stream.end());

  await waitFor(() => expect(router.state.location.pathname).toBe("/projects"));
});

test("a hidden tab ends its stream, and resumes after the last event it got", async () => {
  const { stream, state } = await openHome();
  const next = eventStream();
  server.use(
    http.get(EVENTS, ({ request }) => {
      state.lastIds.push(request.headers.get("Last-Event-ID"));
      return next.response;
    }),
  );
  stream.say("change", changeOf(1), "41");
  stream.say("presence", { people: [jonas] });
  await screen.findByRole("list", { name: "Also here" });
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  onTestFinished(() => visibility.mockRestore());
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());

  fireEvent(document, new Event("visibilitychange"));
  await act(() => vi.advanceTimersByTimeAsync(40_000));
  expect(state.lastIds).toHaveLength(1);
  expect(requestsTo("/events").map(({ signal }) => signal.aborted)).toEqual([true]);
  visibility.mockReturnValue("visible");
  fireEvent(document, new Event("visibilitychange"));

  await waitFor(() => expect(state.lastIds).toEqual([null, "41"]));
});
