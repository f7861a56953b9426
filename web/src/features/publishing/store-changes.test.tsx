import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { StoreDiff } from "@/lib/diff";
import { renderInProject } from "@/testing/component";
import { aDiff, languages, PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";
import { PublishButton } from "./publish-button";

const at = "2026-11-19T10:00:00Z";

type Field = NonNullable<StoreDiff["fields"][number]["new"]>;

const aField = (name: string, values: Partial<Field> = {}): Field => ({
  _id: `fld_${name}`,
  name,
  type: "String",
  required: false,
  isTranslatable: false,
  ...values,
});

const changed: StoreDiff = {
  store: "destinations",
  name: "Destinations",
  change: "changed",
  total: 203,
  oldName: "Places",
  newName: "Destinations",
  fields: [
    { name: "days", change: "added", old: null, new: aField("days", { type: "Number", required: true }) },
    {
      name: "heading",
      change: "changed",
      old: aField("title", { required: true }),
      new: { ...aField("title"), name: "heading" },
    },
    {
      name: "price",
      change: "changed",
      old: aField("price"),
      new: aField("price", { type: "Number", required: true }),
    },
    { name: "story", change: "changed", old: aField("story"), new: aField("story", { isTranslatable: true }) },
    { name: "season", change: "removed", old: aField("season"), new: null },
  ],
  fieldsMoved: true,
  by: "Ada Lovelace",
  at,
  items: [
    {
      _id: "itm_1",
      label: "Lofoten",
      change: "changed",
      by: "Grace Hopper",
      at,
      values: [
        { field: "title", type: "String", language: "de", old: "Alt", new: "Neu\u202e" },
        { field: "title", type: "String", language: "en", old: "Old", new: "New name" },
        { field: "open", type: "Boolean", language: null, old: true, new: false },
        { field: "price", type: "Number", language: null, old: null, new: 1290.5 },
        { field: "from", type: "Date", language: null, old: "2026-05-14", new: null },
        { field: "story", type: "RichText", language: "en", old: "<p>Go</p>", new: "<h2>Go &amp; <em>stay</em></h2>" },
        { field: "story", type: "RichText", language: "de", old: "<p>Los</p>", new: "<h2>Los</h2>" },
        {
          field: "photo",
          type: "Media",
          language: null,
          old: "https://example.com/a.png",
          new: `/media/${PROJECT_ID}/b`,
        },
      ],
    },
  ],
};

const removed: StoreDiff = {
  ...changed,
  store: "tips",
  name: "Tips",
  change: "removed",
  total: 1,
  oldName: "Tips",
  newName: "",
  fields: [{ name: "tip", change: "removed", old: aField("tip"), new: null }],
  fieldsMoved: false,
  items: [],
};

const added: StoreDiff = {
  ...removed,
  store: "offers",
  name: "Offers",
  change: "added",
  oldName: "",
  newName: "Offers",
  fields: [{ name: "code", change: "added", old: null, new: aField("code", { required: true, isTranslatable: true }) }],
};

// spec: publish-7, stores-20
test("the review before a publish shows what changes in data stores, value by value", async () => {
  server.use(
    answer("get", "/api/languages", { languages }),
    answer("get", `/api/projects/${PROJECT_ID}/diff`, aDiff({ total: 204, stores: [changed, removed, added] })),
  );
  const { user } = renderInProject((project) => <PublishButton project={project} onNoPlan={() => {}} />);
  await user.click(await screen.findByRole("button", { name: /^Publish Changes/ }));

  const store = within(await screen.findByRole("region", { name: "Data Store Destinations" }));
  expect(store.getByText("202 changes")).toBeVisible();
  // It takes a field from apps.
  const removals = within(screen.getByRole("region", { name: "Removals" }));
  const itself = removals.getByText("Fields of Destinations").closest("li");
  expect(itself).toHaveTextContent(/^Fields of DestinationsChangedAda Lovelace, .*NamePlacesDestinationsdays/);
  expect(itself).toHaveTextContent(/daysadded: Number, requiredheadingrenamed from titleno longer requiredprice/);
  expect(itself).toHaveTextContent(/priceStringNumbernow requiredstorynot translatabletranslatableseason/);
  expect(itself).toHaveTextContent(/seasonremoved: StringIts values go with it\.Its fields have a different order\.$/);
  expect([...(itself?.querySelectorAll("del") ?? [])].map(({ textContent }) => textContent)).toEqual([
    "Places",
    "String",
    "not translatable",
    "removed: String",
  ]);
  const item = store.getByText("Lofoten").closest("li");
  expect(item).toHaveTextContent(/Grace Hopper.*title enOldNew name.*title deAltNeuRLO.*openYesNo.*price1,290\.5from/);
  expect(store.getByTitle("Right-to-left override (U+202E)")).toHaveTextContent("RLO");
  expect(item).toHaveTextContent(/fromMay 14, 2026story enGoGo & staystory deLosOnly its formatting is changed\./);
  expect(item).toHaveTextContent(`photohttps://example.com/a.png/media/${PROJECT_ID}/b`);
  expect([...(item?.querySelectorAll("img") ?? [])].map((image) => image.getAttribute("src"))).toEqual([
    `/media/${PROJECT_ID}/b?w=64`,
  ]);
  expect(store.getByRole("button", { name: "Show 201 more" })).toBeEnabled();
  const gone = removals.getByText("Data Store Tips").closest("li");
  expect(gone).toHaveTextContent(/RemovedAda Lovelace, .*All of its items go with it\.$/);
  expect(removals.queryByText("tip")).not.toBeInTheDocument();
  const fresh = screen.getByRole("region", { name: "Data Store Offers" });
  expect(fresh).toHaveTextContent(/FieldsNewAda Lovelace, .*codeString, required, translatable$/);
});

// spec: publish-12
test("items without a newly required value are named, also unchanged items", async () => {
  const required = { kind: "required" as const, field: "price", language: null };
  const values = [{ ...required, message: "price is required, and empty." }];
  server.use(
    answer("get", "/api/languages", { languages }),
    answer(
      "get",
      `/api/projects/${PROJECT_ID}/diff`,
      aDiff({
        total: 2,
        stores: [{ ...changed, total: 2 }],
        warnings: [
          {
            screen: null,
            store: "destinations",
            name: "Destinations",
            counts: [{ ...required, count: 2 }],
            entries: [
              { _id: "itm_1", label: "Lofoten", values },
              { _id: "itm_9", label: "Bergen", values },
            ],
          },
        ],
      }),
    ),
  );
  const { user } = renderInProject((project) => <PublishButton project={project} onNoPlan={() => {}} />);
  await user.click(await screen.findByRole("button", { name: /^Publish Changes/ }));

  const summary = await screen.findByRole("region", { name: "Warnings" });
  expect(summary).toHaveTextContent("Destinations: 2 items without price, which is required (Lofoten and Bergen).");
  const store = within(screen.getByRole("region", { name: "Data Store Destinations" }));
  expect(store.getByText("Lofoten").closest("li")).toHaveTextContent("price is required, and empty.");
  expect(store.getByText("Bergen").closest("li")).toHaveTextContent("Bergenprice is required, and empty.");
});
