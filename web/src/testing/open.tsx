/** Opens the dashboard at an address, as a browser would. */
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, type InitialEntry } from "react-router";
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

/** Returns the user's hands, and the router to ask where one is. */
export function open(path: InitialEntry, { isFading = false }: Opening = {}) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const queryClient = createQueryClient();
  // As in createQueryClient, but without second tries, and without answers that count as fresh.
  queryClient.setDefaultOptions({
    queries: { retry: false, networkMode: "always", refetchOnReconnect: true },
    mutations: { networkMode: "always" },
  });
  const view = render(<Dashboard router={router} queryClient={queryClient} env={isFading ? "default" : "test"} />);
  return { router, queryClient, user: userEvent.setup(), ...view };
}

/** As `open`, with a session; GET /api/user/me answers `me`. */
export function openSignedIn(path: string, me: User = aUser(), opening: Opening = {}) {
  window.localStorage.setItem("authToken", "a-session-token");
  server.use(answer("get", "/api/user/me", me));
  return open(path, opening);
}
