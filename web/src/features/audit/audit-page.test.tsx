import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, test, vi } from "vitest";
import { AUDIT, anEntry, people } from "@/testing/audit";
import { hurry } from "@/testing/clock";
import { PROJECT_ID } from "@/testing/fixtures";
import { openInProject } from "@/testing/in-project";
import { answer, offline, refusal, server } from "@/testing/server";
import { enter } from "@/testing/typing";
import { AuditPage } from "./audit-page";
import type { Entry } from "./queries";

/** Answers each read of the log with what `entries` gives for its address, and notes the addresses. */
function logOf(entries: (query: URLSearchParams) => Entry[]): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    answer("get", `${AUDIT}/people`, people),
    http.get(`*${AUDIT}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      return HttpResponse.json(entries(query));
    }),
  );
  return asked;
}

const list = () => screen.findByRole("list", { name: "Audit log, newest first" });

afterEach(() => {
  Reflect.deleteProperty(URL, "createObjectURL");
  Reflect.deleteProperty(URL, "revokeObjectURL");
});

test("an entry shows when, who, from where and what, and opens to what it changed", async () => {
  logOf(() => [anEntry(1)]);
  const { user } = openInProject(<AuditPage />);

  const entry = within(await list()).getByRole("listitem");
  expect(within(entry).getByText("Ada Lovelace")).toBeVisible();
  expect(within(entry).getByText("203.0.113.7")).toBeVisible();
  expect(within(entry).getByText(/Nov 20, 2026/)).toHaveAttribute("datetime", "2026-11-20T10:00:00Z");
  expect(within(entry).queryByText("Tromsø")).not.toBeInTheDocument();

  const act = within(entry).getByRole("button", { name: "Changed text home.key_1", expanded: false });
  await user.click(act);

  expect(act).toHaveAttribute("aria-expanded", "true");
  expect(within(entry).getByText("en")).toBeVisible();
  expect(within(entry).getByText("Bergen").tagName).toBe("MARK");
  expect(within(entry).getByText("Tromsø").tagName).toBe("MARK");
  await user.click(act);
  expect(within(entry).queryByText("Tromsø")).not.toBeInTheDocument();
});

test("jobs, the operator, the server and an unknown person are named as what they are", async () => {
  const nobody = { _id: null, name: null, email: null };
  logOf(() => [
    anEntry(5, { actor: { ...anEntry(5).actor, kind: "job" }, address: null }),
    anEntry(4, { actor: { ...nobody, kind: "job" }, address: null }),
    anEntry(3, { actor: { ...nobody, kind: "operator" }, address: null }),
    anEntry(2, { actor: { ...nobody, kind: "person" }, before: null, after: null }),
  ]);
  openInProject(<AuditPage />);

  const rows = within(await list()).getAllByRole("listitem");
  const names = ["Ada Lovelace by a job", "Livery", "Operator", "Unknown person"];
  for (const [at, name] of names.entries()) expect(rows[at]).toHaveTextContent(name);
  expect(within(rows[3] as HTMLElement).queryByRole("button")).not.toBeInTheDocument();
});

test("values read as words: names of settings, moments, lists, and what the log cut", async () => {
  logOf(() => [
    anEntry(1, {
      code: "projects.updated",
      action: "Changed the settings",
      before: { defaultLanguage: "en", fields: ["title: String", "price: Number"], isOpen: true },
      after: { defaultLanguage: "de", until: "2026-12-01T09:00:00Z", texts: 7 },
      isCut: true,
    }),
  ]);
  const { user } = openInProject(<AuditPage />);
  await user.click(await screen.findByRole("button", { name: "Changed the settings" }));

  expect(screen.getByText("Default language")).toBeVisible();
  expect(screen.getByText(/Dec 1, 2026/)).toBeVisible();
  expect(screen.getByText(/title: String\s+price: Number/)).toBeVisible();
  expect(screen.getByText("yes")).toBeVisible();
  expect(screen.getByText(/keeps a part of long values/)).toBeVisible();
});

test("the filters are in the address, reach the server, and are cleared at once", async () => {
  hurry();
  const asked = logOf((query) => (query.get("action") === "colors" ? [] : [anEntry(1)]));
  const { user, router } = openInProject(<AuditPage />);
  await list();

  await user.selectOptions(screen.getByLabelText("Person"), await screen.findByText("Ada Lovelace (ada@example.com)"));
  await enter(user, screen.getByLabelText("First day"), "2026-11-18");
  await enter(user, screen.getByLabelText("Last day"), "2026-11-20");
  await user.type(screen.getByLabelText("Key, name or other target"), "title");
  await user.selectOptions(screen.getByLabelText("Kind of act"), "Colours");

  await waitFor(() => expect(asked.at(-1)?.get("text")).toBe("title"));
  expect(await screen.findByText("No entry passes these filters")).toBeVisible();
  const last = asked.at(-1);
  expect(last?.get("action")).toBe("colors");
  expect(last?.get("actor")).toBe("usr_1");
  expect(last?.get("from")).toBe(new Date(2026, 10, 18).toISOString());
  expect(last?.get("to")).toBe(new Date(2026, 10, 21).toISOString());
  expect(new URLSearchParams(router.state.location.search).get("to")).toBe("2026-11-20");

  await user.click(screen.getAllByRole("button", { name: "Clear filters" })[0] as HTMLElement);
  expect(await list()).toBeVisible();
  expect(router.state.location.search).toBe("");
  expect(screen.getByLabelText("Key, name or other target")).toHaveValue("");
});

test("a target that is being typed is cleared with the filters", async () => {
  logOf(() => [anEntry(1)]);
  const { user } = openInProject(<AuditPage />);
  await list();
  await user.selectOptions(screen.getByLabelText("Kind of act"), "Colours");

  await user.type(screen.getByLabelText("Key, name or other target"), "ti");
  await user.click(screen.getByRole("button", { name: "Clear filters" }));

  expect(screen.getByLabelText("Key, name or other target")).toHaveValue("");
});

test("a last day before the first is named at its field, and an address with nonsense filters nothing", async () => {
  const asked = logOf(() => [anEntry(1)]);
  const { user, router } = openInProject(<AuditPage />);
  await list();
  await router.navigate("?action=No!&from=soon&to=2026-13-77x&actor=job");
  await waitFor(() => expect(asked.at(-1)?.get("actor")).toBe("job"));
  expect([...(asked.at(-1)?.keys() ?? [])].sort()).toEqual(["actor", "limit"]);

  await enter(user, screen.getByLabelText("First day"), "2026-11-20");
  await enter(user, screen.getByLabelText("Last day"), "2026-11-18");
  expect(await screen.findByText("It is before the first day.")).toBeVisible();
});

test("older entries load page by page, and a page that fails can be loaded again", async () => {
  const whole = Array.from({ length: 55 }, (_, at) => anEntry(55 - at));
  const asked = logOf((query) => (query.get("cursor") === null ? whole.slice(0, 50) : whole.slice(50)));
  const { user } = openInProject(<AuditPage />);
  expect(within(await list()).getAllByRole("listitem")).toHaveLength(50);

  server.use(refusal("get", AUDIT, 503, { message: "The database is not available right now." }));
  await user.click(screen.getByRole("button", { name: "Show older entries" }));
  const again = await screen.findByRole("button", { name: "Failed to fetch the audit log. Try again" });
  server.resetHandlers();
  logOf((query) => (query.get("cursor") === "6" ? whole.slice(50) : whole.slice(0, 50)));
  await user.click(again);

  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(55));
  expect(screen.queryByRole("button", { name: /older entries/ })).not.toBeInTheDocument();
  expect(asked[0]?.get("limit")).toBe("50");
});

test("a failed load is reported and can be tried again; an empty log shows that it has no entries", async () => {
  server.use(answer("get", `${AUDIT}/people`, people), offline("get", AUDIT));
  const { user } = openInProject(<AuditPage />);
  expect(await screen.findByText("Failed to fetch the audit log.")).toBeVisible();

  logOf(() => []);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No entries yet")).toBeVisible();
});

test.each([
  ["CSV", "csv"],
  ["JSON", "json"],
])("'Export %s' saves the filtered log under the server's name", async (label, format) => {
  logOf(() => [anEntry(1)]);
  const asked: string[] = [];
  const saved: string[] = [];
  server.use(
    http.get(`*${AUDIT}/export`, ({ request }) => {
      asked.push(new URL(request.url).search);
      return new HttpResponse("id,time", {
        headers: { "Content-Disposition": `attachment; filename="audit-aurora.${format}"` },
      });
    }),
  );
  Object.assign(URL, { createObjectURL: () => "blob:log", revokeObjectURL: () => undefined });
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.download} ${this.href}`);
  });
  const { user, router } = openInProject(<AuditPage />);
  await list();
  await router.navigate("?action=screens");

  await user.click(screen.getByRole("button", { name: `Export ${label}` }));

  await waitFor(() => expect(saved).toEqual([`audit-aurora.${format} blob:log`]));
  expect(asked).toEqual([`?action=screens&format=${format}`]);
  click.mockRestore();
});

test("an export that fails shows why", async () => {
  logOf(() => [anEntry(1)]);
  server.use(refusal("get", `${AUDIT}/export`, 403, { message: "Only admins and the owner can see the audit log." }));
  const { user } = openInProject(<AuditPage />);
  await list();

  await user.click(screen.getByRole("button", { name: "Export CSV" }));

  expect(await screen.findByText("Only admins and the owner can see the audit log.")).toBeInTheDocument();
});

test("an editor reads why there is no log, and no log is requested", async () => {
  openInProject(<AuditPage />, { role: "editor", permissions: ["read", "edit", "publish"] });

  expect(await screen.findByText("Only admins and the owner can see the audit log.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Back to Settings" })).toHaveAttribute(
    "href",
    `/projects/${PROJECT_ID}/settings`,
  );
  expect(screen.queryByRole("button", { name: "Export CSV" })).not.toBeInTheDocument();
});
