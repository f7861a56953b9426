import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { appearing } from "@/testing/appearing";
import { onSmallScreen } from "@/testing/browser";
import { hurry } from "@/testing/clock";
import { aKey, aProject, arabic, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { aUsage } from "@/testing/project-settings";
import { aResult, list, openSearch, options, write } from "@/testing/search";
import { answer, server } from "@/testing/server";
import type { SearchResult } from "./queries";

/** Opens a project whose search gives what `find` gives for the query; returns what was asked. */
function openProject(
  find: (query: string) => SearchResult[] = () => [],
  project: Partial<Project> = {},
  path = "/general",
) {
  const asked: string[] = [];
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ languages: ["en", "de", "ar"], ...project })),
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    http.get(`*/api/translations/${PROJECT_ID}/:screen`, ({ params, request }) => {
      if (params["screen"] !== "search") {
        return HttpResponse.json(aScreen([aKey("title", { en: "Hello", de: "Hallo", ar: "مرحبا" })]));
      }
      const query = new URL(request.url).searchParams.get("q") ?? "";
      asked.push(query);
      return HttpResponse.json({ results: find(query) });
    }),
  );
  return { ...openSignedIn(`/projects/${PROJECT_ID}${path}`), asked };
}

const active = () => within(list()).getByRole("option", { selected: true });

// spec: search-1
test("a key opens the search on every page of a project", async () => {
  server.use(
    answer("get", `/api/colors/${PROJECT_ID}`, { colors: [] }),
    answer("get", `/api/projects/${PROJECT_ID}/usage`, aUsage()),
    answer("get", `/api/projects/${PROJECT_ID}/members`, []),
    answer("get", `/api/projects/${PROJECT_ID}/publishable-keys`, { keys: [] }),
    answer("get", `/api/projects/${PROJECT_ID}/tokens`, { tokens: [] }),
  );
  const { user, router } = openProject();
  await screen.findByRole("button", { name: "Search all screens" });
  for (const [keys, path] of [
    ["/", "general"],
    ["/", "colors"],
    ["/", "settings"],
    ["{Control>}k{/Control}", "home"],
    ["{Meta>}k{/Meta}", "home"],
  ] as const) {
    const given = `${keys} on ${path}`;
    await act(() => router.navigate(`/projects/${PROJECT_ID}/${path}`));
    await user.keyboard(keys);

    expect(await screen.findByRole("dialog", { name: "Search all screens" }), given).toBeVisible();
    const field = await screen.findByRole("combobox", { name: "Search keys and texts" });
    await waitFor(() => expect(field, given).toHaveFocus());
    expect(field, given).toHaveValue("");
    expect(screen.getByText(/Finds keys and texts of every screen and language/), given).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog"), given).not.toBeInTheDocument());
  }
});

// spec: search-1
test("while a text is being written, '/' is a part of it and Ctrl K opens the search", async () => {
  const { user } = openProject();
  const filter = await screen.findByRole("searchbox", { name: "Filter this screen" });

  await user.type(filter, "a/b");
  expect(filter).toHaveValue("a/b");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  await user.keyboard("{Control>}k{/Control}");

  expect(await screen.findByRole("dialog", { name: "Search all screens" })).toBeVisible();
});

// spec: search-1
test("on a small screen a button without words opens it", async () => {
  onSmallScreen();
  const { user } = openProject();

  await user.click(await screen.findByRole("button", { name: "Search all screens" }));

  expect(await screen.findByRole("combobox", { name: "Search keys and texts" })).toBeVisible();
});

// spec: search-8
test("the arrows, Home and End choose, Enter jumps to the key in its language, and the screen shows it", async () => {
  hurry();
  const { user, router } = openProject(() => [
    aResult({ key: "a", matchType: "key" }),
    aResult({ key: "b" }),
    aResult({ key: "title", value: "مرحبا", language: "ar" }),
  ]);
  const field = await openSearch(user);
  await user.keyboard("x");
  const [first, second, third] = await options();
  expect(first).toHaveAttribute("aria-selected", "true");
  expect(field).toHaveAttribute("aria-activedescendant", first?.id);

  await user.keyboard("{ArrowDown}");
  expect(active()).toBe(second);
  await user.keyboard("{End}");
  expect(active()).toBe(third);
  await user.keyboard("{ArrowDown}");
  expect(active()).toBe(first);
  await user.keyboard("{ArrowUp}{Home}");
  expect(active()).toBe(first);
  const marked = appearing("[data-highlighted]");
  await user.keyboard("{ArrowUp}{Enter}");

  await marked;
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/home`);
  await waitFor(() => expect(router.state.location.search).toBe("?scrollTo=title"));
  expect(await screen.findByRole("gridcell", { name: /مرحبا/ })).toBeVisible();
  await waitFor(() => expect(screen.getByRole("gridcell", { name: /مرحبا/ })).toHaveFocus());
});

// spec: search-8
test("a text of the default language leaves the other language as it was", async () => {
  hurry();
  const { user, router } = openProject(() => [aResult({ tabName: "home", key: "title" })]);
  await openSearch(user);

  await write(user, "hello");
  await user.click((await options())[0] as HTMLElement);

  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/home`));
  expect(router.state.location.search).toBe("?scrollTo=title");
  await waitFor(() => expect(screen.getByRole("gridcell", { name: /Hallo/ })).toBeVisible());
  await waitFor(() => expect(screen.getByRole("gridcell", { name: /Hello/ })).toHaveFocus());
});
