import { Button } from "@mantine/core";
import { Link } from "react-router";
import { sessionToken } from "@/lib/session";
import { useDocumentTitle } from "@/lib/use-document-title";
import { EmptyState } from "@/ui/states";
import { Shell } from "./shell";

const TITLE = "Page not found";

/** An address without a page. A person with a session sees it inside the shell. */
export function NotFound() {
  return sessionToken() === null ? (
    <NotFoundAlone />
  ) : (
    <Shell title={TITLE}>
      <Explanation />
    </Shell>
  );
}

function NotFoundAlone() {
  useDocumentTitle(TITLE);
  return (
    <main>
      <Explanation />
    </main>
  );
}

const Explanation = () => (
  <EmptyState
    titleIs="h1"
    title="There is no page at this address"
    action={
      <Button component={Link} to="/dashboard" variant="filled">
        Go to the dashboard
      </Button>
    }
  >
    The link may be old, or a letter may be missing.
  </EmptyState>
);
