import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { holdTimers, hurry } from "@/testing/clock";
import { renderInProject } from "@/testing/component";
import { aKey, arabic, languages, PROJECT_ID } from "@/testing/fixtures";
import { renderScreenPage } from "@/testing/screen-part";
import { aResult, list, openSearch, options, write } from "@/testing/search";
import { answer, offline, refusal, server } from "@/testing/server";
import type { SearchResult } from "./queries";
import { SearchButton } from "./search-button";

const SEARCH = `/api/translations/${PROJECT_ID}/search`;

/** Opens a project whose search gives what `find` gives for the query; returns what was asked. */
function openProject(find: (query: string) => SearchResult[] = () => [], project: Partial<Project> = {}) {
  hurry();
  const asked: string[] = [];
  server.use(
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    http.get(`*${SEARCH}`, ({ request }) => {
      const query = new URL(request.url).searchParams.get("q") ?? "";
      asked.push(query);
      return HttpResponse.json({ results: find(query) });
    }),
  );
  const rendered = renderInProject((shown) => <SearchButton project={shown} />, {
    languages: ["en", "de", "ar"],
    ...project,
  });
  return { ...rendered, asked };
}

const only = () => within(list()).getByRole("option");

// spec: search-2
test("typed text is searched for 300 ms later, once", async () => {
  const { user, asked } = openProject(() => [aResult()]);
  await openSearch(user);

  const after300ms = holdTimers(300);
  await user.keyboard("hello");
  expect(asked).toEqual([]);
  after300ms();
  await options();

  expect(asked).toEqual(["hello"]);
});

// spec: search-3
test("keys come before texts, each with its screen, its language and the matched part marked", async () => {
  const { user } = openProject(() => [
    aResult({ key: "hello_title", value: "Where next?", matchType: "key" }),
    aResult({ tabName: "checkout", key: "thanks", value: "Sag HÉLLO zu allen", language: "de" }),
    aResult({ key: "greeting", value: "مرحبا hello", language: "ar" }),
  ]);
  await openSearch(user);

  await write(user, "hello");

  const [key, text, rtl] = await options();
  expect(within(screen.getByRole("group", { name: "Keys" })).getAllByRole("option")).toEqual([key]);
  expect(within(screen.getByRole("group", { name: "Texts" })).getAllByRole("option")).toEqual([text, rtl]);
  expect(key).toHaveTextContent("home.hello_title");
  expect(key?.querySelector("mark")).toHaveTextContent("hello");
  expect(key).toHaveTextContent("Where next?");
  expect(text).toHaveTextContent("checkout.thanks");
  expect(text).toHaveTextContent("German");
  expect(text?.querySelector("mark")).toHaveTextContent("HÉLLO");
  expect(rtl?.querySelector("bdi")).toHaveAttribute("dir", "rtl");
  expect(rtl?.querySelector("bdi")).toHaveAttribute("lang", "ar");
  expect(within(screen.getByRole("dialog")).getByRole("status")).toHaveTextContent("3 results");
});

// spec: search-8
test("Escape closes it and the page has the focus again", async () => {
  const { user } = openProject();
  const button = await screen.findByRole("button", { name: "Search all screens" });
  await user.click(button);
  await screen.findByRole("combobox", { name: "Search keys and texts" });

  await user.keyboard("{Escape}");

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  await waitFor(() => expect(button).toHaveFocus());
});

// spec: search-9
test("results stay until the next answer, and an older answer never replaces them", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { user } = openProject();
  server.use(
    http.get(`*${SEARCH}`, async ({ request }) => {
      const query = new URL(request.url).searchParams.get("q") ?? "";
      if (query === "slow") await held;
      return HttpResponse.json({ results: [aResult({ key: `of_${query}` })] });
    }),
  );
  await openSearch(user);
  await write(user, "one");
  expect((await options())[0]).toHaveTextContent("of_one");

  await write(user, "slow");
  await waitFor(() => expect(document.querySelector("[data-on]")).not.toBeNull());
  await write(user, "two");
  await waitFor(() => expect(only()).toHaveTextContent("of_two"));
  await act(async () => release());

  expect(only()).toHaveTextContent("of_two");
});

// spec: search-8
test("Enter opens no result of an older query", async () => {
  const { user, router } = openProject((query) => [aResult({ key: `of_${query}` })]);
  await openSearch(user);
  await write(user, "one");
  await options();

  const after300ms = holdTimers(300);
  await user.keyboard("s{Enter}");

  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/general`);
  after300ms();
  await waitFor(() => expect(only()).toHaveTextContent("of_ones"));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.search).toBe("?scrollTo=of_ones"));
});

// spec: search-6
test("a search without results shows that, and an emptied field shows the hint again", async () => {
  const { user, asked } = openProject();
  const field = await openSearch(user);

  await write(user, "zebra ");
  expect(await screen.findByText(/No key or text of this project has/)).toHaveTextContent("zebra");
  expect(screen.queryByRole("listbox", { name: "Results" })).not.toBeInTheDocument();
  await user.clear(field);

  expect(screen.getByText(/Finds keys and texts of every screen and language/)).toBeVisible();
  expect(asked).toEqual(["zebra"]);
});

// spec: search-5
test("a search with fifty results shows that they are the best fifty", async () => {
  const { user } = openProject(() => Array.from({ length: 50 }, (_, number) => aResult({ key: `key_${number}` })));
  await openSearch(user);

  await user.keyboard("e");

  expect(await screen.findByText("The best 50 are shown. Type more to narrow it down.")).toBeVisible();
  expect(await options()).toHaveLength(50);
});

// spec: search-10
test("a failure shows 'Failed to search translations' and can be tried again", async () => {
  const { user } = openProject(() => [aResult()]);
  server.use(offline("get", SEARCH));
  await openSearch(user);

  await write(user, "hello");
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to search translations");
  server.use(answer("get", SEARCH, { results: [aResult({ key: "again" })] }));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect((await options())[0]).toHaveTextContent("again");
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

// spec: search-10
test("a refusal shows the server's own message", async () => {
  const { user } = openProject();
  server.use(refusal("get", SEARCH, 503, { message: "The database is not available right now." }));
  await openSearch(user);

  await write(user, "hello");

  expect(await screen.findByRole("alert")).toHaveTextContent("The database is not available right now.");
});

// spec: search-8
test("an address can name the second language", async () => {
  const keys = [aKey("title", { en: "Hello", de: "Hallo", ar: "مرحبا" })];
  const project = { languages: ["en", "de", "ar"] };
  const { router } = renderScreenPage(keys, project, {
    at: "home?lang=ar&show=changed",
    known: [...languages, arabic],
  });

  await waitFor(() => expect(router.state.location.search).toBe("?show=changed"));
  expect(await screen.findByRole("columnheader", { name: /Arabic/ })).toBeVisible();
});
