/** The roles that can be given to somebody, and what each may do, in a line. */
import type { Project } from "./api-types";

export type GivenRole = Exclude<Project["role"], "owner">;

/** From the most to the least. */
export const givenRoles: readonly GivenRole[] = ["admin", "editor", "viewer"];

export const meaningOf: Readonly<Record<GivenRole, string>> = {
  admin: "Does all that editors do; also members, languages, keys, settings and the plan.",
  editor: "Edits texts, colours, images and data, adds languages, publishes.",
  viewer: "Reads everything, changes nothing.",
};

/** 'an editor', 'a viewer'. */
export const withArticle = (role: Project["role"]) => `${role === "viewer" ? "a" : "an"} ${role}`;
