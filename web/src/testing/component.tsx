/** One component with its providers only: no shell, no project's frame, no other page. `open` in open.tsx shows the whole dashboard. */
import { type QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider } from "react-router";
import { onTestFinished, vi } from "vitest";
import type { Project, User } from "@/lib/api-types";
import { type OpenProject, useProject } from "@/lib/project";
import { createQueryClient, followWindowFocus, meQuery, projectQuery } from "@/lib/queries";
import { announceTranslations } from "@/lib/translation-events";
import { UiProvider } from "@/ui/ui-provider";
import { aProject, aUser, PROJECT_ID } from "./fixtures";
import { answer, server } from "./server";

// As the dashboard does, so that it makes no difference which file of tests ran before.
followWindowFocus();

interface Surroundings {
  /** The address; of a component in a project the part below the project. */
  at?: string;
  /** With a session of this person; GET /api/user/me answers the person. */
  me?: User;
  /** Dialogs fade in and out, as they do in a browser, rather than come and go at once. */
  isFading?: boolean;
}

/** As that of the dashboard, but without second tries, and without answers that count as fresh. */
function testClient(): QueryClient {
  const client = createQueryClient();
  client.setDefaultOptions({
    queries: { retry: false, networkMode: "always", refetchOnReconnect: true },
    mutations: { networkMode: "always" },
  });
  return client;
}

function show(route: RouteObject, { at = "/", me, isFading = false }: Surroundings, queryClient: QueryClient) {
  if (me !== undefined) {
    window.localStorage.setItem("authToken", "a-session-token");
    queryClient.setQueryData(meQuery.queryKey, me);
    server.use(answer("get", "/api/user/me", me));
  }
  // As the dashboard does.
  onTestFinished(announceTranslations(queryClient));
  // Every other address of the dashboard is empty here.
  const routes = route.path === "*" ? [route] : [route, { path: "*", element: null }];
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const view = render(
    <QueryClientProvider client={queryClient}>
      <UiProvider env={isFading ? "default" : "test"}>
        <main tabIndex={-1}>
          <RouterProvider router={router} />
        </main>
      </UiProvider>
    </QueryClientProvider>,
  );
  return { router, queryClient, user: userEvent.setup(), ...view };
}

/** Returns the user's hands, and the router with the present address. */
export function renderPart(part: ReactNode, surroundings: Surroundings = {}) {
  return show({ path: "*", element: part }, surroundings, testClient());
}

interface Inside extends Surroundings {
  /** The same as a pattern: 'stores/:apiIdentifier'. */
  pattern?: string;
}

/**
 * A component of an open project: a page that asks for the project with `useProject`, or one that is given it. The project is
 * there from the start, and read again where the component asks for that. `openActivation` notes who asks for a plan.
 */
export function renderInProject(
  part: ReactNode | ((project: Project) => ReactNode),
  project: Partial<Project> = {},
  { at = "general", pattern = "*", me = aUser(), ...more }: Inside = {},
) {
  const first = aProject(project);
  const client = testClient();
  client.setQueryData(projectQuery(PROJECT_ID).queryKey, first);
  server.use(answer("get", `/api/projects/${PROJECT_ID}`, first));
  const openActivation = vi.fn<OpenProject["openActivation"]>();
  const route: RouteObject = {
    path: "/projects/:projectId",
    element: <OpenedProject openActivation={openActivation} />,
    children: [{ path: pattern, element: typeof part === "function" ? <WithProject part={part} /> : part }],
  };
  return { ...show(route, { at: `/projects/${PROJECT_ID}/${at}`, me, ...more }, client), openActivation };
}

function OpenedProject({ openActivation }: Pick<OpenProject, "openActivation">) {
  // What it was given counts as read a moment ago.
  const { data: project } = useQuery({ ...projectQuery(PROJECT_ID), staleTime: Number.POSITIVE_INFINITY });
  return project === undefined ? null : <Outlet context={{ project, openActivation }} />;
}

function WithProject({ part }: { part: (project: Project) => ReactNode }) {
  return part(useProject().project);
}
