/** Leaves a project that is gone, or that its reader was taken out of. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import toast from "react-hot-toast";
import { useNavigate } from "react-router";
import { onProjectMiss } from "@/lib/api";
import { hasLeft } from "@/lib/departures";
import { forgetProject, invalidate } from "@/lib/query";
import { storeCurrentProject } from "@/lib/session";

export function useMissingProject(projectId: string, isMissing: boolean): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  // Whatever part of it is not found, the answer for the project shows whether the project itself is still there.
  useEffect(
    () =>
      onProjectMiss((missed) => {
        if (missed === projectId) void invalidate(client, "/api/projects/{projectId}", { path: { projectId } });
      }),
    [projectId, client],
  );
  useEffect(() => {
    if (!isMissing) return;
    const leave = async () => {
      if (!hasLeft(projectId)) toast.error("Project not found.", { id: "project-not-found" });
      storeCurrentProject(null);
      await navigate("/projects", { replace: true });
      // Who is invited again must not be sent away by what is remembered.
      forgetProject(client, projectId);
      void invalidate(client, "/api/projects");
    };
    void leave();
  }, [projectId, isMissing, navigate, client]);
}
