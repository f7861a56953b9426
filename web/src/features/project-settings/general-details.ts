/** What is edited of a project, and what two people's edits of it mean for each other. */
import type { Project } from "@/lib/api-types";
import { isRecord } from "@/lib/is-record";

export type Details = Pick<Project, "name" | "description" | "defaultLanguage">;

export const fields = ["name", "description", "defaultLanguage"] as const satisfies readonly (keyof Details)[];

export const detailsOf = ({ name, description, defaultLanguage }: Project): Details => ({
  name,
  description,
  defaultLanguage,
});

/** A record as its editor saw it. */
export type Seen = Details & Pick<Project, "revision">;

export const seenOf = (project: Project): Seen => ({ ...detailsOf(project), revision: project.revision });

/** Returns the fields that the editor changed as they saw them, and the revision that they saw. */
export const seenIn = (seen: Seen, changed: Readonly<Record<string, string>>): Partial<Seen> => ({
  ...Object.fromEntries(fields.filter((field) => field in changed).map((field) => [field, seen[field]])),
  revision: seen.revision,
});

export function isSeen(value: unknown): value is Seen {
  if (!isRecord(value)) return false;
  return fields.every((field) => typeof value[field] === "string") && typeof value["revision"] === "number";
}

/** The fields that differ from the project as it was seen. */
export function changesOf(values: Details, seen: Project): Partial<Details> {
  return Object.fromEntries(
    fields.filter((field) => values[field] !== seen[field]).map((field) => [field, values[field]]),
  );
}

/** Returns the changed fields that somebody else changed too, to a different value, with that person's values. */
export function conflictsOf(changes: Partial<Details>, seen: Project, current: Project): Partial<Details> {
  return Object.fromEntries(
    fields
      .filter((field) => changes[field] !== undefined)
      .filter((field) => current[field] !== seen[field] && current[field] !== changes[field])
      .map((field) => [field, current[field]]),
  );
}
