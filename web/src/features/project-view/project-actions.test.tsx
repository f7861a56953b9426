/** The buttons in the head of a project. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { PROJECT_ID } from "@/testing/fixtures";
import { openProject } from "@/testing/project-page";

test.each<[string, Partial<Project>, string]>([
  ["nothing to publish", { isPublished: true }, "default"],
  ["changes", { isPublished: true, unpublished: { total: 1, screens: { home: 1 }, colors: 0, stores: 0 } }, "filled"],
  ["no release yet", { isPublished: false }, "filled"],
])("with %s the button that publishes is filled only if there is something to publish", async (_, project, variant) => {
  const { user } = openProject("/home", project);

  const button = await screen.findByRole("button", { name: /^Publish Changes/ });

  expect(button).toHaveAttribute("data-variant", variant);
  expect(button).toBeEnabled();
  await user.hover(button);
  const action = variant === "filled" ? "Review and publish" : "Nothing to publish";
  expect(await screen.findByRole("tooltip", { name: new RegExp(`^${action}`) })).toBeInTheDocument();
});

test("'Connect your app' shows the keys and the first lines of code", async () => {
  const { user } = openProject("/general");

  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Connect your app" }));
  const dialog = await screen.findByRole("dialog");

  expect(within(dialog).getByText("lvp_example")).toBeVisible();
  expect(dialog).toHaveTextContent(`projectId: "${PROJECT_ID}"`);
  expect(dialog).toHaveTextContent(`baseUrl: "${window.location.origin}"`);
  await user.click(within(dialog).getByRole("tab", { name: "JavaScript" }));
  expect(dialog).toHaveTextContent('livery.t("general.title", "Hello")');
});
