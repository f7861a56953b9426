/** Opens the dashboard at an address, as a browser would. */
import type { QueryClient } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, type DataRouter, type InitialEntry } from "react-router";
import { onTestFinished } from "vitest";
import { Dashboard } from "@/app/app";
import { routes } from "@/app/routes";
import type { User } from "@/lib/api-types";
import { createQueryClient } from "@/lib/queries";
import { aUser } from "./fixtures";
import { answer, server } from "./server";

interface Opening {
  /** Dialogs fade in and out, as they do in a browser, rather than come and go at once. */
  isFading?: boolean;
}

/** As the dashboard's, but without second tries, and without answers that count as fresh. */
export function aQueryClient(): QueryClient {
  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({
    queries: { retry: false, networkMode: "always", refetchOnReconnect: true },
    mutations: { networkMode: "always" },
  });
  return queryClient;
}

/** Nothing is read or routed any more once the test has ended. */
export function endAfterTest(queryClient: QueryClient, router: DataRouter): void {
  onTestFinished(() => {
    queryClient.clear();
    router.dispose();
  });
}

/** Returns the user's hands, and the router with the present address. */
export function open(path: InitialEntry, { isFading = false }: Opening = {}) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const queryClient = aQueryClient();
  endAfterTest(queryClient, router);
  const view = render(<Dashboard router={router} queryClient={queryClient} env={isFading ? "default" : "test"} />);
  return { router, queryClient, user: userEvent.setup(), ...view };
}

/** As `open`, with a session; GET /api/user/me answers `me`. */
export function openSignedIn(path: string, me: User = aUser(), opening: Opening = {}) {
  window.localStorage.setItem("authToken", "a-session-token");
  server.use(answer("get", "/api/user/me", me));
  return open(path, opening);
}
