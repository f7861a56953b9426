import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { renderInProject } from "@/testing/component";
import { arabic, languages, PROJECT_ID } from "@/testing/fixtures";
import {
  aFile,
  anImport,
  aPlan,
  aRow,
  IMPORTS,
  NOTE,
  openImport,
  openPlan,
  planIs,
  TITLE,
} from "@/testing/import-page";
import { VIEWER } from "@/testing/project-settings";
import { answer, refusal, server } from "@/testing/server";
import { ImportsPage } from "./imports-page";

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

test("viewers can't import", async () => {
  openImport(VIEWER);

  expect(await screen.findByText(/^Viewers can't change content/)).toBeVisible();
  expect(screen.queryByLabelText("Files to import")).not.toBeInTheDocument();
});
