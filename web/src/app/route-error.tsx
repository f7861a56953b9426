import { useRouteError } from "react-router";
import { useDocumentTitle } from "@/lib/use-document-title";
import { ErrorState } from "@/ui/states";
import { type Trouble, useComeback } from "./use-comeback";

const reloadPage = () => window.location.reload();

/**
 * Takes the place of a page that failed while drawing, or whose code could not be loaded. The code can't be loaded when
 * the network is away or a new version was installed.
 */
export function RouteError({ reload = reloadPage }: { reload?: () => void }) {
  useDocumentTitle("Something went wrong");
  return isUnloaded(useRouteError()) ? (
    <Unloaded reload={reload} />
  ) : (
    <ErrorState message="Something went wrong on this page. What you saved is safe." onRetry={reload} />
  );
}

/** The messages of browsers, and of the bundler's loader, when code or styles did not arrive. */
const UNLOADED = [
  /dynamically imported module/i,
  /importing a module script failed/i,
  /unable to preload css/i,
  /valid javascript mime type/i,
  /^(failed to fetch|load failed|networkerror when attempting)/i,
];

function isUnloaded(error: unknown): boolean {
  return error instanceof Error && UNLOADED.some((pattern) => pattern.test(error.message));
}

const messages: Record<Trouble, string> = {
  unknown: "This page could not be loaded. Trying again…",
  offline: "You are offline, so this page could not be loaded. It comes by itself when you are online again.",
  away: "The server can't be reached, so this page could not be loaded. It comes by itself when the server answers.",
  lasting: "This page could not be loaded although the server answers. Livery may just be being updated.",
};

function Unloaded({ reload }: { reload: () => void }) {
  const { trouble, retry } = useComeback(reload);
  return <ErrorState message={messages[trouble]} onRetry={retry} />;
}
