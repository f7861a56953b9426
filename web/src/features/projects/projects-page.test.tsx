import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aProjectSummary, languages } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

beforeEach(() => {
  server.use(answer("get", "/api/languages", { languages }));
});

// spec: list-1, list-2, list-3
test("each project has a card with its state, id, date and a link", async () => {
  server.use(
    answer("get", "/api/projects", [
      aProjectSummary(),
      aProjectSummary({ projectId: "prj_2", name: "Borealis", isPublished: false }),
    ]),
  );
  openSignedIn("/projects");

  const [first, second] = await screen.findAllByRole("listitem");
  if (first === undefined || second === undefined) throw new Error("two cards expected");
  expect(within(first).getByRole("heading", { name: "Aurora Travel" })).toBeVisible();
  expect(within(first).getByText("Published")).toBeVisible();
  expect(within(first).getByText("prj_k7m2xq4tz8ha3b5c")).toBeVisible();
  expect(within(first).getByText("Nov 19, 2026")).toBeVisible();
  expect(within(first).getByRole("link", { name: /^View Project/ })).toHaveAttribute(
    "href",
    "/projects/prj_k7m2xq4tz8ha3b5c/general",
  );
  expect(within(second).getByText("Draft")).toBeVisible();
});

// spec: list-1, list-4, list-5, list-6, list-7
test("the head has the balance, what credits are, and the way to the settings", async () => {
  server.use(
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/plans", {
      creditPrice: "1.00",
      durations: [1],
      plans: [{ id: "starter", name: "Starter Tier", monthlyCreditCost: 19 }],
    }),
  );
  const { user } = openSignedIn("/projects");

  const page = within(await screen.findByRole("main"));
  expect(await page.findByText("62 credits")).toBeVisible();
  expect(page.getByRole("heading", { level: 1, name: "Your Projects" })).toBeVisible();
  expect(page.getByRole("link", { name: "Account Settings" })).toHaveAttribute("href", "/settings");
  expect(page.getByRole("link", { name: "Create Project" })).toHaveAttribute("href", "/projects/create");
  await user.click(page.getByRole("button", { name: "What are Credits" }));
  expect(await screen.findByRole("heading", { name: "What are Credits" })).toBeInTheDocument();
  expect(await screen.findByText("19 credits a month")).toBeVisible();
  expect(screen.getByText(/1 credit is 1 USDT, about 1.00 USD/)).toBeVisible();
});
