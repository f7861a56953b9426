/** The page of the imports of a project. */
import { screen, within } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { ImportsPage } from "@/features/imports/imports-page";
import type { Format, Import, ImportFile, Plan, PlanRow } from "@/features/imports/queries";
import type { Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { languages, PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";

export const IMPORTS = `/api/projects/${PROJECT_ID}/imports`;

export const FILES = `/api/import-files/${PROJECT_ID}/imp_1`;

const formats: Format[] = [
  { id: "i18next", kind: "texts", label: "i18next", extensions: [".json"], hasManyLanguages: false },
  { id: "csv", kind: "texts", label: "CSV", extensions: [".csv"], hasManyLanguages: true },
  { id: "css", kind: "colors", label: "CSS", extensions: [".css"], hasManyLanguages: true },
  { id: "items_csv", kind: "items", label: "Items as CSV", extensions: [".csv"], hasManyLanguages: true },
];

export const aFile = (values: Partial<ImportFile> = {}): ImportFile => ({
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

export const anImport = (values: Partial<Import> = {}): Import => ({
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

export const aRow = (number: number, key: string, values: Partial<PlanRow> = {}): PlanRow => ({
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

export function aPlan(rows: PlanRow[], values: Partial<Plan> = {}): Plan {
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

export const TITLE = aRow(0, "title");

export const NOTE = aRow(1, "note", { state: "conflict", before: "Bezahlt wird im Hotel." });

const LEFT = aRow(2, "left", { state: "changed", before: "Old left" });

const LOST = aRow(3, "lost", {
  state: "invalid",
  problem: "text",
  note: "A text has at most 100,000 characters.",
});

export const planIs = (plan: Plan) => answer("get", `${IMPORTS}/imp_1/plan`, plan);

export function openImport(project: Partial<Project> = {}, ...answers: RequestHandler[]) {
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

export const jsonFile = (name: string) => new File(["{}"], name, { type: "application/json" });

export const chooser = () => screen.findByLabelText("Files to import");

/** Chooses a file and waits for the plan. */
export async function openPlan(project: Partial<Project> = {}, ...answers: RequestHandler[]) {
  const opened = openImport(project, ...answers);
  await opened.user.upload(await chooser(), jsonFile("de.json"));
  const plan = within(await screen.findByRole("list", { name: "Contents of the files" }));
  return { ...opened, plan };
}
