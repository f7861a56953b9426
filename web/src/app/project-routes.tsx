/** The addresses of one project, inside the shell. */
import type { RouteObject } from "react-router";

export const projectRoutes: RouteObject[] = [];
