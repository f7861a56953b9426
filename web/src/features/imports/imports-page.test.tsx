import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http, type RequestHandler } from "msw";
import { expect, test } from "vitest";
import type { Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { aProject, arabic, aStore, languages, PROJECT_ID } from "@/testing/fixtures";
import { VIEWER } from "@/testing/project-settings";
import { answer, refusal, server } from "@/testing/server";
import { ImportsPage } from "./imports-page";
import type { Format, Import, ImportFile, Plan, PlanRow } from "./queries";

const IMPORTS = `/api/projects/${PROJECT_ID}/imports`;
const FILES = `/api/import-files/${PROJECT_ID}/imp_1`;

const formats: Format[] = [
  { id: "i18next", kind: "texts", label: "i18next", extensions: [".json"], hasManyLanguages: false },
  { id: "csv", kind: "texts", label: "CSV", extensions: [".csv"], hasManyLanguages: true },
  { id: "css", kind: "colors", label: "CSS", extensions: [".css"], hasManyLanguages: true },
  { id: "items_csv", kind: "items", label: "Items as CSV", extensions: [".csv"], hasManyLanguages: true },
];

const aFile = (values: Partial<ImportFile> = {}): ImportFile => ({
  number: 1,
  name: "de.json",
  format: "i18next",
  language: "de",
  namespace: null,
  kind: "texts",
  store: null,
  match: null,
  texts: 2,
  ...values,
});

const anImport = (values: Partial<Import> = {}): Import => ({
  _id: "imp_1",
  state: "open",
  screen: null,
  files: [],
  texts: 0,
  createdBy: "usr_1",
  createdAt: "2026-11-19T10:00:00Z",
  appliedAt: null,
  ...values,
});

const aRow = (number: number, key: string, values: Partial<PlanRow> = {}): PlanRow => ({
  number,
  file: 1,
  kind: "texts",
  place: `line ${number + 1}`,
  name: `cart.${key}`,
  screen: "cart",
  key,
  language: "de",
  store: null,
  text: `Text ${key}`,
  before: "",
  state: "new",
  problem: null,
  note: null,
  ...values,
});

const ITEM = { kind: "items", screen: null, key: null, language: null, store: "trips" } as const;
const APPLIED = { message: "", texts: 0, colors: 0, items: 0, newScreens: [] };

function aPlan(rows: PlanRow[], values: Partial<Plan> = {}): Plan {
  const count = (state: PlanRow["state"]) => rows.filter((row) => row.state === state).length;
  return {
    token: "token-1",
    counts: {
      new: count("new"),
      same: count("same"),
      changed: count("changed"),
      conflict: count("conflict"),
      invalid: count("invalid"),
    },
    newScreens: [],
    unknownLanguages: [],
    rows,
    remarks: [],
    ...values,
  };
}

const TITLE = aRow(0, "title");
const NOTE = aRow(1, "note", { state: "conflict", before: "Bezahlt wird im Hotel." });
const LEFT = aRow(2, "left", { state: "changed", before: "Old left" });
const LOST = aRow(3, "lost", { state: "invalid", problem: "text", note: "A text has at most 100,000 characters." });

const planIs = (plan: Plan) => answer("get", `${IMPORTS}/imp_1/plan`, plan);

function openImport(project: Partial<Project> = {}, ...answers: RequestHandler[]) {
  server.use(
    answer("get", "/api/formats", { formats }),
    answer("get", "/api/languages", { languages }),
    answer("get", IMPORTS, { imports: [] }),
    answer("post", IMPORTS, anImport(), { status: 201 }),
    answer("post", FILES, aFile(), { status: 201 }),
    planIs(aPlan([TITLE, NOTE, LEFT, LOST])),
  );
  server.use(...answers);
  return renderInProject(<ImportsPage />, project, { at: "import-texts" });
}

const jsonFile = (name: string) => new File(["{}"], name, { type: "application/json" });
const chooser = () => screen.findByLabelText("Files to import");

/** Chooses a file and waits for the plan. */
async function openPlan(project: Partial<Project> = {}, ...answers: RequestHandler[]) {
  const opened = openImport(project, ...answers);
  await opened.user.upload(await chooser(), jsonFile("de.json"));
  const plan = within(await screen.findByRole("list", { name: "Contents of the files" }));
  return { ...opened, plan };
}

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

test("a text has the direction of its language, also where it begins with the words of a plural", async () => {
  const text = "{count, plural, one {عنصر} other {# عناصر}}";
  const { plan } = await openPlan(
    {},
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    planIs(aPlan([aRow(0, "left", { language: "ar", text })])),
  );

  expect(plan.getByText(text)).toHaveAttribute("dir", "rtl");
});

test("an import writes the ticked texts, shows that nothing is live, and can be undone at once", async () => {
  let body: unknown;
  const { user, plan } = await openPlan({}, answer("get", IMPORTS, { imports: [anImport({ files: [aFile()] })] }));
  await user.click(plan.getByRole("checkbox", { name: "cart.title, German" }));
  await user.click(plan.getByRole("checkbox", { name: "cart.note, German" }));
  server.use(
    answer(
      "post",
      `${IMPORTS}/imp_1/apply`,
      { message: "Imported 2 texts.", texts: 2, colors: 0, items: 0, newScreens: [] },
      { onCall: (given) => (body = given) },
    ),
  );
  await user.click(screen.getByRole("button", { name: "Import 2 texts" }));

  const result = await screen.findByText("Imported 2 texts.");
  expect(body).toEqual({ token: "token-1", take: ["changed", "conflict"], leaveOut: [], also: [] });
  expect(screen.getByText(/Nothing is live yet/)).toBeVisible();
  expect(Object.keys(window.localStorage).filter((key) => key.startsWith("keptText:"))).toEqual([]);
  expect(result.closest('[role="status"]')).toHaveFocus();
  expect(screen.getByRole("link", { name: "See the texts" })).toHaveAttribute("href", `/projects/${PROJECT_ID}/cart`);

  const message = "Took 3 texts back. Apps change with the next publish. 1 text stayed, since somebody changed them.";
  server.use(answer("post", `${IMPORTS}/imp_1/undo`, { message, kept: 1 }));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await user.click(await screen.findByRole("button", { name: "Undo the import" }));
  expect(await screen.findByText(message)).toBeVisible();
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

test("rows are filtered, searched, and ticked in a range or all together", async () => {
  const rows = [0, 1, 2, 3, 4].map((number) => aRow(number, `row_${number}`));
  const { user, plan } = await openPlan({}, planIs(aPlan([...rows, { ...NOTE, number: 5 }])));
  const box = (name: string) => plan.getByRole("checkbox", { name: `cart.${name}, German` });

  await user.click(box("row_1"));
  await user.keyboard("{Shift>}");
  await user.click(box("row_3"));
  await user.keyboard("{/Shift}");
  expect(screen.getByRole("button", { name: "Import 2 texts" })).toBeEnabled();

  await user.click(screen.getByRole("button", { name: "New 5" }));
  await waitFor(() => expect(plan.queryByText("cart.note")).not.toBeInTheDocument());
  await user.click(screen.getByRole("checkbox", { name: "All that is shown, 2 of 5 ticked" }));
  expect(screen.getByRole("button", { name: "Import 5 texts" })).toBeEnabled();

  await user.type(screen.getByRole("searchbox", { name: "Find by name or text" }), "row_4");
  await waitFor(() => expect(plan.getAllByRole("listitem")).toHaveLength(1));
  await user.click(screen.getByRole("checkbox", { name: "All that is shown, 1 of 1 ticked" }));
  expect(screen.getByRole("button", { name: "Import 4 texts" })).toBeEnabled();
});

test("a draft that changed is compared again; ticks stay, but for a text that is a different text now", async () => {
  const other = { ...NOTE, number: 2, key: "other", name: "cart.other" };
  const { user, plan } = await openPlan({}, planIs(aPlan([TITLE, NOTE, other])));
  for (const key of ["title", "note", "other"])
    await user.click(plan.getByRole("checkbox", { name: `cart.${key}, German` }));
  server.use(
    refusal("post", `${IMPORTS}/imp_1/apply`, 409, { message: "The draft changed.", code: "stale_import" }),
    planIs(aPlan([TITLE, NOTE, { ...other, before: "Somebody wrote this." }], { token: "token-2" })),
  );
  await user.click(screen.getByRole("button", { name: "Import 2 texts" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(/^The draft changed since you looked/);
  expect(screen.getByRole("button", { name: "Import 1 text" })).toBeEnabled();
  expect(plan.getByRole("checkbox", { name: "cart.title, German" })).not.toBeChecked();
  expect(plan.getByRole("checkbox", { name: "cart.note, German" })).toBeChecked();
  expect(plan.getByRole("checkbox", { name: "cart.other, German" })).not.toBeChecked();
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

test("an open import is continued, and an applied import is undone from the list", async () => {
  const open = anImport({ files: [aFile()] });
  const applied = anImport({ _id: "imp_0", state: "applied", texts: 3, files: [aFile({ name: "en.json" })] });
  const { user, router } = openImport(
    {},
    answer("get", IMPORTS, { imports: [open, applied] }),
    answer("get", `${IMPORTS}/imp_1`, open),
  );
  const message = "Took 3 texts back. Apps change with the next publish. 2 texts stayed, since somebody changed them.";
  server.use(answer("post", `${IMPORTS}/imp_0/undo`, { message, kept: 2 }));
  await user.click(await screen.findByRole("button", { name: "Undo the import of en.json" }));
  await user.click(await screen.findByRole("button", { name: "Undo the import" }));
  expect(await screen.findByText(message)).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Continue the import of de.json" }));

  expect(await screen.findByRole("button", { name: "Import 2 texts" })).toBeEnabled();
  expect(router.state.location.search).toBe("?import=imp_1");
  // Without the file itself nothing can be corrected.
  expect(screen.queryByRole("button", { name: "Change how de.json is read" })).not.toBeInTheDocument();
});

test("an open import is discarded from the list, with all its files", async () => {
  const open = anImport({ files: [aFile(), aFile({ name: "en.json", number: 2 })] });
  const removed: string[] = [];
  let isOpen = true;
  const { user } = openImport(
    {},
    http.get(`*${IMPORTS}`, () => HttpResponse.json({ imports: isOpen ? [open] : [] })),
    http.delete(`*${IMPORTS}/imp_1/files/:number`, ({ params }) => {
      removed.push(String(params["number"]));
      isOpen = removed.length < 2;
      return HttpResponse.json({ message: "The file was removed." });
    }),
  );

  await user.click(await screen.findByRole("button", { name: "Discard the import of de.json and en.json" }));

  await waitFor(() => expect(screen.queryByRole("list", { name: /last seven days/ })).not.toBeInTheDocument());
  expect(removed).toEqual(["1", "2"]);
});

test("ticks by hand outlive the page", async () => {
  const { user, plan, unmount } = await openPlan();
  await user.click(plan.getByRole("checkbox", { name: "cart.title, German" }));
  await user.click(plan.getByRole("checkbox", { name: "cart.note, German" }));
  unmount();

  server.use(answer("get", `${IMPORTS}/imp_1`, anImport({ files: [aFile()] })));
  renderInProject(<ImportsPage />, {}, { at: "import-texts?import=imp_1" });

  const again = within(await screen.findByRole("list", { name: "Contents of the files" }));
  await waitFor(() => expect(again.getByRole("checkbox", { name: "cart.note, German" })).toBeChecked());
  expect(again.getByRole("checkbox", { name: "cart.title, German" })).not.toBeChecked();
  expect(again.getByRole("checkbox", { name: "cart.left, German" })).toBeChecked();
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

const ARCHIVES = `/api/import-archives/${PROJECT_ID}`;
const anArchive = () => new File(["PK"], "prj_1-2026-11-27.zip", { type: "application/zip" });

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

test("viewers can't import", async () => {
  openImport(VIEWER);

  expect(await screen.findByText(/^Viewers can't change content/)).toBeVisible();
  expect(screen.queryByLabelText("Files to import")).not.toBeInTheDocument();
});

const FIELD = { type: "String", required: false } as const;
const STORE = aStore({
  name: "Trips",
  apiIdentifier: "trips",
  fields: [
    { ...FIELD, _id: "fld_1", name: "title", isTranslatable: true },
    { ...FIELD, _id: "fld_2", name: "slug", isTranslatable: false },
  ],
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
