/** /projects/{projectId}/settings/audit: every act in a project, for those who answer for it. */
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { may, refusals, useProject } from "@/lib/project";
import { BackLink } from "@/ui/back-link";
import { IconRefresh } from "@/ui/icons";
import { PageBody } from "@/ui/page";
import { Heading, Row, Text } from "@/ui/parts";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import classes from "./audit.module.css";
import { EntryList, More } from "./entry-list";
import { ExportButtons } from "./export-buttons";
import { FilterBar } from "./filter-bar";
import { filtersIn, isFiltered, searchOf, type Wanted, wantedOf } from "./filters";
import { auditQuery } from "./queries";

/** In this chunk: both pages show the same list. */
export { AccountAuditPage } from "./account-audit-page";

const FAILED = "Failed to fetch the audit log.";

export function AuditPage() {
  const { project } = useProject();
  return (
    <PageBody width="wide">
      <BackLink to={`/projects/${project.projectId}/settings`} tone="ink-2" mb={14} minH={24} noPrint>
        Back to Settings
      </BackLink>
      {may(project, "audit") ? <Log project={project} /> : <EmptyState title="Audit log">{refusals.audit}</EmptyState>}
    </PageBody>
  );
}

function Log({ project }: { project: Project }) {
  const [search, setSearch] = useSearchParams();
  const filters = useMemo(() => filtersIn(search), [search]);
  const wanted = useMemo(() => wantedOf(filters), [filters]);
  const [clears, setClears] = useState(0);
  const clear = () => {
    setSearch(new URLSearchParams(), { replace: true });
    setClears(clears + 1);
  };
  const change = (next: typeof filters) => setSearch(searchOf(next), { replace: true, preventScrollReset: true });
  return (
    <>
      <Row wrap align="start" justify="between" gap={10} gapX={16} mb={16}>
        <div>
          <Heading size="l">Audit log</Heading>
          <Text size="s" tone="ink-2" className={classes["note"]}>
            Every act of people and of background work in this project, the newest first.
          </Text>
        </div>
        <Row gap={8} noPrint className={classes["exports"]}>
          <ExportButtons projectId={project.projectId} wanted={wanted} />
        </Row>
      </Row>
      {/* A new bar after each clear: what was being typed in the old one goes, too. */}
      <FilterBar key={clears} projectId={project.projectId} filters={filters} onChange={change} onClear={clear} />
      <Entries projectId={project.projectId} wanted={wanted} onClear={isFiltered(filters) ? clear : undefined} />
    </>
  );
}

function Entries({
  projectId,
  wanted,
  onClear,
}: {
  projectId: string;
  wanted: Wanted;
  onClear: (() => void) | undefined;
}) {
  const query = useInfiniteQuery(auditQuery(projectId, wanted));
  if (query.isPending) return <LoadingRows rows={8} height={46} label="Loading the audit log" />;
  if (query.data === undefined) {
    return <ErrorState message={messageOf(query.error, FAILED)} onRetry={() => void query.refetch()} />;
  }
  const entries = query.data.pages.flat();
  if (entries.length === 0) {
    return onClear === undefined ? (
      <EmptyState title="No entries yet">
        From now on each edit, publish and change of the team appears here, with who did it and from which address.
      </EmptyState>
    ) : (
      <EmptyState title="No entry passes these filters" action={<Button onClick={onClear}>Clear filters</Button>} />
    );
  }
  return (
    <>
      <Row justify="end" mb={6} noPrint>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconRefresh size={14} aria-hidden="true" />}
          loading={query.isRefetching && !query.isFetchingNextPage}
          onClick={() => void query.refetch()}
        >
          Refresh
        </Button>
      </Row>
      <EntryList entries={entries} label="Audit log, newest first" more={<More query={query} failure={FAILED} />} />
    </>
  );
}
