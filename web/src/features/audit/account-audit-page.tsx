/** /settings/activity: the acts on one's own account, such as logins, with the address of each. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { messageOf } from "@/lib/api";
import { BackLink } from "@/ui/back-link";
import { PageBody, PageHeader } from "@/ui/page";
import { Text } from "@/ui/parts";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import classes from "./audit.module.css";
import { EntryList, More } from "./entry-list";
import { ownAuditQuery } from "./queries";

const FAILED = "Failed to fetch your account's activity.";

export function AccountAuditPage() {
  const query = useInfiniteQuery(ownAuditQuery);
  const entries = query.data?.pages.flat();
  return (
    <>
      <PageHeader title="Account Activity" />
      <PageBody width="wide">
        <BackLink to="/settings" tone="ink-2" mb={14} minH={24} noPrint>
          Back to Account Settings
        </BackLink>
        <Text mb={14} size="s" tone="ink-2" className={classes["note"]}>
          Logins, passwords, keys and purchases of your account. If you see a login that was not yours, change your
          password: it ends all other sessions.
        </Text>
        {entries === undefined ? (
          query.isError ? (
            <ErrorState message={messageOf(query.error, FAILED)} onRetry={() => void query.refetch()} />
          ) : (
            <LoadingRows rows={8} height={46} label="Loading your account's activity" />
          )
        ) : entries.length === 0 ? (
          <EmptyState>No activity is recorded yet.</EmptyState>
        ) : (
          <EntryList
            entries={entries}
            label="Account activity, newest first"
            more={<More query={query} failure={FAILED} />}
          />
        )}
      </PageBody>
    </>
  );
}
