/** What the window hears when texts and colours change. */
import { QueryClient } from "@tanstack/react-query";
import { HttpResponse, http } from "msw";
import { expect, onTestFinished, test } from "vitest";
import { heard } from "@/testing/browser";
import { aJob, PROJECT_ID } from "@/testing/fixtures";
import { server } from "@/testing/server";
import { api } from "./api";
import { jobsQuery } from "./jobs";
import { announceTranslations, CHANGES } from "./translation-events";

type Method = "GET" | "POST" | "PUT" | "DELETE";

// The calls are a table, so the client gets them without the types of each path.
const call = api.request as unknown as (method: Method, path: string, init: object) => Promise<unknown>;

const SCREEN = "/api/translations/{projectId}/{tabName}";
const COLORS = "/api/colors/{projectId}";
const PROJECT = "/api/projects/{projectId}";

const writes: readonly (readonly [Method, string, ...string[]])[] = [
  ["POST", SCREEN, "__UNPUBLISHED__"],
  ["PUT", `${SCREEN}/{key}`, "__UNPUBLISHED__"],
  ["DELETE", `${SCREEN}/{key}`, "__UNPUBLISHED__"],
  ["POST", `${SCREEN}/{lang}/auto-translate`, "__UNPUBLISHED__"],
  ["POST", `${SCREEN}/rollback/{versionId}`, "__UNPUBLISHED__"],
  ["POST", `${SCREEN}/translate-key`, "__UNPUBLISHED__"],
  ["DELETE", `${PROJECT}/screens/{tabName}`, "__UNPUBLISHED__"],
  ["POST", `${PROJECT}/languages`, "__UNPUBLISHED__"],
  ["DELETE", `${PROJECT}/languages/{languageCode}`, "__UNPUBLISHED__"],
  ["POST", COLORS, "__UNPUBLISHED_COLORS__"],
  ["PUT", `${COLORS}/{key}`, "__UNPUBLISHED_COLORS__"],
  ["DELETE", `${COLORS}/{key}`, "__UNPUBLISHED_COLORS__"],
  ["POST", `${COLORS}/rollback/{colorVersionId}`, "colors"],
  ["POST", `${PROJECT}/discard`, "__UNPUBLISHED__", "__UNPUBLISHED_COLORS__"],
  ["POST", `${PROJECT}/discard/undo`, "__UNPUBLISHED__", "__UNPUBLISHED_COLORS__"],
  ["POST", "/api/translations/{projectId}/publish", "__ALL__"],
  ["POST", `${PROJECT}/releases/{releaseNumber}/restore`, "__ALL__"],
];

/** Listens while the events are announced. The server answers every call with `status`. */
function listening(status = 200) {
  server.use(http.all("*/api/*", () => HttpResponse.json({}, { status })));
  const client = new QueryClient();
  const stop = announceTranslations(client);
  onTestFinished(stop);
  return { client, stop, events: heard("translationsUpdated") };
}

const send = (method: Method, path: string) => call(method, path, { params: { path: { projectId: PROJECT_ID } } });
const about = (...screens: string[]) => screens.map((screen) => ({ projectId: PROJECT_ID, screen }));

// spec: text-15, color-12, color-18, event-5
test("each write of texts or colours is announced with what it changed", async () => {
  const { events } = listening();

  for (const [method, path, ...screens] of writes) {
    events.length = 0;
    await send(method, path);
    expect([method, path, ...events]).toEqual([method, path, ...about(...screens)]);
  }

  expect(new Set(writes.map(([, path]) => path))).toEqual(new Set(Object.keys(CHANGES)));
});

test("reads and other writes are not announced", async () => {
  const { events } = listening();

  await send("GET", SCREEN);
  await send("PUT", PROJECT);
  await call("POST", "/api/translations/translate", {});

  expect(events).toEqual([]);
});

test("a refused write is not announced", async () => {
  const { events } = listening(409);

  await send("PUT", `${SCREEN}/{key}`);

  expect(events).toEqual([]);
});

// spec: ai-17
test("texts that a job has brought since the last read are announced", async () => {
  const { client, events } = listening();
  const read = async (...jobs: ReturnType<typeof aJob>[]) => {
    client.setQueryData(jobsQuery(PROJECT_ID).queryKey, { jobs });
    await new Promise((resolve) => setTimeout(resolve));
  };

  await read(aJob({ done: 5 }));
  await read(aJob({ done: 5 }));
  expect(events).toEqual([]);

  await read(aJob({ done: 6 }), aJob({ _id: "job_other", done: 3 }));
  await read(aJob({ done: 7 }), aJob({ _id: "job_other", done: 4 }));
  expect(events).toEqual(about("__UNPUBLISHED__", "__UNPUBLISHED__"));
});

test("nothing is announced after the end", async () => {
  const { client, stop, events } = listening();
  client.setQueryData(jobsQuery(PROJECT_ID).queryKey, { jobs: [aJob({ done: 5 })] });

  stop();
  await send("POST", COLORS);
  client.setQueryData(jobsQuery(PROJECT_ID).queryKey, { jobs: [aJob({ done: 6 })] });
  await new Promise((resolve) => setTimeout(resolve));

  expect(events).toEqual([]);
});
