import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { screen, waitFor } from "@testing-library/react";
import type { RouteObject } from "react-router";
import { beforeEach, expect, test } from "vitest";
import { aProjectSummary } from "@/testing/fixtures";
import { open, openSignedIn } from "@/testing/open";
import { answer, offline, server } from "@/testing/server";
import { routes } from "./routes";

let told: { body: unknown; authorization: string | null }[];

beforeEach(() => {
  told = [];
  server.use(
    answer("post", "/api/analytics/page-view", null, {
      status: 204,
      onCall: (body, request) => told.push({ body, authorization: request.headers.get("Authorization") }),
    }),
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/activity", []),
    answer("get", "/api/languages", { languages: [] }),
    answer("get", "/api/user/apikey", { apikey: "lvk_x" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
  );
});

const paths = () => told.map(({ body }) => (body as { path: string }).path);

// spec: views-1
test("each change of the route is counted once, by the template of the route", async () => {
  const { user } = openSignedIn("/");
  await screen.findByRole("heading", { level: 1, name: "Dashboard" });
  await waitFor(() => expect(paths()).toEqual(["/dashboard"]));

  await user.click(screen.getByRole("link", { name: "Projects" }));
  await screen.findByRole("heading", { level: 1, name: "Your Projects" });
  await user.click(await screen.findByRole("link", { name: "Create Project" }));
  await screen.findByRole("heading", { level: 1, name: "Create Project" });

  await waitFor(() => expect(paths()).toEqual(["/dashboard", "/projects", "/projects/create"]));
});

// spec: views-2
test("a page view carries no token from the address and no session", async () => {
  open("/reset-password/a-secret-token");
  await screen.findByRole("heading", { name: "Set a new password" });

  await waitFor(() => expect(paths()).toEqual(["/reset-password/:token"]));
  expect(JSON.stringify(told)).not.toContain("a-secret-token");

  openSignedIn("/settings");
  await waitFor(() => expect(paths()).toContain("/settings"));
  expect(told.map(({ authorization }) => authorization)).toEqual([null, null]);
});

test("a change of the query alone is no page view", async () => {
  const { user } = openSignedIn("/dashboard?upgraded=true");

  await user.click(await screen.findByRole("button", { name: "Close" }));
  await waitFor(() =>
    expect(
      screen.queryByText("Thank you. Credits appear as soon as the payment is confirmed."),
    ).not.toBeInTheDocument(),
  );

  expect(paths()).toEqual(["/dashboard"]);
});

test("a page view that can't be sent disturbs nobody", async () => {
  server.use(offline("post", "/api/analytics/page-view"));
  open("/login");

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

test("the server counts exactly the routes of the dashboard", () => {
  const source = readFileSync(resolve(import.meta.dirname, "../../../livery/analytics/schemas.py"), "utf8");
  const block = /ROUTES = frozenset\(\s*\{([^}]*)\}/.exec(source)?.[1] ?? "";
  const counted = [...block.matchAll(/"([^"]+)"/g)].map(([, route]) => route);

  expect(counted.sort()).toEqual(pagesOf(routes, "").sort());
});

/** The templates of routes that show a page: those without children that do not only lead elsewhere. */
function pagesOf(tree: RouteObject[], base: string): string[] {
  return tree.flatMap((route) => {
    const path = route.path === undefined ? base : route.path.startsWith("/") ? route.path : `${base}/${route.path}`;
    if (route.children !== undefined) return pagesOf(route.children, path);
    if (route.loader !== undefined) return [];
    return [path === "/*" ? "*" : path];
  });
}
