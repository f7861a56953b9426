import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { PROJECT_ID } from "@/testing/fixtures";
import { aUsage } from "@/testing/project-settings";
import { openProject } from "@/testing/search-page";
import { answer, server } from "@/testing/server";

// spec: search-1
test("a key opens the search on every page of a project", async () => {
  server.use(
    answer("get", `/api/colors/${PROJECT_ID}`, { colors: [] }),
    answer("get", `/api/projects/${PROJECT_ID}/usage`, aUsage()),
    answer("get", `/api/projects/${PROJECT_ID}/members`, []),
    answer("get", `/api/projects/${PROJECT_ID}/publishable-keys`, { keys: [] }),
    answer("get", `/api/projects/${PROJECT_ID}/tokens`, { tokens: [] }),
  );
  const { user, router } = openProject();
  await screen.findByRole("button", { name: "Search all screens" });
  for (const [keys, path] of [
    ["/", "general"],
    ["/", "colors"],
    ["/", "settings"],
    ["{Control>}k{/Control}", "home"],
    ["{Meta>}k{/Meta}", "home"],
  ] as const) {
    const given = `${keys} on ${path}`;
    await act(() => router.navigate(`/projects/${PROJECT_ID}/${path}`));
    await user.keyboard(keys);

    expect(await screen.findByRole("dialog", { name: "Search all screens" }), given).toBeVisible();
    const field = await screen.findByRole("combobox", { name: "Search keys and texts" });
    await waitFor(() => expect(field, given).toHaveFocus());
    expect(field, given).toHaveValue("");
    expect(screen.getByText(/Finds keys and texts of every screen and language/), given).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog"), given).not.toBeInTheDocument());
  }
});
