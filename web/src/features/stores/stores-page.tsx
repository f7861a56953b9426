/** The data stores of a project: how many the plan allows, a card for each, and the way to a new store. */
import { Button, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { isLargestPlan, may, refusals, useProject } from "@/lib/project";
import { IconPlus } from "@/ui/icons";
import { Notice } from "@/ui/notice";
import { PageBody } from "@/ui/page";
import { Box, Grid, Row } from "@/ui/parts";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import { CreateStoreDialog } from "./create-store-dialog";
import { DeleteStoreDialog } from "./delete-store-dialog";
import { type Store, storesQuery } from "./queries";
import { StoreCard } from "./store-card";

export function StoresPage() {
  const { project } = useProject();
  const query = useQuery(storesQuery(project.projectId));
  return (
    <PageBody width="wide">
      {query.isPending ? (
        <LoadingRows rows={3} height={120} label="Loading data stores" />
      ) : query.data === undefined ? (
        <ErrorState
          message={messageOf(query.error, "Failed to fetch data stores.")}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <StoreList project={project} stores={query.data} />
      )}
    </PageBody>
  );
}

function StoreList({ project, stores }: { project: Project; stores: readonly Store[] }) {
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Store | null>(null);
  const mayEdit = may(project, "edit");
  const create = mayEdit && (
    <CreateButton reason={limitReason(project, stores.length)} onClick={() => setCreating(true)} />
  );
  return (
    <>
      {!mayEdit && (
        <Box mb={14}>
          <Notice tone="plain">{refusals.edit}</Notice>
        </Box>
      )}
      <Row wrap align="center" justify="between" gap={8} gapX={16} mb={16} minH={34} size="s" tone="ink-2">
        <p className="num">{useText(project, stores.length)}</p>
        {stores.length > 0 && create}
      </Row>
      {stores.length === 0 ? (
        <EmptyState title="No Data Stores yet" action={create}>
          A data store holds many items of one kind, like products or destinations. Apps read them by its identifier.
        </EmptyState>
      ) : (
        <Grid as="ul" gap={16} fit={290} aria-label="Data Stores">
          {stores.map((store) => (
            <StoreCard
              key={store._id}
              projectId={project.projectId}
              store={store}
              onDelete={mayEdit ? () => setDeleting(store) : undefined}
            />
          ))}
        </Grid>
      )}
      <CreateStoreDialog projectId={project.projectId} opened={isCreating} onClose={() => setCreating(false)} />
      <DeleteStoreDialog projectId={project.projectId} store={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

/** 'Used: 3 / 30 (Growth Tier Limit)'. */
function useText({ limits: { stores: limit }, tierName }: Project, used: number): string {
  return limit === -1 ? `Used: ${used} (no limit)` : `Used: ${used} / ${limit} (${tierName} Limit)`;
}

function limitReason(project: Project, used: number): string | null {
  const limit = project.limits.stores;
  if (limit === -1 || used < limit) return null;
  const way = isLargestPlan(project) ? " It is the largest plan: delete a Data Store first." : "";
  return `You have reached the limit of ${limit} Data Stores for your plan.${way}`;
}

function CreateButton({ reason, onClick }: { reason: string | null; onClick: () => void }) {
  const icon = <IconPlus size={15} aria-hidden="true" />;
  if (reason === null) {
    return (
      <Button variant="filled" leftSection={icon} onClick={onClick}>
        Create Store
      </Button>
    );
  }
  return (
    <Tooltip label={reason}>
      <Button
        variant="filled"
        leftSection={icon}
        data-disabled
        aria-disabled="true"
        aria-description={reason}
        onClick={(event) => event.preventDefault()}
      >
        Create Store
      </Button>
    </Tooltip>
  );
}
