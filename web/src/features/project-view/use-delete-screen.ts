/** Deleting screens; the answered project takes the place of the cached project. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { useNavigate } from "react-router";
import { api, messageOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { keepProject } from "@/lib/project";
import { forget } from "@/lib/query";
import { useOpenTab } from "./tabs";

export function useDeleteScreen(project: Project) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const current = useOpenTab();
  return useMutation({
    mutationFn: (name: string) =>
      take(
        api.DELETE("/api/projects/{projectId}/screens/{tabName}", {
          params: { path: { projectId: project.projectId, tabName: name } },
        }),
      ),
    onSuccess: async (changed, name) => {
      if (current === name) await navigate(`/projects/${project.projectId}/general`);
      keepProject(client, project.projectId, changed);
      const path = { projectId: project.projectId, tabName: name };
      forget(client, "/api/translations/{projectId}/{tabName}", { path });
      toast.success("Screen deleted.");
    },
    onError: (error) => {
      toast.error(messageOf(error, "Failed to update project screens", "Error updating screens."));
    },
  });
}
