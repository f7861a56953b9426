/** The whole dashboard: providers around the router, and what happens when the session ends. */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import toast from "react-hot-toast";
import { createBrowserRouter, type DataRouter, RouterProvider } from "react-router";
import { BASE, pathBelow } from "@/lib/base";
import { noteSessionEnd } from "@/lib/ended-session";
import { createQueryClient, followWindowFocus, meQuery } from "@/lib/queries";
import { invalidate } from "@/lib/query";
import { onSessionEnd } from "@/lib/session";
import { listen } from "@/lib/window-events";
import { UiProvider } from "@/ui/ui-provider";
import { outlivesSession, rememberReturn } from "./guards";
import { tellPageViews } from "./page-views";
import { routes } from "./routes";

followWindowFocus();

export function App() {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createBrowserRouter(routes, { basename: BASE || "/" }));
  return <Dashboard router={router} queryClient={queryClient} />;
}

/** For tests too, which bring their own router and client. */
export function Dashboard({
  router,
  queryClient,
  env,
}: {
  router: DataRouter;
  queryClient: QueryClient;
  env?: "default" | "test";
}) {
  useEffect(() => leaveWhenSessionEnds(router, queryClient), [router, queryClient]);
  useEffect(() => followWindowEvents(queryClient), [queryClient]);
  useEffect(() => tellPageViews(router), [router]);
  useEffect(() => {
    // Not on the way to the first picture. Without it, only tools beside the dashboard miss something.
    const stop = import("@/lib/translation-events").then(
      ({ announceTranslations }) => announceTranslations(queryClient),
      () => undefined,
    );
    return () => void stop.then((end) => end?.());
  }, [queryClient]);
  useEffect(() => {
    // Not on the way to the first picture.
    import("@/lib/kept-text").then(
      ({ dropOldTexts }) => dropOldTexts(),
      () => {
        // The next visit drops them.
      },
    );
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider {...(env ? { env } : {})}>
        <RouterProvider router={router} />
      </UiProvider>
    </QueryClientProvider>
  );
}

function leaveWhenSessionEnds(router: DataRouter, queryClient: QueryClient): () => void {
  return onSessionEnd((reason) => {
    const { pathname: address, search } = router.state.location;
    const pathname = pathBelow(address);
    noteSessionEnd(queryClient.getQueryData(meQuery.queryKey)?._id ?? null);
    if (reason === "expired") {
      rememberReturn(pathname + search);
      toast.error("Session expired. Please log in again.", { id: "session" });
    }
    if (outlivesSession(pathname)) {
      queryClient.clear();
      return;
    }
    void router.navigate("/login", { replace: true }).then(() => queryClient.clear());
  });
}

function followWindowEvents(queryClient: QueryClient): () => void {
  const stops = [
    listen("userCreditsUpdated", ({ credits }) => {
      queryClient.setQueryData(meQuery.queryKey, (user) => user && { ...user, credits });
    }),
    listen("projectUpdated", ({ projectId }) => {
      void invalidate(queryClient, "/api/projects/{projectId}", { path: { projectId } });
      void invalidate(queryClient, "/api/projects");
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
