/** What goes with a screen, counted by the server when the question about its deletion is asked. */
import { useQuery } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import { counted } from "@/lib/counted";
import { keys } from "@/lib/queries";

const PATH = "/api/projects/{projectId}/screens/{tabName}/losses";

export function ScreenLosses({ projectId, screen }: { projectId: string; screen: string }) {
  const { data } = useQuery({
    queryKey: [...keys.project(projectId), PATH, screen],
    queryFn: ({ signal }) => take(api.GET(PATH, { params: { path: { projectId, tabName: screen } }, signal })),
    gcTime: 0,
    retry: false,
  });
  return data === undefined ? null : (
    <p>{`It has ${counted(data.keys, "key")} with ${counted(data.texts, "text")}.`}</p>
  );
}
