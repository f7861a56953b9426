/** The search beside an open text, and on a small screen. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { onSmallScreen } from "@/testing/browser";
import { openProject } from "@/testing/search-page";

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
