/** What goes with a screen, counted by the server when the question about its deletion is asked. */
import { useQuery } from "@tanstack/react-query";
import { counted } from "@/lib/counted";
import { apiQuery } from "@/lib/query";

const PATH = "/api/projects/{projectId}/screens/{tabName}/losses";

export function ScreenLosses({ projectId, screen }: { projectId: string; screen: string }) {
  const params = { path: { projectId, tabName: screen } };
  const { data } = useQuery(apiQuery(PATH, params, { gcTime: 0, retry: false }));
  return data === undefined ? null : (
    <p>{`It has ${counted(data.keys, "key")} with ${counted(data.texts, "text")}.`}</p>
  );
}
