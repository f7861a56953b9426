import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProject, aStore } from "@/testing/fixtures";
import { answer, offline, server } from "@/testing/server";
import { openStores, renderStores, STORES } from "@/testing/store-list";

// spec: stores-6
test("a project without stores shows 'No Data Stores yet' and offers the first store", async () => {
  await openStores([]);

  expect(screen.getByRole("heading", { name: "No Data Stores yet" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Create Store" })).toBeVisible();
});

// spec: stores-3
test.each([
  [1, "growth", "You have reached the limit of 1 Data Stores for your plan."],
  [0, "growth", "You have reached the limit of 0 Data Stores for your plan."],
  [
    1,
    "pro",
    "You have reached the limit of 1 Data Stores for your plan. It is the largest plan: delete a Data Store first.",
  ],
])("at the limit of %s (%s), Create Store is off and shows why", async (limit, activeTier, reason) => {
  const { user } = await openStores([aStore()], { activeTier, limits: { ...aProject().limits, stores: limit } });

  const button = screen.getByRole("button", { name: "Create Store" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(button).toHaveAccessibleDescription(reason);
  await user.hover(button);
  expect(await screen.findByRole("tooltip")).toHaveTextContent(reason);
  await user.click(button);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

// spec: stores-2
test("without a limit the page shows the number of stores and 'no limit'", async () => {
  await openStores([aStore()], { limits: { ...aProject().limits, stores: -1 } });

  expect(screen.getByText("Used: 1 (no limit)")).toBeVisible();
  expect(screen.getByRole("button", { name: "Create Store" })).not.toHaveAttribute("aria-disabled");
});

// spec: stores-5, stores-16
test("deleting a store asks first, and shows the server's message", async () => {
  const { user } = await openStores();
  server.use(answer("delete", "/api/stores/sto_1", { message: "Data Store deleted." }));

  await user.click(screen.getByRole("button", { name: "Delete Destinations" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("All of its content and items will be permanently removed.")).toBeVisible();
  expect(dialog.getByText("It has 1 item. Apps keep it until you publish.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Delete Data Store" }));

  expect(await screen.findByText("Data Store deleted.")).toBeInTheDocument();
  expect(await screen.findByText("No Data Stores yet")).toBeVisible();
});

// spec: stores-17
test("a store that could not be deleted stays, and a toast reports that", async () => {
  const { user } = await openStores();
  server.use(offline("delete", "/api/stores/sto_1"));

  await user.click(screen.getByRole("button", { name: "Delete Destinations" }));
  await user.click(await screen.findByRole("button", { name: "Delete Data Store" }));

  expect(
    await screen.findByText("Failed to delete Data Store. The server can't be reached. Please try again."),
  ).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Destinations" })).toBeInTheDocument();
});

// spec: stores-18
test("a viewer sees the stores and can change nothing", async () => {
  await openStores([aStore()], { role: "viewer", permissions: ["read"] });

  expect(screen.getByText(/^Viewers can't change content\./)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Create Store|Delete/ })).not.toBeInTheDocument();
});

// spec: stores-15
test("stores that can't be fetched are reported, and can be loaded again", async () => {
  server.use(offline("get", STORES));
  const { user } = renderStores();

  expect(await screen.findByText("Failed to fetch data stores.", undefined, { timeout: 15_000 })).toBeVisible();
  server.use(answer("get", STORES, [aStore()]));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByRole("link", { name: "Destinations" })).toBeVisible());
});
