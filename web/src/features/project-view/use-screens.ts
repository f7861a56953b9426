/** Adding screens; the answered project takes the place of the cached project. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { useNavigate } from "react-router";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { hasActivePlan, isLargestPlan, keepProject } from "@/lib/project";

/** Why no screen can be added, or null. `general` does not count. */
export function screenLimitReason(project: Project, now: number): string | null {
  if (!hasActivePlan(project, now)) {
    return `Your project plan is "${project.tierName}". Please activate a paid tier to add new screens.`;
  }
  const { screens: limit } = project.limits;
  if (limit === -1 || project.tabs.length - 1 < limit) return null;
  const way = isLargestPlan(project)
    ? "It is the largest plan: delete a screen first."
    : "Please upgrade in settings to add more.";
  return `Screen limit of ${limit} for your "${project.tierName}" tier reached. ${way}`;
}

export function useAddScreen(project: Project) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (name: string) =>
      take(
        api.POST("/api/projects/{projectId}/screens", {
          params: { path: { projectId: project.projectId } },
          body: { name },
        }),
      ),
    onSuccess: (changed, name) => {
      keepProject(client, project.projectId, changed);
      toast.success(`Screen "${name}" added!`);
      void navigate(`/projects/${project.projectId}/${name}`);
    },
  });
}

export function refusalOfScreen(error: unknown): string {
  if (error instanceof ApiError) return error.fields["name"] ?? messageOf(error, "Failed to update project screens");
  return "Error updating screens.";
}
