/** A server that has billing turned off: plans and credits mean nothing there, and nothing speaks of them. */
import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aProject, aProjectSummary, aScreen, aUser } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

const user = aUser({ billing: "off" });

beforeEach(() => {
  server.use(
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/activity", []),
    answer("get", "/api/user/apikey", { apikey: "lvk_x" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
    answer("get", "/api/languages", { languages: [] }),
    answer("get", "/api/translations/:projectId/:tab", aScreen([])),
    answer(
      "get",
      "/api/projects/:projectId",
      aProject({
        activeTier: "pro",
        tierName: "Pro Tier",
        plan: "paid",
        expiresAt: null,
        limits: {
          screens: -1,
          stores: -1,
          seats: -1,
          languages: -1,
          apiCalls: -1,
          bandwidthBytes: -1,
          storageBytes: -1,
        },
      }),
    ),
  );
});

// spec: buy-12
test.each([
  ["/dashboard", "Welcome, Demo Person"],
  ["/projects", "Aurora Travel"],
  ["/settings", "Developer API Key"],
  ["/projects/prj_k7m2xq4tz8ha3b5c/general", "Schedule Publish"],
])("%s does not speak of credits", async (path, shown) => {
  openSignedIn(path, user);

  expect((await screen.findAllByText(shown))[0]).toBeVisible();
  expect(document.body).not.toHaveTextContent(/credit|free month/i);
});

test("screens have no limit there", async () => {
  openSignedIn("/projects/prj_k7m2xq4tz8ha3b5c/general", user);

  expect(await screen.findByText(/^\d+ · Pro Tier$/)).toBeVisible();
});
