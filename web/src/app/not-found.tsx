import { Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { sessionToken } from "@/lib/session";
import { useDocumentTitle } from "@/lib/use-document-title";
import { EmptyState } from "@/ui/states";

/** Not part of the first code: a person without a session never sees it. */
const Shell = lazy(async () => ({ default: (await import("./shell")).Shell }));

const TITLE = "Page not found";

/** An address without a page. A person with a session sees it inside the shell. */
export function NotFound() {
  return sessionToken() === null ? (
    <NotFoundAlone />
  ) : (
    <Suspense>
      <Shell title={TITLE}>
        <Explanation />
      </Shell>
    </Suspense>
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
