/** From a result of the search to its text. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { appearing } from "@/testing/appearing";
import { hurry } from "@/testing/clock";
import { PROJECT_ID } from "@/testing/fixtures";
import { aResult, list, openSearch, options, write } from "@/testing/search";
import { openProject } from "@/testing/search-page";

const active = () => within(list()).getByRole("option", { selected: true });

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
