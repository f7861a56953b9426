/** Which files and archives become an import. */
import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { aProject, aStore, PROJECT_ID } from "@/testing/fixtures";
import {
  aFile,
  aPlan,
  aRow,
  chooser,
  FILES,
  IMPORTS,
  jsonFile,
  openImport,
  openPlan,
  planIs,
  TITLE,
} from "@/testing/import-page";
import { answer, refusal, server } from "@/testing/server";

const ARCHIVES = `/api/import-archives/${PROJECT_ID}`;

const anArchive = () => new File(["PK"], "prj_1-2026-11-27.zip", { type: "application/zip" });

const ITEM = { kind: "items", screen: null, key: null, language: null, store: "trips" } as const;

const APPLIED = { message: "", texts: 0, colors: 0, items: 0, newScreens: [] };

const FIELD = { type: "String", required: false } as const;

const STORE = aStore({
  name: "Trips",
  apiIdentifier: "trips",
  fields: [
    { ...FIELD, _id: "fld_1", name: "title", isTranslatable: true },
    { ...FIELD, _id: "fld_2", name: "slug", isTranslatable: false },
  ],
});

test("files are sent one by one with their names, and the plan ticks what is new and changed", async () => {
  const sent: string[] = [];
  const { user } = openImport(
    {},
    http.post(`*${FILES}`, ({ request }) => {
      const name = new URL(request.url).searchParams.get("name") ?? "";
      sent.push(`${name} ${request.headers.get("Content-Type")}`);
      return HttpResponse.json(aFile({ name, number: sent.length }), { status: 201 });
    }),
  );
  await user.upload(await chooser(), [jsonFile("en.json"), jsonFile("de.json")]);

  const plan = within(await screen.findByRole("list", { name: "Contents of the files" }));
  expect(sent).toEqual(["en.json application/octet-stream", "de.json application/octet-stream"]);
  expect(screen.getByText("2 files, 4 texts")).toBeInTheDocument();
  expect(plan.getByRole("checkbox", { name: "cart.title, German" })).toBeChecked();
  expect(plan.getByRole("checkbox", { name: "cart.left, German" })).toBeChecked();
  expect(plan.getByRole("checkbox", { name: "cart.note, German" })).not.toBeChecked();
  expect(plan.queryByRole("checkbox", { name: "cart.lost, German" })).not.toBeInTheDocument();
  expect(plan.getByText("A text has at most 100,000 characters.")).toBeVisible();
  expect(plan.getByText("line 4 of en.json")).toBeVisible();
});

test("a file that can't be read keeps its row with the server's sentence, and is sent again", async () => {
  const { user } = openImport(
    {},
    refusal("post", FILES, 400, { message: "de.json: The file has no JSON object.", code: "unreadable_file" }),
  );
  await user.upload(await chooser(), jsonFile("de.json"));
  expect(await screen.findByText("The file has no JSON object.")).toBeVisible();

  server.use(answer("post", FILES, aFile(), { status: 201 }));
  await user.click(screen.getByRole("button", { name: "Try again: de.json" }));

  expect(await screen.findByText("i18next · German · 2 texts")).toBeVisible();
  expect(screen.queryByText("The file has no JSON object.")).not.toBeInTheDocument();
});

test("a corrected language removes the file and sends it again", async () => {
  const calls: string[] = [];
  const { user } = openImport({}, answer("post", FILES, aFile({ name: "app.json", language: null }), { status: 201 }));
  await user.upload(await chooser(), jsonFile("app.json"));
  expect(await screen.findByText(/Its language is unknown/)).toBeVisible();
  server.use(
    answer("delete", `${IMPORTS}/imp_1/files/1`, { message: "" }, { onCall: () => calls.push("removed") }),
    answer("post", FILES, aFile({ name: "app.json", number: 2 }), {
      status: 201,
      onCall: (_, request) => calls.push(new URL(request.url).search),
    }),
  );
  await user.click(screen.getByRole("button", { name: "Change how app.json is read" }));
  const form = within(screen.getByRole("form", { name: "How to read app.json" }));
  await user.selectOptions(form.getByRole("combobox", { name: "Language" }), "German");
  await user.click(form.getByRole("button", { name: "Read again" }));

  expect(await screen.findByText("i18next · German · 2 texts")).toBeVisible();
  expect(calls).toEqual(["removed", "?name=app.json&format=i18next&language=de"]);
});

test("a language that the project lacks is added, and the files are compared again", async () => {
  const french = { language: "fr", state: "invalid", problem: "unknown_language", note: "No such language." } as const;
  const { user } = await openPlan(
    {},
    planIs(aPlan([aRow(0, "title", french)], { unknownLanguages: ["fr"], newScreens: ["cart"] })),
  );
  expect(screen.getByText("This project has no French. Without it 1 text can't be imported.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Import 0 texts" })).toBeDisabled();
  server.use(
    answer("post", `/api/projects/${PROJECT_ID}/languages`, aProject({ languages: ["en", "de", "fr"] }), {
      status: 201,
    }),
    planIs(aPlan([aRow(0, "title", { language: "fr" })], { newScreens: ["cart"] })),
  );
  await user.click(screen.getByRole("button", { name: "Add French" }));

  expect(await screen.findByRole("button", { name: "Import 1 text" })).toBeEnabled();
  expect(screen.getByText("Makes the screen cart.")).toBeVisible();
  expect(screen.queryByText(/This project has no French/)).not.toBeInTheDocument();
});

test("leaving asks while a file is being sent", async () => {
  const { user, router } = openImport(
    {},
    http.post(`*${FILES}`, () => new Promise(() => {})),
  );
  await user.upload(await chooser(), jsonFile("de.json"));

  void router.navigate(`/projects/${PROJECT_ID}/home`);
  const dialog = within(await screen.findByRole("dialog", { name: "Leave the import?" }));
  await user.click(dialog.getByRole("button", { name: "Stay" }));

  expect(router.state.location.pathname).toBe(`/projects/${PROJECT_ID}/import-texts`);
});

test("the archive of a project is imported, and what it leaves out is listed", async () => {
  const { user } = openImport(
    {},
    answer(
      "post",
      ARCHIVES,
      {
        message: "Imported 3 texts, 1 colour, 1 Data Store and 0 images.",
        texts: 3,
        colors: 1,
        stores: 1,
        images: 0,
        releases: 12,
        leftOut: ["2 images: This project does not have an active plan."],
      },
      { status: 201 },
    ),
  );

  await user.upload(await screen.findByLabelText("Archive of a project"), anArchive());

  expect(await screen.findByText(/^Imported 3 texts, 1 colour.* Apps have release 12 now\./)).toBeVisible();
  expect(screen.getByText("2 images: This project does not have an active plan.")).toBeVisible();
});

test("an archive that can't be imported keeps the page as it is, with the reason", async () => {
  const reason = "This project has content already. Import the archive into a new project.";
  const { user } = openImport({}, refusal("post", ARCHIVES, 409, { message: reason, code: "project_not_empty" }));

  await user.upload(await screen.findByLabelText("Archive of a project"), anArchive());

  expect(await screen.findByText(reason)).toBeVisible();
  expect(screen.getByRole("button", { name: "Choose an archive" })).toBeEnabled();
});

test("items of a Data Store are found by a field, and rows show the values that differ", async () => {
  const asked: string[] = [];
  const { user } = openImport(
    {},
    answer("get", `/api/stores/${PROJECT_ID}`, [STORE]),
    http.post(`*${FILES}`, ({ request }) => {
      asked.push(new URL(request.url).search);
      const file = aFile({ kind: "items", format: "items_csv", language: null, store: STORE._id, match: "slug" });
      return HttpResponse.json({ ...file, name: "trips.csv" }, { status: 201 });
    }),
    planIs(
      aPlan([
        aRow(0, "", { ...ITEM, name: "Lofoten", state: "changed", before: "price: 1", text: "price: 2" }),
        aRow(1, "", { ...ITEM, name: "", place: "row 3", text: "price: 3" }),
      ]),
    ),
  );
  await user.selectOptions(await screen.findByRole("combobox", { name: "The files have" }), "Items of Trips");
  expect(screen.getByText(/^The columns are _id, title\[en\], title\[de\] and slug\./)).toBeVisible();
  await user.selectOptions(screen.getByRole("combobox", { name: "An item is found by" }), "the field slug");
  await user.upload(await chooser(), new File(["slug"], "trips.csv"));

  const plan = within(await screen.findByRole("list", { name: "Contents of the files" }));
  expect(asked).toEqual(["?name=trips.csv&store=trips&match=slug"]);
  expect(screen.getByText("Items as CSV · Data Store Trips · found by slug · 2 items")).toBeVisible();
  expect(plan.getByRole("checkbox", { name: "Lofoten" })).toBeChecked();
  expect(plan.getByRole("checkbox", { name: "row 3" })).toBeChecked();
  server.use(answer("post", `${IMPORTS}/imp_1/apply`, { ...APPLIED, message: "Imported 2 items.", items: 2 }));
  await user.click(screen.getByRole("button", { name: "Import 2 items" }));
  expect(await screen.findByText("Imported 2 items.")).toBeVisible();
  expect(screen.getByRole("link", { name: "See the items" })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/stores/trips`,
  );
});

test("colours of a theme show their values, and texts are counted beside them", async () => {
  const color = { kind: "colors", screen: null, key: "primary", language: null, name: "--color-primary" } as const;
  const { plan } = await openPlan(
    {},
    planIs(aPlan([TITLE, aRow(1, "", { ...color, state: "changed", before: "#111111", text: "#0b5d5e" })])),
  );

  expect(plan.getByRole("checkbox", { name: "primary" })).toBeChecked();
  expect(plan.getByText("#111111").closest("del")).not.toBeNull();
  expect(plan.getByText("#0b5d5e").closest("ins")).not.toBeNull();
  expect(screen.getByRole("button", { name: "Import 1 text and 1 colour" })).toBeEnabled();
});
