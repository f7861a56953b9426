import { useRouteError } from "react-router";
import { useDocumentTitle } from "@/lib/use-document-title";
import { ErrorState } from "@/ui/states";

/** When a page's code could not be loaded (a new version was installed, or the network is away) or failed while drawing. */
export function RouteError() {
  useDocumentTitle("Something went wrong");
  const error = useRouteError();
  const unloaded = error instanceof TypeError && /import|module|fetch/i.test(error.message);
  return (
    <ErrorState
      message={
        unloaded
          ? "This page could not be loaded. Livery may have been updated, or the connection is away."
          : "Something went wrong on this page. What you saved is safe."
      }
      onRetry={() => window.location.reload()}
    />
  );
}
