/** The colours of a project: reading and changing them. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { put } from "@/lib/put";
import { keys } from "@/lib/queries";
import { announce } from "@/lib/window-events";

export type Color = Answer<"/api/colors/{projectId}", "get">["colors"][number];

export interface ColorValues {
  key: string;
  value: string;
  nickname: string;
}

export function colorsQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/colors/{projectId}"] as const,
    queryFn: ({ signal }) => take(api.GET("/api/colors/{projectId}", { params: { path: { projectId } }, signal })),
  });
}

/** Six digits are a colour without their # too. */
export const withHash = (value: string): string => (/^[0-9a-f]{6}$/i.test(value) ? `#${value}` : value);

/** What is wrong with which field of a colour, before it is sent. */
export function checkColor(values: ColorValues, others: readonly Color[]): { key?: string; value?: string } {
  const key = values.key.trim();
  const problems: { key?: string; value?: string } = {};
  if (key === "") problems.key = "Color key cannot be empty.";
  else if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/.test(key)) {
    problems.key = "Use letters, numbers, dots, hyphens, underscores. Must start with a letter.";
  } else if (others.some((color) => color.key === key)) problems.key = `Color key "${key}" already exists.`;
  if (!/^#[0-9a-f]{6}$/i.test(values.value)) {
    problems.value = "Invalid color hex value. Please use format like #RRGGBB.";
  }
  return problems;
}

/** The server's words on a refused colour, by field where it named one. */
export function refusalOfColor(error: unknown, fallback: string): { key?: string; value?: string; form?: string } {
  if (!(error instanceof ApiError)) return { form: "The server can't be reached. Please try again." };
  const { key, value } = error.fields;
  if (key !== undefined || value !== undefined) return { ...(key ? { key } : {}), ...(value ? { value } : {}) };
  return { form: messageOf(error, fallback) };
}

/** The colour as it is now, from a refusal because somebody else changed it. */
export function currentColor(error: unknown): Color | undefined {
  if (!(error instanceof ApiError) || error.code !== "stale_revision") return undefined;
  const { body } = error;
  return typeof body === "object" && body !== null && "current" in body ? (body.current as Color) : undefined;
}

export function useColorWrites(projectId: string) {
  const client = useQueryClient();
  const { queryKey } = colorsQuery(projectId);
  const update = (change: (colors: Color[]) => Color[]) => {
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, (present) =>
      present === undefined ? undefined : { colors: change(present.colors) },
    );
    announce("translationsUpdated", { projectId, screen: "__UNPUBLISHED_COLORS__" });
    refreshProjectSoon(client, projectId);
  };
  const add = useMutation({
    mutationFn: (body: ColorValues) =>
      trackWrite(projectId, take(api.POST("/api/colors/{projectId}", { params: { path: { projectId } }, body }))),
    onSuccess: (color) => update((colors) => put(colors, color, ({ key }) => key === color.key)),
  });
  const change = useMutation({
    mutationFn: ({ color, values }: { color: Color; values: ColorValues }) =>
      trackWrite(
        projectId,
        take(
          api.PUT("/api/colors/{projectId}/{key}", {
            params: { path: { projectId, key: color.key } },
            body: { ...values, revision: color.revision },
          }),
        ),
      ),
    onSuccess: (changed, { color }) =>
      update((colors) => colors.map((present) => (present.key === color.key ? changed : present))),
  });
  const remove = useMutation({
    mutationFn: (color: Color) =>
      trackWrite(
        projectId,
        take(api.DELETE("/api/colors/{projectId}/{key}", { params: { path: { projectId, key: color.key } } })),
      ),
    onSuccess: (_, color) => update((colors) => colors.filter((present) => present.key !== color.key)),
  });
  return { add, change, remove };
}
