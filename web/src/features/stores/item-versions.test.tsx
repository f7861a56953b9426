/** The version history of an item. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { anItem } from "@/testing/fixtures";
import { answer, offline, refusal, server } from "@/testing/server";
import { openStore, price } from "@/testing/store-part";
import { aVersion, compared, history, ITEMS, type Item, lofoten, showVersions, versions } from "@/testing/stores";

async function openVersions(item: Item, project: Partial<Project> = history) {
  const { user } = await openStore([item], project);
  return { user, dialog: await showVersions(user, item) };
}

// spec: items-6
test("only the pro tier has a version history of items", async () => {
  await openStore([lofoten]);
  await screen.findByRole("table");

  expect(screen.queryByRole("button", { name: /^Version History/ })).not.toBeInTheDocument();
});

// spec: items-27
test("an item that was never published has no versions", async () => {
  const { dialog } = await openVersions(lofoten);

  expect(dialog.getByText("No published versions found for this item.")).toBeVisible();
});

test("a roll back of an item that changed shows what would change now, and asks again", async () => {
  const item = { ...lofoten, publishedVersions: versions };
  const newer = { ...item, revision: item.revision + 1 };
  const sent: unknown[] = [];
  const { user, dialog } = await openVersions(item);
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const confirm = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));
  const changes = () => confirm.findByRole("region", { name: "What changes for apps" });
  expect(await changes()).toHaveTextContent("Lofoten of old");
  const message = "The draft changed since you looked. Please look at what would change now.";
  const at = "/api/stores/items/itm_1";
  server.use(
    answer(
      "post",
      `${at}/rollback/ver_1`,
      { message, code: "stale_draft" },
      {
        status: 409,
        onCall: (body) => sent.push(body),
      },
    ),
    answer("get", ITEMS, [newer]),
    compared(1, { revision: newer.revision, publishes: true, apps: price(1290.5, 970) }),
  );
  await user.click(confirm.getByRole("button", { name: "Rollback" }));

  expect(await confirm.findByRole("alert")).toHaveTextContent(message);
  await waitFor(async () => expect(await changes()).toHaveTextContent("1,290.5970"));
  const back = anItem({ title: { en: "Lofoten of old" } }, { revision: newer.revision + 1 });
  const done = { message: "Item rolled back and project published successfully!", published: true, item: back };
  server.use(
    answer("post", `${at}/rollback/ver_1`, done, { onCall: (body) => sent.push(body) }),
    answer("get", ITEMS, [back]),
  );
  await user.click(confirm.getByRole("button", { name: "Rollback" }));

  expect(await screen.findByText(done.message)).toBeInTheDocument();
  expect(sent).toEqual([
    { expected: item.revision, draftOnly: false },
    { expected: newer.revision, draftOnly: false },
  ]);
});

// spec: items-30
test("a roll back that fails shows why", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, publishedVersions: versions });
  server.use(refusal("post", "/api/stores/items/itm_1/rollback/ver_1", 404, { message: "Invalid version ID." }));

  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  await user.click(
    within(await screen.findByRole("dialog", { name: "Confirm Rollback" })).getByRole("button", { name: "Rollback" }),
  );
  expect(await screen.findByText("Invalid version ID.")).toBeInTheDocument();

  server.use(offline("post", "/api/stores/items/itm_1/rollback/ver_1"));
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  await user.click(
    within(await screen.findByRole("dialog", { name: "Confirm Rollback" })).getByRole("button", { name: "Rollback" }),
  );
  expect(
    await screen.findByText("Failed to roll back item. The server can't be reached. Please try again."),
  ).toBeInTheDocument();
});

// spec: items-32
test("a roll back shows what apps get and which edit it overwrites, also for a draft that equals the version", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, state: "changed", publishedVersions: versions });
  server.use(
    compared(1, {
      publishes: true,
      ...price(4242, 901),
      apps: price(1000, 901),
      overwritten: price(4242, 901),
    }),
  );
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const confirm = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));

  expect(await confirm.findByRole("region", { name: "What changes for apps" })).toHaveTextContent(/^price1,000901$/);
  expect(confirm.getByRole("region", { name: "What is overwritten in the draft" })).toHaveTextContent(
    /^In the draft this overwrites what apps don't have:price4,242901$/,
  );
  await user.click(confirm.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Confirm Rollback" })).not.toBeInTheDocument());

  server.use(compared(1, { publishes: true, apps: price(1000, 901) }));
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const again = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));
  await waitFor(() =>
    expect(again.queryByRole("region", { name: "What is overwritten in the draft" })).not.toBeInTheDocument(),
  );
  expect(again.getByRole("region", { name: "What changes for apps" })).toHaveTextContent(/^price1,000901$/);
});

// spec: items-32
test("a roll back to what apps have shows before and after that nothing is published", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, state: "changed", publishedVersions: versions });
  const message = "Apps have this version already, so nothing was published. The draft is as this version again.";
  server.use(
    compared(1, { ...price(4242, 901), overwritten: price(4242, 901) }),
    answer("post", "/api/stores/items/itm_1/rollback/ver_1", { message, published: false, item: lofoten }),
  );
  await user.click(dialog.getByRole("button", { name: "Rollback to Version 1" }));
  const confirm = within(await screen.findByRole("dialog", { name: "Confirm Rollback" }));

  expect(await confirm.findByRole("region", { name: "What changes for apps" })).toHaveTextContent(
    "Apps have this version already: nothing is published.",
  );
  await user.click(confirm.getByRole("button", { name: "Rollback" }));
  expect(await screen.findByText(message)).toBeInTheDocument();
});

// spec: items-31
test("an overwritten draft returns to the draft only", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, state: "changed", publishedVersions: versions });
  const name = "Bring back to the draft";
  const message = "The draft has this version back. Apps are unchanged.";
  const sent: unknown[] = [];
  server.use(
    compared(2, price(1290.5, 4242)),
    answer(
      "post",
      "/api/stores/items/itm_1/rollback/ver_2",
      { message, published: false, item: lofoten },
      { onCall: (body) => sent.push(body) },
    ),
  );
  await user.click(dialog.getByRole("button", { name: `${name}: Version 2 (overwritten draft)` }));
  const confirm = within(await screen.findByRole("dialog", { name }));

  expect(
    confirm.getByText("The draft of this item becomes version 2 (overwritten draft). Apps are not changed."),
  ).toBeVisible();
  expect(confirm.getByText("The draft that it overwrites is kept here as a version of its own.")).toBeVisible();
  expect(confirm.queryByText(/publish/)).not.toBeInTheDocument();
  expect(await confirm.findByRole("region", { name: "What changes in the draft" })).toHaveTextContent(
    /^price1,290\.54,242$/,
  );
  await user.click(confirm.getByRole("button", { name }));
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(sent).toEqual([{ expected: 1, draftOnly: true }]);
});

// spec: items-31
test("an unpublished edit is discarded on the row of the live version", async () => {
  const { user, dialog } = await openVersions({ ...lofoten, state: "changed", publishedVersions: versions });
  const name = "Discard the draft";
  const message = "The draft is what apps have again. Nothing was published.";
  const sent: unknown[] = [];
  server.use(
    compared(3, price(4242, 1290.5)),
    answer(
      "post",
      "/api/stores/items/itm_1/rollback/ver_3",
      { message, published: false, item: lofoten },
      { onCall: (body) => sent.push(body) },
    ),
  );
  const [live] = dialog.getAllByRole("listitem");
  await user.click(within(live as HTMLElement).getByRole("button", { name }));
  const confirm = within(await screen.findByRole("dialog", { name }));

  expect(
    confirm.getByText("The draft of this item becomes what apps have: version 3. Apps are not changed."),
  ).toBeVisible();
  expect(await confirm.findByRole("region", { name: "What changes in the draft" })).toHaveTextContent(
    /^price4,2421,290\.5$/,
  );
  await user.click(confirm.getByRole("button", { name }));
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(sent).toEqual([{ expected: 1, draftOnly: true }]);
});

// spec: items-33
test("entries of an item's history show which operation made them", async () => {
  const { dialog } = await openVersions({
    ...lofoten,
    publishedVersions: [...versions, aVersion(0, { kind: "draft", restored: 1 })],
  });
  const rows = dialog.getAllByRole("listitem");

  expect(rows[0]).toHaveTextContent("Grace Hopper · Release 6 · restored release 4");
  expect(rows[1]).toHaveTextContent(
    /^Version 2 \(overwritten draft\) Nov 19, 2026.*Grace HopperBring back to the draft$/,
  );
  expect(rows[2]).toHaveTextContent(/Ada Lovelace · Release 2Rollback$/);
  expect(rows[3]).toHaveTextContent(/^Version 0 \(draft before release 1 was restored\)/);
});
