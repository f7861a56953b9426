/** Names for what the API answers, derived from its paths so that they follow the server's document. */
import type { paths } from "@/api.gen";

/** The JSON that a call answers. */
export type Success<Operation> = Operation extends { responses: infer R }
  ? R extends { 200: { content: { "application/json": infer Body } } }
    ? Body
    : R extends { 201: { content: { "application/json": infer Body } } }
      ? Body
      : R extends { 202: { content: { "application/json": infer Body } } }
        ? Body
        : never
  : never;

/** The JSON a successful call answers, e.g. `Answer<"/api/user/me", "get">`. */
export type Answer<Path extends keyof paths, Method extends keyof paths[Path]> = Success<paths[Path][Method]>;

export type User = Answer<"/api/user/me", "get">;
export type ProjectSummary = Answer<"/api/projects", "get">[number];
export type Project = Answer<"/api/projects/{projectId}", "get">;
export type ActivityEntry = Answer<"/api/activity", "get">[number];
export type Language = Answer<"/api/languages", "get">["languages"][number];
