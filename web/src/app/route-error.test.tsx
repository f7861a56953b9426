/** A page whose code does not arrive: what it shows, and when it comes back. */
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { hurry } from "@/testing/clock";
import { answer, offline, server } from "@/testing/server";
import { UiProvider } from "@/ui/ui-provider";
import { projectRoutes } from "./project-routes";
import { RouteError } from "./route-error";

const HEALTH = "/healthz";
const CHROMIUM = "Failed to fetch dynamically imported module: http://localhost/assets/page.js";

/** A page inside a frame, whose code fails to load with this message. */
function openFailing(message = CHROMIUM) {
  const reload = vi.fn();
  const router = createMemoryRouter([
    {
      element: (
        <>
          <nav>The frame</nav>
          <Outlet />
        </>
      ),
      hydrateFallbackElement: <div />,
      children: [
        {
          errorElement: <RouteError reload={reload} />,
          children: [{ path: "/", lazy: () => Promise.reject(new Error(message)) }],
        },
      ],
    },
  ]);
  const view = render(
    <UiProvider env="test">
      <RouterProvider router={router} />
    </UiProvider>,
  );
  return { reload, user: userEvent.setup(), ...view };
}

test.each([
  CHROMIUM,
  "error loading dynamically imported module: http://localhost/assets/page.js",
  "Importing a module script failed.",
  "Unable to preload CSS for /assets/page.css",
  "'text/html' is not a valid JavaScript MIME type.",
  "Load failed",
])("a page that fails with '%s' while the server is away shows why inside its frame", async (text) => {
  server.use(offline("get", HEALTH));
  const { reload } = openFailing(text);

  expect(await screen.findByText(/^The server can't be reached, so this page could not be loaded/)).toBeVisible();
  expect(screen.getByText("The frame")).toBeVisible();
  expect(reload).not.toHaveBeenCalled();
});

test("a page that failed while the server was away loads again by itself", async () => {
  hurry();
  server.use(offline("get", HEALTH));
  const { reload } = openFailing();
  await screen.findByText(/^The server can't be reached/);

  server.use(answer("get", HEALTH, { status: "ok" }));

  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test("a proxy that answers for a server that is away does not count as an answer", async () => {
  server.use(answer("get", HEALTH, {}, { status: 502 }));
  const { reload } = openFailing();

  expect(await screen.findByText(/^The server can't be reached/)).toBeVisible();
  expect(reload).not.toHaveBeenCalled();
});

test("a page that fails offline shows why, and loads again as soon as there is a network", async () => {
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  server.use(offline("get", HEALTH));
  const { reload } = openFailing();
  expect(await screen.findByText(/^You are offline, so this page could not be loaded/)).toBeVisible();

  onLine.mockReturnValue(true);
  server.use(answer("get", HEALTH, { status: "ok" }));
  window.dispatchEvent(new Event("online"));

  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test("a page that fails again and again is loaded again three times, and then by hand only", async () => {
  server.use(answer("get", HEALTH, { status: "ok" }));
  for (let time = 1; time <= 3; time += 1) {
    const { reload, unmount } = openFailing();
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    unmount();
  }

  const { reload, user } = openFailing();
  expect(await screen.findByText(/although the server answers/)).toBeVisible();
  expect(reload).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test("a retry by hand while the server is away keeps the page", async () => {
  server.use(offline("get", HEALTH));
  const { reload, user } = openFailing();
  await screen.findByText(/^The server can't be reached/);

  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText(/^The server can't be reached/)).toBeVisible();
  expect(reload).not.toHaveBeenCalled();
});

test("a page is not loaded again by itself while a text is unsaved", async () => {
  hurry();
  const asks: Event[] = [];
  const keep = (event: Event) => {
    asks.push(event);
    if (asks.length === 1) event.preventDefault();
  };
  window.addEventListener("beforeunload", keep);
  server.use(answer("get", HEALTH, { status: "ok" }));
  const { reload } = openFailing();
  await waitFor(() => expect(asks).toHaveLength(1));
  expect(reload).not.toHaveBeenCalled();

  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  window.removeEventListener("beforeunload", keep);
});

test("a page that fails while drawing shows that, and is loaded again by hand only", async () => {
  const { reload, user } = openFailing("colors is undefined");
  expect(await screen.findByText("Something went wrong on this page. What you saved is safe.")).toBeVisible();
  expect(reload).not.toHaveBeenCalled();

  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(reload).toHaveBeenCalledTimes(1);
});

test("a tab that can't be loaded fails inside the project's frame", () => {
  const [frame] = projectRoutes;

  for (const child of frame?.children ?? []) expect(child.errorElement).toBeDefined();
});
