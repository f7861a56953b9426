import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Answer, Project } from "@/lib/api-types";
import { aProject, aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";
import { enter } from "@/testing/typing";

type Store = Answer<"/api/stores/{projectId}", "get">[number];

const STORES = `/api/stores/${PROJECT_ID}`;

async function openStores(stores: Store[] = [aStore()], project: Partial<Project> = {}) {
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project)),
    answer("get", STORES, stores),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/stores`);
  await screen.findByText(/^Used: /, undefined, { timeout: 15_000 });
  return opened;
}

async function openCreate(stores?: Store[]) {
  const { user } = await openStores(stores);
  await user.click(screen.getByRole("button", { name: "Create Store" }));
  return { user, dialog: within(await screen.findByRole("dialog", { name: "Create Data Store" })) };
}

// spec: stores-2, stores-4
test("the list shows how many stores the plan allows, and each card leads to its store", async () => {
  const { user, router } = await openStores([
    aStore({ itemCount: 1_204 }),
    aStore({ _id: "sto_2", name: "Tips", apiIdentifier: "tips", fields: [], state: "new" }),
  ]);

  expect(screen.getByText("Used: 2 / 30 (Growth Tier Limit)")).toBeVisible();
  const cards = within(screen.getByRole("list", { name: "Data Stores" })).getAllByRole("listitem");
  expect(cards[0]).toHaveTextContent(/Destinations.*destinations.*6 fields · 1,204 items/);
  expect(cards[1]).toHaveTextContent(/Tips.*New.*0 fields/);
  server.use(answer("get", `${STORES}/destinations`, aStore()), answer("get", "/api/stores/items/sto_1", []));
  await user.click(screen.getByRole("link", { name: "Destinations" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/stores/destinations`));
});

// spec: stores-1
test("'Data Stores' is a tab of the project, marked while there are unpublished changes", async () => {
  await openStores([], { unpublished: { total: 2, screens: {}, colors: 0, stores: 2 } });

  const tab = within(screen.getByRole("navigation", { name: "Project" })).getByRole("link", { name: /^Data Stores/ });
  expect(tab).toHaveAttribute("href", `/projects/${PROJECT_ID}/stores`);
  expect(within(tab).getByLabelText("2 unpublished changes")).toBeInTheDocument();
});

// spec: stores-7, stores-8, stores-13
test("a store is created with its fields in their order", async () => {
  const sent: unknown[] = [];
  const { user, dialog } = await openCreate([]);
  server.use(
    answer("post", STORES, aStore({ name: "Top Places", apiIdentifier: "top_places", itemCount: 0, state: "new" }), {
      status: 201,
      onCall: (body) => sent.push(body),
    }),
  );

  expect(dialog.getAllByRole("listitem")).toHaveLength(1);
  expect(dialog.getByRole("combobox", { name: "Type of field 1" })).toHaveValue("String");
  expect(dialog.getByRole("checkbox", { name: "field 1 is translatable" })).not.toBeChecked();
  expect(dialog.getByRole("checkbox", { name: "field 1 is required" })).not.toBeChecked();
  await enter(user, dialog.getByRole("textbox", { name: "Store Name" }), "Top Places");
  await user.type(dialog.getByRole("textbox", { name: "Name of field 1" }), "price");
  await user.selectOptions(dialog.getByRole("combobox", { name: "Type of price" }), "Number");
  await user.click(dialog.getByRole("button", { name: "Add Field" }));
  await user.keyboard(" title ");
  await user.click(dialog.getByRole("checkbox", { name: "title is translatable" }));
  await user.click(dialog.getByRole("checkbox", { name: "title is required" }));
  await user.click(dialog.getByRole("button", { name: "Move title up" }));
  await user.click(dialog.getByRole("button", { name: "Add Field" }));
  await user.click(dialog.getByRole("button", { name: "Remove field 3" }));
  await user.click(dialog.getByRole("button", { name: "Create Store" }));

  expect(await screen.findByText('Data Store "Top Places" created successfully!')).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: "Top Places" })).toBeVisible();
  expect(sent).toEqual([
    {
      name: "Top Places",
      apiIdentifier: "top_places",
      fields: [
        { name: "title", type: "String", required: true, isTranslatable: true },
        { name: "price", type: "Number", required: false, isTranslatable: false },
      ],
    },
  ]);
});
