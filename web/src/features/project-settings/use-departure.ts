import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { keys } from "@/lib/queries";
import { storeCurrentProject } from "@/lib/session";

/** Goes to the list of projects and forgets this one, which is not there any more for who looks. */
export function useDeparture(projectId: string): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await navigate("/projects", { replace: true });
    storeCurrentProject(null);
    client.removeQueries({ queryKey: keys.project(projectId) });
    for (const queryKey of [keys.projects, keys.activity, keys.me]) void client.invalidateQueries({ queryKey });
  };
}
