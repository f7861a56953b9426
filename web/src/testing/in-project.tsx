/** Shows a page of a project without the dashboard around it: with the providers, and what the frame of a project gives its pages. */
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { createMemoryRouter, Outlet } from "react-router";
import { type Mock, vi } from "vitest";
import { Dashboard } from "@/app/app";
import type { Project } from "@/lib/api-types";
import type { OpenProject } from "@/lib/project";
import { aProject } from "./fixtures";
import { aQueryClient, endAfterTest } from "./open";

/** Returns the user's hands, and how the page asked for a plan. */
export function openInProject(page: ReactElement, project: Partial<Project> = {}) {
  window.localStorage.setItem("authToken", "a-session-token");
  const openActivation: Mock<OpenProject["openActivation"]> = vi.fn();
  const context: OpenProject = { project: aProject(project), openActivation };
  const router = createMemoryRouter([
    { element: <Outlet context={context} />, children: [{ path: "*", element: page }] },
  ]);
  const queryClient = aQueryClient();
  endAfterTest(queryClient, router);
  const view = render(<Dashboard router={router} queryClient={queryClient} env="test" />);
  return { router, queryClient, openActivation, user: userEvent.setup(), ...view };
}
