/** The colours of a project: reading and changing them. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { KEY_CHARACTERS } from "@/lib/limits.gen";
import { refreshProjectSoon, trackWrite } from "@/lib/project";
import { apiQuery, listCache } from "@/lib/query";

export type Color = Answer<"/api/colors/{projectId}", "get">["colors"][number];

export interface ColorValues {
  key: string;
  value: string;
  nickname: string;
}

export const colorsQuery = (projectId: string) => apiQuery("/api/colors/{projectId}", { path: { projectId } });

const lists = listCache("/api/colors/{projectId}", { list: "colors", id: "key" });

const KEY = new RegExp(`^[A-Za-z_][A-Za-z0-9_.-]{0,${KEY_CHARACTERS - 1}}$`);

/** Six digits are a colour without their # too. */
export const withHash = (value: string): string => (/^[0-9a-f]{6}$/i.test(value) ? `#${value}` : value);

/** What is wrong with which field of a colour, before it is sent. */
export function checkColor(values: ColorValues, others: readonly Color[]): { key?: string; value?: string } {
  const key = values.key.trim();
  const problems: { key?: string; value?: string } = {};
  if (key === "") problems.key = "Color key cannot be empty.";
  else if (!KEY.test(key)) {
    problems.key = "Use letters, numbers, dots, hyphens, underscores. Must start with a letter.";
  } else if (others.some((color) => color.key === key)) problems.key = `Color key "${key}" already exists.`;
  if (!/^#[0-9a-f]{6}$/i.test(values.value)) {
    problems.value = "Invalid color hex value. Please use format like #RRGGBB.";
  }
  return problems;
}

/** The server's message about a refused colour, by field if it names a field. */
export function refusalOfColor(error: unknown, fallback: string): { key?: string; value?: string; form?: string } {
  if (!(error instanceof ApiError)) return { form: "The server can't be reached. Please try again." };
  const { key, value } = error.fields;
  if (key !== undefined || value !== undefined) return { ...(key ? { key } : {}), ...(value ? { value } : {}) };
  return { form: messageOf(error, fallback) };
}

export function useColorWrites(projectId: string) {
  const client = useQueryClient();
  const colors = { path: { projectId } };
  const noteChange = () => refreshProjectSoon(client, projectId);
  const add = useMutation({
    mutationFn: (body: ColorValues) =>
      trackWrite(projectId, take(api.POST("/api/colors/{projectId}", { params: colors, body }))),
    onSuccess: (color) => {
      lists.put(client, colors, color);
      noteChange();
    },
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
    onSuccess: (changed, { color }) => {
      lists.put(client, colors, changed, color.key);
      noteChange();
    },
    onError: (error) => void lists.conflict(client, colors, error),
  });
  const remove = useMutation({
    mutationFn: (color: Color) =>
      trackWrite(
        projectId,
        take(api.DELETE("/api/colors/{projectId}/{key}", { params: { path: { projectId, key: color.key } } })),
      ),
    onSuccess: (_, { key }) => {
      lists.remove(client, colors, key);
      noteChange();
    },
  });
  return { add, change, remove };
}
