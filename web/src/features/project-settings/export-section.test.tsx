import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http, type RequestHandler } from "msw";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Project } from "@/lib/api-types";
import { aUser, PROJECT_ID } from "@/testing/fixtures";
import { answer, refusal } from "@/testing/server";
import { renderSettings } from "@/testing/settings-part";
import { ExportSection } from "./export-section";

beforeEach(() => {
  Object.assign(URL, { createObjectURL: () => "blob:file", revokeObjectURL: () => undefined });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
});

afterEach(() => {
  Reflect.deleteProperty(URL, "createObjectURL");
});

const EXPORTS = `/api/projects/${PROJECT_ID}/exports`;
const formats = [
  { id: "json", kind: "texts", label: "JSON, nested", extensions: [".json"], hasManyLanguages: false },
  { id: "android", kind: "texts", label: "Android strings", extensions: [".xml"], hasManyLanguages: false },
];
const stores = [{ _id: "sto_1", apiIdentifier: "trips", name: "Trips" }];

/** The section, and the addresses of the files that were asked for. */
function openExport(project: Partial<Project> = {}, ...answers: RequestHandler[]) {
  const asked: string[] = [];
  function watch({ request }: { request: Request }) {
    asked.push(request.url.slice(request.url.indexOf(EXPORTS) + EXPORTS.length));
  }
  const opened = renderSettings(
    (shown) => <ExportSection project={shown} />,
    project,
    aUser(),
    ...answers,
    http.get(`*${EXPORTS}/texts`, (call) => {
      watch(call);
      return file();
    }),
    http.get(`*${EXPORTS}/archive`, (call) => {
      watch(call);
      return file();
    }),
    http.get(`*${EXPORTS}/stores/trips`, (call) => {
      watch(call);
      return file();
    }),
    answer("get", "/api/formats", { formats }),
    answer("get", `/api/stores/${PROJECT_ID}`, stores),
  );
  return { ...opened, asked, part: opened.section("Export") };
}

function file() {
  return new HttpResponse("{}", { headers: { "Content-Disposition": 'attachment; filename="de.json"' } });
}

test("texts are downloaded in the chosen format, language and state", async () => {
  const { part, asked, user } = openExport({ isPublished: true, languages: ["en", "de"] });

  await user.click(part.getByRole("combobox", { name: "Format of the texts" }));
  await user.click(await screen.findByRole("option", { name: "Android strings" }));
  await user.click(part.getByRole("combobox", { name: "Language of the texts" }));
  await user.click(await screen.findByRole("option", { name: "German" }));
  await user.click(part.getByRole("combobox", { name: "What to export" }));
  await user.click(await screen.findByRole("option", { name: "What apps have" }));
  await user.click(part.getByRole("button", { name: "Download texts" }));

  await waitFor(() => expect(asked).toEqual(["/texts?format=android&from=release&language=de"]));
});

test("before the first publish only the draft can be exported", async () => {
  const { part } = openExport({ isPublished: false });

  expect(part.getByRole("combobox", { name: "What to export" })).toBeDisabled();
});

test("items of a store are downloaded as a table", async () => {
  const { part, asked, user } = openExport();

  await user.click(await part.findByRole("button", { name: "Download items" }));

  await waitFor(() => expect(asked).toEqual(["/stores/trips?format=csv"]));
});

test("a refusal is shown with its reason", async () => {
  const { part, user } = openExport(
    {},
    refusal("get", `${EXPORTS}/texts`, 409, { message: "Nothing is published yet. Export the draft." }),
  );

  await user.click(part.getByRole("button", { name: "Download texts" }));

  expect(await screen.findByText("Nothing is published yet. Export the draft.")).toBeInTheDocument();
});

test("the whole project is downloaded with or without its history", async () => {
  const { part, asked, user } = openExport();

  await user.click(part.getByRole("button", { name: "Download the whole project" }));
  await user.click(part.getByRole("combobox", { name: "History in the archive" }));
  await user.click(await screen.findByRole("option", { name: "With history" }));
  await user.click(part.getByRole("button", { name: "Download the whole project" }));

  await waitFor(() => expect(asked).toEqual(["/archive?history=false", "/archive?history=true"]));
});
