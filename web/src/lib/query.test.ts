import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { answer, server } from "@/testing/server";
import { ApiError } from "./api";
import {
  apiPages,
  apiQuery,
  cached,
  forget,
  forgetProject,
  invalidate,
  invalidateProject,
  keep,
  keyOf,
  listCache,
  read,
} from "./query";

const COLORS = "/api/colors/{projectId}";
const SCREEN = "/api/translations/{projectId}/{tabName}";
const STORE = "/api/stores/{projectId}/{apiIdentifier}";
const ITEMS = "/api/stores/items/{itemId}";
const AUDIT = "/api/projects/{projectId}/audit";
const PROJECT = "/api/projects/{projectId}";

const mine = { path: { projectId: "prj_1" } };
const lists = listCache(COLORS, { list: "colors", id: "key" });

const aColor = (key: string, revision = 1) => ({ key, revision, value: "#c8371c", nickname: "" }) as never;
const withColors = (...colors: never[]) => ({ colors }) as never;
const keysIn = (client: QueryClient) => client.getQueryData(keyOf(COLORS, mine))?.colors.map(({ key }) => key);

/** A page that shows the colours. Its requests are answered by the test. */
function openColors(client: QueryClient) {
  const requests: ((answer: never) => void)[] = [];
  const page = new QueryObserver(client, {
    queryKey: keyOf(COLORS, mine),
    queryFn: () => new Promise<never>((done) => requests.push(done)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  onTestFinished(page.subscribe(() => {}));
  return requests;
}

/** The paths of the queries that are old. */
const oldPaths = (client: QueryClient) =>
  client
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.isInvalidated })
    .map(({ queryKey }) => queryKey[0]);

test("a read is named by its path and its parameters, and resolves with the API's answer", async () => {
  server.use(answer("get", "/api/colors/prj_1", { colors: [aColor("brand")] }));
  const client = new QueryClient();

  const { colors } = await client.fetchQuery(apiQuery(COLORS, mine));

  expect(colors.map(({ key }) => key)).toEqual(["brand"]);
  expect(client.getQueryCache().getAll()[0]?.queryKey).toEqual([COLORS, mine]);
});

test("a refusal of a read is an error of the API", async () => {
  server.use(answer("get", "/api/colors/prj_1", { message: "No.", code: "forbidden" } as never, { status: 403 }));

  await expect(read(COLORS, mine)).rejects.toMatchObject({ name: "ApiError", status: 403, message: "No." });
});

test("a read waits for the step that has to come before it", async () => {
  const steps: string[] = [];
  server.use(answer("get", "/api/colors/prj_1", { colors: [] }, { onCall: () => void steps.push("read") }));
  const after = async () => void steps.push("waited");

  await new QueryClient().fetchQuery(apiQuery(COLORS, mine, { after }));

  expect(steps).toEqual(["waited", "read"]);
});

test("the cache keeps the whole answer, and a page gets the selected part", async () => {
  server.use(answer("get", "/api/auth/sso", { name: "Acme" } as never));
  const client = new QueryClient();
  const query = apiQuery("/api/auth/sso", {}, { select: ({ name }) => name });
  const page = new QueryObserver(client, query);
  onTestFinished(page.subscribe(() => {}));

  await expect.poll(() => page.getCurrentResult().data).toBe("Acme");

  expect(client.getQueryData(query.queryKey)).toMatchObject({ name: "Acme" });
});

test("pages follow the cursor, with the parameters of the first page", async () => {
  const asked: string[] = [];
  const entry = (id: string) => ({ _id: id }) as never;
  server.use(
    answer("get", "/api/projects/prj_1/audit", [entry("7")], {
      onCall: (_, { url }) => void asked.push(new URL(url).search),
    }),
  );
  const pages = apiPages(AUDIT, { ...mine, query: { limit: 1 } }, { next: (page) => Number(page.at(-1)?._id) });

  const { pages: read } = await new QueryClient().fetchInfiniteQuery({ ...pages, pages: 2 });

  expect(read).toHaveLength(2);
  expect(asked).toEqual(["?limit=1", "?limit=1&cursor=7"]);
});

test("a path matches all of its reads, and given parameters match the reads that have them", () => {
  const client = new QueryClient();
  const home = { path: { projectId: "prj_1", tabName: "home" } };
  const german = { ...home, query: { lang: ["en", "de"] } };
  client.setQueryData(keyOf(SCREEN, { ...home, query: { lang: ["en"] } }), { keys: [] } as never);
  client.setQueryData(keyOf(SCREEN, german), { keys: [] } as never);
  client.setQueryData(keyOf(SCREEN, { path: { projectId: "prj_1", tabName: "news" } }), { keys: [] } as never);

  expect(cached(client, SCREEN, home).map(({ named }) => named.params.query["lang"])).toEqual([["en"], ["en", "de"]]);
  void invalidate(client, SCREEN, home);
  expect(oldPaths(client)).toHaveLength(2);
  void invalidate(client, SCREEN);
  expect(oldPaths(client)).toHaveLength(3);
  forget(client, SCREEN, home);
  expect(client.getQueryCache().getAll()).toHaveLength(1);
});

test("the reads of a project include reads without the project in their path, and a log is not read again", () => {
  const client = new QueryClient();
  const keys = [
    keyOf(PROJECT, mine),
    keyOf(COLORS, mine),
    keyOf(ITEMS, { path: { itemId: "sto_1" } }, { projectId: "prj_1" }),
    keyOf(AUDIT, mine),
    keyOf(COLORS, { path: { projectId: "prj_2" } }),
    keyOf("/api/user/me", {}),
  ];
  for (const key of keys) client.setQueryData(key, {} as never);

  void invalidateProject(client, "prj_1", { butItself: true });
  expect(oldPaths(client)).toEqual([COLORS, ITEMS]);
  void invalidateProject(client, "prj_1");
  expect(oldPaths(client)).toEqual([PROJECT, COLORS, ITEMS]);
  forgetProject(client, "prj_1");
  expect(client.getQueryCache().getAll()).toHaveLength(2);
});

test("a new answer is kept where there was no answer, and a change needs an answer to change", () => {
  const client = new QueryClient();
  const params = { path: { projectId: "prj_1", apiIdentifier: "trips" } };

  keep(client, STORE, params, (present) => ({ ...present, name: "Journeys" }));
  expect(client.getQueryData(keyOf(STORE, params))).toBeUndefined();

  keep(client, STORE, params, { name: "Trips" } as never);
  keep(client, STORE, params, (present) => ({ ...present, name: "Journeys" }));
  expect(client.getQueryData(keyOf(STORE, params))).toEqual({ name: "Journeys" });
});

test("an added record stays though the list was asked for before it was added", async () => {
  const client = new QueryClient();
  client.setQueryData(keyOf(COLORS, mine), withColors(aColor("brand")));
  const requests = openColors(client);
  void invalidate(client, COLORS, mine);
  expect(requests).toHaveLength(1);

  lists.put(client, mine, aColor("accent"));
  requests[0]?.(withColors(aColor("brand")));
  await expect.poll(() => requests.length).toBe(2);
  expect(keysIn(client)).toEqual(["brand", "accent"]);
  requests[1]?.(withColors(aColor("brand"), aColor("accent"), aColor("text")));

  await expect.poll(() => keysIn(client)).toEqual(["brand", "accent", "text"]);
});

test("a list that has not come yet is asked for again when a record is added", async () => {
  const client = new QueryClient();
  const requests = openColors(client);
  expect(requests).toHaveLength(1);

  lists.put(client, mine, aColor("accent"));
  requests[0]?.(withColors(aColor("brand")));
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.(withColors(aColor("brand"), aColor("accent")));

  await expect.poll(() => keysIn(client)).toEqual(["brand", "accent"]);
});

test("a renamed record replaces the former record, and appears once if a live change brought it already", () => {
  const client = new QueryClient();
  client.setQueryData(keyOf(COLORS, mine), withColors(aColor("brand"), aColor("text")));

  lists.put(client, mine, aColor("main", 2), "brand" as never);
  expect(keysIn(client)).toEqual(["main", "text"]);
  lists.put(client, mine, aColor("main", 2), "brand" as never);
  expect(keysIn(client)).toEqual(["main", "text"]);
  lists.remove(client, mine, "text" as never);
  expect(keysIn(client)).toEqual(["main"]);
});

test("the record that a conflict brings takes its place, and no other error changes a list", () => {
  const client = new QueryClient();
  client.setQueryData(keyOf(COLORS, mine), withColors(aColor("brand"), aColor("text")));
  const conflict = new ApiError(409, { code: "stale_revision", current: aColor("brand", 5) });
  const refusal = new ApiError(422, { code: "invalid", current: aColor("text", 5) });

  expect(lists.conflict(client, mine, conflict)).toEqual(aColor("brand", 5));
  expect(lists.conflict(client, mine, refusal)).toBeUndefined();
  expect(client.getQueryData(keyOf(COLORS, mine))?.colors.map(({ revision }) => revision)).toEqual([5, 1]);
});

test("only paths and parameters of the API are taken", () => {
  // @ts-expect-error there is no such path
  keyOf("/api/colours/{projectId}", mine);
  // @ts-expect-error the path has a project
  keyOf(COLORS, {});
  // @ts-expect-error a project's id is a text
  keyOf(COLORS, { path: { projectId: 1 } });
  // @ts-expect-error the path has no such parameter
  keyOf(COLORS, { path: { projectId: "prj_1" }, query: { lang: "en" } });
  // @ts-expect-error the path has no parameters
  keyOf("/api/user/me", mine);
  // @ts-expect-error this path can't be read
  apiQuery("/api/projects/{projectId}/discard", mine);
  // @ts-expect-error the API has no such language parameter
  void invalidate(new QueryClient(), SCREEN, { query: { language: ["en"] } });
  // @ts-expect-error the records are in `colors`
  listCache(COLORS, { list: "colours" });
  // @ts-expect-error the answer has no such part
  apiQuery(COLORS, mine, { select: ({ colours }) => colours });
  // @ts-expect-error the path has no pages
  apiPages(COLORS, mine, { next: () => 1 });
});
