import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { forgetProject, invalidate } from "@/lib/query";
import { storeCurrentProject } from "@/lib/session";

/** Goes to the list of projects and forgets this project, which the person can't open any more. */
export function useDeparture(projectId: string): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await navigate("/projects", { replace: true });
    storeCurrentProject(null);
    forgetProject(client, projectId);
    for (const path of ["/api/projects", "/api/activity", "/api/user/me"] as const) void invalidate(client, path);
  };
}
