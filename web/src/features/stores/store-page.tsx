/** One data store: its items as a table, and what can be done to them. */
import { Button, Tooltip } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { ApiError, messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import { useDiscard } from "@/lib/discarding";
import { STORE_ITEMS } from "@/lib/limits.gen";
import { may, refusals, useProject } from "@/lib/project";
import { BackLink } from "@/ui/back-link";
import { IconAdjustmentsHorizontal, IconPlus } from "@/ui/icons";
import { later } from "@/ui/later";
import { Notice } from "@/ui/notice";
import { PageBody } from "@/ui/page";
import { Box, Heading, Row, Text } from "@/ui/parts";
import { ErrorState, LoadingRows } from "@/ui/states";
import { DeleteItemDialog } from "./delete-item-dialog";
import { ItemTable } from "./item-table";
import { FIRST_ITEMS, firstItemsQuery, type Item, itemsQuery, type Store, storeQuery } from "./queries";
import classes from "./store-page.module.css";

const ItemDialog = later(async () => (await import("./item-dialog")).ItemDialog, null);
const SettingsDialog = later(async () => (await import("./store-settings-dialog")).StoreSettingsDialog, null);
const VersionsDialog = later(async () => (await import("./item-versions")).ItemVersions, null);

export function StorePage() {
  const { project } = useProject();
  const { apiIdentifier = "" } = useParams();
  const query = useQuery(storeQuery(project.projectId, apiIdentifier));
  const list = `/projects/${project.projectId}/stores`;
  if (query.isPending) {
    return (
      <PageBody>
        <LoadingRows rows={8} height={44} label="Loading data store" />
      </PageBody>
    );
  }
  if (query.data === undefined || (query.error instanceof ApiError && query.error.status === 404)) {
    const isMissing = query.error instanceof ApiError && query.error.status === 404;
    return (
      <PageBody>
        <ErrorState
          title="Data Store not found or failed to load."
          message={
            isMissing
              ? "Somebody may have deleted it, or its identifier is different."
              : messageOf(query.error, "Failed to fetch store details.")
          }
          {...(isMissing ? {} : { onRetry: () => void query.refetch() })}
          action={
            <Button component={Link} to={list}>
              Go Back
            </Button>
          }
        />
      </PageBody>
    );
  }
  return <StoreView key={query.data._id} project={project} store={query.data} list={list} />;
}

/** The item in the dialog; null for a new item. */
type Opened = { item: Item | null; language?: string };

function StoreView({ project, store, list }: { project: Project; store: Store; list: string }) {
  // If a store has very many items, the first items come before the others: the table is there at once.
  const isKnown = useQueryClient().getQueryData(itemsQuery(project.projectId, store._id).queryKey) !== undefined;
  const comesInTwo = !isKnown && store.itemCount > 5 * FIRST_ITEMS;
  const first = useQuery({ ...firstItemsQuery(project.projectId, store._id), enabled: comesInTwo });
  const query = useQuery({
    ...itemsQuery(project.projectId, store._id),
    enabled: !comesInTwo || !first.isPending,
  });
  const [opened, setOpened] = useState<Opened | null>(null);
  const [deleting, setDeleting] = useState<Item | null>(null);
  const [looking, setLooking] = useState<Item | null>(null);
  const [isChanging, setChanging] = useState(false);
  ItemDialog.useFetched();
  const mayEdit = may(project, "edit");
  const discard = useDiscard();
  const items = query.data ?? (query.isPending ? first.data : undefined);
  const add = mayEdit && (
    <AddButton
      isFull={(query.data?.length ?? store.itemCount) >= STORE_ITEMS}
      onClick={() => setOpened({ item: null })}
    />
  );
  return (
    <PageBody>
      <Row wrap align="center" gap={10} gapX={16} mb={16}>
        <BackLink to={list} tone="ink-2" touch className={classes["back"]}>
          Back to Data Stores
        </BackLink>
        <Row wrap align="baseline" gap={2} gapX={10} shrink tone="ink-3" className={classes["title"]}>
          <Heading shrink size="xl" leading={130} tone="ink" breaks>
            <bdi>{store.name}</bdi>
          </Heading>
          <Text as="span" breaks mono>
            {store.apiIdentifier}
          </Text>
          <Text as="span" size="s" breaks num>
            {counted(query.data?.length ?? store.itemCount, "item")}
          </Text>
        </Row>
        {mayEdit && (
          <Row wrap gap={8}>
            <Button
              leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden="true" />}
              onClick={() => setChanging(true)}
            >
              Edit fields
            </Button>
            <Button component={Link} to={`/projects/${project.projectId}/import-texts?store=${store.apiIdentifier}`}>
              Import items
            </Button>
            {add}
          </Row>
        )}
      </Row>
      {!mayEdit && (
        <Box mb={14}>
          <Notice tone="plain">{refusals.edit}</Notice>
        </Box>
      )}
      {query.isPending && items === undefined ? (
        <LoadingRows rows={8} height={44} label="Loading items" />
      ) : items === undefined ? (
        <ErrorState
          message={messageOf(query.error, "Failed to fetch store items.")}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <ItemTable
          project={project}
          store={store}
          items={items}
          isPartial={query.isPending}
          mayEdit={mayEdit}
          onOpen={(item, language) => setOpened({ item, language })}
          onDelete={setDeleting}
          onDiscard={
            discard === null
              ? undefined
              : ({ _id }, name) => discard({ changes: [`item:${_id}`], name, section: `store/${store.apiIdentifier}` })
          }
          onVersions={project.hasHistory ? setLooking : undefined}
        />
      )}
      {opened !== null && (
        <ItemDialog.Part
          key={opened.item?._id ?? "new"}
          project={project}
          store={store}
          item={items?.find(({ _id }) => _id === opened.item?._id) ?? opened.item}
          {...(opened.language === undefined ? {} : { language: opened.language })}
          onClose={() => setOpened(null)}
        />
      )}
      {isChanging && (
        <SettingsDialog.Part projectId={project.projectId} store={store} opened onClose={() => setChanging(false)} />
      )}
      {looking !== null && (
        <VersionsDialog.Part
          project={project}
          store={store}
          item={items?.find(({ _id }) => _id === looking._id) ?? looking}
          onClose={() => setLooking(null)}
        />
      )}
      <DeleteItemDialog project={project} store={store} item={deleting} onClose={() => setDeleting(null)} />
    </PageBody>
  );
}

function AddButton({ isFull, onClick }: { isFull: boolean; onClick: () => void }) {
  const icon = <IconPlus size={15} aria-hidden="true" />;
  if (!isFull) {
    return (
      <Button variant="filled" leftSection={icon} onClick={onClick}>
        Add New Item
      </Button>
    );
  }
  const reason = `A data store holds at most ${STORE_ITEMS.toLocaleString("en")} items.`;
  return (
    <Tooltip label={reason}>
      <Button variant="filled" leftSection={icon} data-disabled aria-disabled="true" aria-description={reason}>
        Add New Item
      </Button>
    </Tooltip>
  );
}
