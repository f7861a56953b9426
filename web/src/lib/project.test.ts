import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import type { Project } from "./api-types";
import { keepProject } from "./project";
import { projectQuery } from "./queries";

const PROJECT = projectQuery("prj_1").queryKey;

const withScreens = (...tabs: string[]) => ({ projectId: "prj_1", tabs }) as unknown as Project;

/** A page that shows the project. Its requests are answered by the test. */
function openPage(client: QueryClient) {
  const requests: ((answer: Project) => void)[] = [];
  const queryFn = () => new Promise<Project>((answer) => requests.push(answer));
  const seen: string[][] = [];
  const page = new QueryObserver(client, {
    queryKey: PROJECT,
    queryFn,
    staleTime: Number.POSITIVE_INFINITY,
  });
  onTestFinished(page.subscribe(({ data }) => void (data && seen.push(data.tabs))));
  return { requests, seen, refetch: () => void client.refetchQueries({ queryKey: PROJECT }) };
}

test("an added screen stays though the project was asked for before it was added", async () => {
  const client = new QueryClient();
  client.setQueryData(PROJECT, withScreens("general"));
  const { requests, seen, refetch } = openPage(client);
  refetch();

  keepProject(client, "prj_1", withScreens("general", "home"));
  requests[0]?.(withScreens("general"));
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.(withScreens("general", "home", "news"));

  await expect.poll(() => seen.at(-1)).toEqual(["general", "home", "news"]);
  const added = seen.findIndex((tabs) => tabs.includes("home"));
  expect(seen.slice(added).every((tabs) => tabs.includes("home"))).toBe(true);
});

test("a part of a project that is not known is not kept, and nothing is asked for", () => {
  const client = new QueryClient();

  keepProject(client, "prj_1", (present) => ({ ...present, scheduledFor: null }));

  expect(client.getQueryData(PROJECT)).toBeUndefined();
  expect(client.isFetching()).toBe(0);
});
