/** A refused token ends the session wherever it was used. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openSignedIn } from "@/testing/open";
import { answer, refusal, server } from "@/testing/server";

// spec: session-6
test.each([
  ["/dashboard", "/api/activity"],
  ["/dashboard", "/api/projects"],
  ["/settings", "/api/user/apikey"],
  ["/settings", "/api/user/sessions"],
])("on %s a 401 from %s ends the session", async (path, call) => {
  server.use(
    answer("get", "/api/projects", []),
    answer("get", "/api/activity", []),
    answer("get", "/api/user/apikey", { apikey: "lvk_1" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
  );
  server.use(refusal("get", call, 401, { message: "No session." }));
  const { router } = openSignedIn(path);

  expect(await screen.findByRole("heading", { name: "Log in to Livery" })).toBeVisible();
  expect(await screen.findByText("Session expired. Please log in again.")).toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/login");
});
