import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { anEntry } from "@/testing/audit";
import { openSignedIn } from "@/testing/open";
import { answer, offline, server } from "@/testing/server";

const OWN = "/api/user/audit";

test("a person reads the activity of the own account, with network addresses", async () => {
  const failed = { kind: "person", _id: null, name: null, email: null } as const;
  server.use(
    answer("get", OWN, [
      anEntry(2, { action: "Logged in", code: "accounts.logged_in", before: null, after: { userAgent: "Firefox" } }),
      anEntry(1, {
        action: "Somebody failed to log in",
        actor: failed,
        address: "198.51.100.9",
        before: null,
        after: null,
      }),
    ]),
  );
  const { user } = openSignedIn("/settings/activity");

  const rows = within(
    await screen.findByRole("list", { name: "Account activity, newest first" }, { timeout: 15_000 }),
  ).getAllByRole("listitem");
  expect(rows[1]).toHaveTextContent("Unknown person198.51.100.9Somebody failed to log in");
  await user.click(screen.getByRole("button", { name: "Logged in" }));
  expect(screen.getByText("User agent")).toBeVisible();
  expect(screen.getByText("Firefox")).toBeVisible();
});

test("a failed load is reported and can be tried again", async () => {
  server.use(offline("get", OWN));
  const { user } = openSignedIn("/settings/activity");
  expect(await screen.findByText("Failed to fetch your account's activity.", {}, { timeout: 15_000 })).toBeVisible();

  server.use(answer("get", OWN, []));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No activity is recorded yet.")).toBeVisible();
});
