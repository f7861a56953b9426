/**
 * Reads of the API as queries. A key is the path of a read and its parameters, and the type of the data follows from the path.
 * The API's document types all of it: an unknown path or parameter is a type error.
 *
 * A third part of a key has what the answer depends on besides its parameters. It also names the project where the path doesn't.
 */
import {
  type DataTag,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  infiniteQueryOptions,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UnusedSkipTokenOptions,
} from "@tanstack/react-query";
import type { paths } from "@/api.gen";
import { api, take } from "./api";
import type { Success } from "./api-types";
import { isRecord } from "./is-record";
import { put } from "./put";
import { currentIn } from "./stale-revision";

type Operation = { parameters: unknown };
/** A path that can be read. */
export type ReadPath = {
  [Path in keyof paths]: paths[Path] extends { get: Operation } ? Path : never;
}[keyof paths];

/** The read of a path; of a path that can't be read its POST. */
type Call<Path extends keyof paths> = paths[Path] extends { get: infer Get extends Operation }
  ? Get
  : paths[Path] extends { post: infer Post extends Operation }
    ? Post
    : never;

type Taken<All> = {
  [Part in keyof All as Part extends "path" | "query"
    ? [All[Part]] extends [undefined]
      ? never
      : Part
    : never]: All[Part];
};
type OrNothing<All> = keyof All extends never ? Record<string, never> : All;

/** The parameters of a path: those of its address, and those of its query. */
export type Params<Path extends keyof paths> = OrNothing<Taken<Call<Path>["parameters"]>>;
/** Some of the parameters. They name every read that has them. */
type SomeParams<Path extends keyof paths> = { [Part in keyof Params<Path>]?: Partial<Params<Path>[Part]> };
/** What a path answers. */
export type Read<Path extends keyof paths> = Success<Call<Path>>;

type More = Readonly<Record<string, unknown>>;

export const keyOf = <Path extends keyof paths>(path: Path, params: Params<Path>, more?: More) =>
  [path, params, ...(more === undefined ? [] : [more])] as QueryKey as DataTag<QueryKey, Read<Path>, Error>;

/** Returns a key for what is put together from several reads of a project. */
export const composedKey = (name: string, projectId: string, more: More): QueryKey => [
  name,
  { path: { projectId } },
  more,
];

/** The parts of a key. */
export interface Named {
  readonly path: unknown;
  readonly params: { readonly path: More; readonly query: More };
  readonly more: More;
}

const recordIn = (value: unknown): More => (isRecord(value) ? value : {});

export function namedBy([path, given, more]: QueryKey): Named {
  const params = recordIn(given);
  return { path, params: { path: recordIn(params["path"]), query: recordIn(params["query"]) }, more: recordIn(more) };
}

/** The project that a query belongs to; undefined for a query of no project. */
export function projectOf({ params, more }: Named): unknown {
  return params.path["projectId"] ?? more["projectId"];
}

/** Reads a path. Throws as `take` does. */
export function read<Path extends ReadPath>(
  path: Path,
  params: Params<Path>,
  signal?: AbortSignal,
): Promise<Read<Path>> {
  // What the client takes and gives depends on the path in a way that the compiler follows only for a path that it knows.
  const get = api.GET as unknown as (path: Path, init: object) => Promise<{ data?: Read<Path>; response: Response }>;
  return take(get(path, { params, signal }));
}

type Options<Path extends ReadPath, Shown> = Omit<
  UnusedSkipTokenOptions<Read<Path>, Error, Shown>,
  "queryKey" | "queryFn"
> & {
  more?: More;
  /** What the read waits for. */
  after?: () => Promise<unknown>;
};

/** The query that reads a path. `select` makes what is shown from the answer; the cache has the whole answer. */
export function apiQuery<Path extends ReadPath, Shown = Read<Path>>(
  path: Path,
  params: Params<Path>,
  { more, after, ...options }: Options<Path, Shown> = {},
) {
  return queryOptions<Read<Path>, Error, Shown>({
    ...options,
    queryKey: keyOf(path, params, more),
    queryFn: ({ signal }) =>
      after === undefined ? read(path, params, signal) : after().then(() => read(path, params, signal)),
  });
}

type Cursor<Path extends keyof paths> =
  Params<Path> extends { query?: { cursor?: infer Cursor } } ? NonNullable<Cursor> : never;

/** The query that reads a path page by page. `next` returns the cursor of the page after a page, or null after the last page. */
export function apiPages<Path extends ReadPath>(
  path: Path,
  params: Params<Path>,
  { next, ...options }: { next: (page: Read<Path>) => Cursor<Path> | null | undefined; refetchOnWindowFocus?: boolean },
) {
  return infiniteQueryOptions({
    ...options,
    // Pages are different data than an answer, also where the parameters are the same.
    queryKey: keyOf(path, params, { pages: true }) as QueryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...recordIn(recordIn(params)["query"]), ...(pageParam === null ? {} : { cursor: pageParam }) };
      return read(path, { ...params, query }, signal);
    },
    initialPageParam: null as Cursor<Path> | null,
    getNextPageParam: next,
  });
}

/** Marks reads of a path as old: all of them, or those with these parameters. What a page shows is read again. */
export function invalidate<Path extends ReadPath>(
  client: QueryClient,
  path: Path,
  params?: SomeParams<Path>,
  { refetchType, ...options }: InvalidateOptions & Pick<InvalidateQueryFilters, "refetchType"> = {},
): Promise<void> {
  return client.invalidateQueries({ ...readsOf(path, params), ...(refetchType && { refetchType }) }, options);
}

/** Long logs stay as they were read. A button reads them again. */
const AS_READ: readonly unknown[] = [
  "/api/projects/{projectId}/audit",
  "/api/projects/{projectId}/audit/people",
] satisfies ReadPath[];
const PROJECT = "/api/projects/{projectId}" satisfies ReadPath;

/** Marks all that belongs to a project as old. `butItself` leaves the record of the project out. */
export function invalidateProject(client: QueryClient, projectId: string, { butItself = false } = {}): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => {
      const named = namedBy(queryKey);
      if (projectOf(named) !== projectId || AS_READ.includes(named.path)) return false;
      return !(butItself && named.path === PROJECT);
    },
  });
}

/** Removes all that belongs to a project from the cache. */
export function forgetProject(client: QueryClient, projectId: string): void {
  client.removeQueries({ predicate: ({ queryKey }) => projectOf(namedBy(queryKey)) === projectId });
}

/** Removes reads of a path from the cache. */
export function forget<Path extends ReadPath>(client: QueryClient, path: Path, params: SomeParams<Path>): void {
  client.removeQueries(readsOf(path, params));
}

const readsOf = <Path extends ReadPath>(path: Path, params?: SomeParams<Path>) => ({
  queryKey: params === undefined ? [path] : [path, params],
});

/** Returns the cached reads of a path with these parameters: the parts of each key, and the answer where it is here. */
export function cached<Path extends ReadPath>(
  client: QueryClient,
  path: Path,
  params: SomeParams<Path>,
): { named: Named; answer: Read<Path> | undefined }[] {
  const entries = client.getQueriesData<Read<Path>>(readsOf(path, params));
  return entries.map(([key, answer]) => ({ named: namedBy(key), answer }));
}

/**
 * Shows what a write answered. A request that is under way may bring back the earlier state, so it is sent again. Else an added
 * screen would leave its page for a moment, and with it what is typed there. A function changes a cached answer only.
 */
export function keep<Path extends ReadPath>(
  client: QueryClient,
  path: Path,
  params: Params<Path>,
  changed: Read<Path> | ((present: Read<Path>) => Read<Path>),
): void {
  const queryKey = keyOf(path, params);
  client.setQueryData<Read<Path>>(queryKey, (present) =>
    typeof changed === "function" ? present && (changed as (present: Read<Path>) => Read<Path>)(present) : changed,
  );
  sendAgain(client.getQueryCache().find({ queryKey }));
}

/** Ends the request of a query that is under way, and sends it again. */
function sendAgain(query: Query | undefined): void {
  if (query === undefined || query.state.fetchStatus === "idle") return;
  void query.cancel({ silent: true });
  query.invalidate();
  query.fetch().catch(() => {
    // Who shows the query shows its failure.
  });
}

type ListName<Answer> = Answer extends readonly unknown[]
  ? undefined
  : { [Name in keyof Answer]: Answer[Name] extends readonly object[] ? Name : never }[keyof Answer];
type RecordIn<Answer, Name> = Answer extends readonly (infer One)[]
  ? One
  : Name extends keyof Answer
    ? Answer[Name] extends readonly (infer One)[]
      ? One
      : never
    : never;

/**
 * The lists of records that a path answers: all cached lists with the given parameters change together. `list` is the list's name
 * in the answer, and `id` names the field that identifies a record, by default `_id`.
 */
export function listCache<Path extends ReadPath, Name extends ListName<Read<Path>>>(
  path: Path,
  shape: {
    list: Name;
    id?: keyof RecordIn<Read<Path>, Name>;
  },
) {
  type One = RecordIn<Read<Path>, Name>;
  type Id = One[keyof One];
  const id = (shape.id ?? "_id") as keyof One;
  const name = shape.list as keyof Read<Path> | undefined;

  /** Changes every list that is here. */
  const change = (client: QueryClient, params: SomeParams<Path>, changed: (records: One[]) => One[]): void => {
    for (const query of client.getQueryCache().findAll(readsOf(path, params))) {
      client.setQueryData<Read<Path>>(query.queryKey, (answer) => {
        if (answer === undefined) return undefined;
        return (
          name === undefined
            ? changed(answer as One[])
            : { ...(answer as object), [name]: changed(answer[name] as One[]) }
        ) as Read<Path>;
      });
      sendAgain(query);
    }
  };
  return {
    change,
    /** Puts a record in the place of its former self, or at the end. `former` is its id before the change. */
    put: (client: QueryClient, params: SomeParams<Path>, record: One, former: Id = record[id]): void =>
      change(client, params, (records) => {
        // A live change may have brought the new id before the answer.
        const place = records.some((one) => one[id] === former) ? former : record[id];
        const others = records.filter((one) => one[id] === place || one[id] !== record[id]);
        return put(others, record, (one) => one[id] === place);
      }),
    remove: (client: QueryClient, params: SomeParams<Path>, gone: Id): void =>
      change(client, params, (records) => records.filter((one) => one[id] !== gone)),
    /**
     * Returns the present record that a refusal for a stale revision carries, and puts it in its place. Undefined for a different
     * error.
     */
    conflict: (client: QueryClient, params: SomeParams<Path>, error: unknown): One | undefined => {
      const current = currentIn<One & object>(error);
      if (current === undefined) return undefined;
      change(client, params, (records) => records.map((one) => (one[id] === current[id] ? current : one)));
      return current;
    },
  };
}
