/** Reports to the server which pages are opened: the template of the route, never the address, which may hold a token. */
import type { DataRouter } from "react-router";
import { api, send } from "@/lib/api";

type State = DataRouter["state"];

/** `/reset-password/:token`, `/projects/:projectId/:tabName`; `*` for an address without a page. */
function templateOf({ matches }: State): string {
  return matches
    .reduce((path, { route }) => {
      if (route.path === undefined) return path;
      return route.path.startsWith("/") ? route.path : `${path.replace(/\/$/, "")}/${route.path}`;
    }, "")
    .replace(/^\/\*$/, "*");
}

/** One call for the first page and for each that follows; a change of the query alone is no other page. Returns the stop function. */
export function tellPageViews(router: DataRouter): () => void {
  let told: string | null = null;
  const look = (state: State) => {
    const { pathname } = state.location;
    if (!state.initialized || state.navigation.state !== "idle" || pathname === told) return;
    told = pathname;
    send(api.POST("/api/analytics/page-view", { body: { path: templateOf(state) }, keepalive: true })).catch(() => {
      // A view that can't be reported is not counted; the page shows no error for it.
    });
  };
  look(router.state);
  return router.subscribe(look);
}
