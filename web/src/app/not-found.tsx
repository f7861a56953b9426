import { Button } from "@mantine/core";
import { Link } from "react-router";
import { useDocumentTitle } from "@/lib/use-document-title";
import { EmptyState } from "@/ui/states";

export function NotFound() {
  useDocumentTitle("Page not found");
  return (
    <main>
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
    </main>
  );
}
