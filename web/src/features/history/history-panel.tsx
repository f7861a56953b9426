/** The side panel with the versions of something, what each of them differs in, and the way back to it. */
import { Button, Drawer } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError, messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { may, refusals, useProject } from "@/lib/project";
import { dialogFrame } from "@/ui/dialog-frame";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box, Text } from "@/ui/parts";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import classes from "./history-panel.module.css";
import type { Comparison, HistorySource, Version } from "./history-source";
import { NEEDS_PRO } from "./panel-button";
import { VersionDetail } from "./version-detail";
import { VersionList } from "./version-list";

interface Props<Diff extends Comparison> {
  project: Project;
  source: HistorySource<Diff>;
  /** How many edits have not reached the server. */
  unsaved: number;
  onOpen: () => void;
  onClose: () => void;
}

export function HistoryPanel<Diff extends Comparison>({
  opened,
  onClosed,
  ...props
}: Props<Diff> & {
  opened: boolean;
  /** When it has gone from the page. */
  onClosed: () => void;
}) {
  return (
    <Drawer
      opened={opened}
      onClose={props.onClose}
      onExitTransitionEnd={onClosed}
      position="right"
      size="min(520px, 100vw)"
      padding={0}
      title={`History of ${props.source.name}`}
      closeButtonProps={{ "aria-label": "Close" }}
      overlayProps={{ color: "#131312", backgroundOpacity: 0.45 }}
      transitionProps={{ duration: 150 }}
      classNames={{
        ...dialogFrame,
        header: look({ rigid: true, px: 20, py: 14, lineBelow: true }),
        body: `${dialogFrame.body} ${classes["body"]}`,
      }}
    >
      {props.project.hasHistory ? (
        <Versions {...props} />
      ) : (
        <NoHistory project={props.project} onLeave={props.onClose} />
      )}
    </Drawer>
  );
}

function Versions<Diff extends Comparison>({ project, source, unsaved, onOpen, onClose }: Props<Diff>) {
  const query = useInfiniteQuery(source.versions);
  const [chosen, choose] = useState<Version | null>(null);
  if (query.isPending) return <LoadingRows rows={5} height={48} label="Loading versions" />;
  if (query.data === undefined) {
    // The plan may have ended since the project was read.
    if (query.error instanceof ApiError && query.error.code === "tier_feature")
      return <NoHistory project={project} onLeave={onClose} />;
    return <ErrorState message={messageOf(query.error, source.failures.list)} onRetry={() => void query.refetch()} />;
  }
  const versions = query.data.pages.flatMap((page) => page.versions);
  if (versions.length === 0) {
    return (
      <EmptyState title="No published versions yet">
        Each publish that changes {source.name} is kept here, and you can come back to it.
      </EmptyState>
    );
  }
  return (
    <>
      <VersionList
        versions={versions}
        unit={source.unit}
        chosen={chosen}
        onChoose={choose}
        more={
          query.hasNextPage && (
            <Button
              size="xs"
              variant="subtle"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchNextPageError ? `${source.failures.list}. Try again` : "Older versions"}
            </Button>
          )
        }
      />
      {unsaved > 0 && <Unsaved count={unsaved} />}
      {chosen === null ? (
        <Text px={20} py={24} size="s" tone="ink-3">
          Choose a version to see what rolling back to it would change.
        </Text>
      ) : (
        <VersionDetail
          key={chosen.id}
          source={source}
          version={chosen}
          refusal={may(project, "edit") ? null : refusals.edit}
          onRolledBack={onClose}
          onNotUndone={onOpen}
        />
      )}
    </>
  );
}

function Unsaved({ count }: { count: number }) {
  return (
    <Box px={20} pt={12}>
      <Notice tone="warn">
        {count === 1 ? "1 text is not saved yet" : `${count} texts are not saved yet`} and no part of what you see here.
        After a roll back Livery still tries to save {count === 1 ? "it" : "them"}, and asks you where the draft has
        another text.
      </Notice>
    </Box>
  );
}

/** What the plan does not have, and the way to one that does. */
function NoHistory({ project, onLeave }: { project: Project; onLeave: () => void }): ReactNode {
  const { openActivation } = useProject();
  const mayActivate = may(project, "assign_credits");
  return (
    <EmptyState
      title={NEEDS_PRO}
      action={
        mayActivate && (
          <Button
            variant="filled"
            onClick={() => {
              onLeave();
              openActivation({ tier: "pro" });
            }}
          >
            See the Pro Tier
          </Button>
        )
      }
    >
      See every published version, who published it and what changed, and roll back to any of them. This project is on{" "}
      {project.tierName}; its versions are kept already.
      {!mayActivate && ` ${refusals.assign_credits}`}
    </EmptyState>
  );
}
