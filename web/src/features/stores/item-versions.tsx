/** 'Version History' of an item: what apps got and when, and the way back to it. */
import { Button, Modal } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { ApiError, failureOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { may, useProject } from "@/lib/project";
import { formatMoment } from "@/lib/time";
import { announce } from "@/lib/window-events";
import { Badge } from "@/ui/badge";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Notice } from "@/ui/notice";
import { ValueChanges } from "@/ui/value-changes";
import { labelOf } from "./cell-text";
import classes from "./item-versions.module.css";
import { isStaleDraft, useItemWrites } from "./item-writes";
import { type Item, type ItemVersion, type ItemVersionDiff, itemVersionQuery, type Store } from "./queries";

const NO_VERSION = "Invalid version ID.";
/** What is said of a roll back takes the place of what was said of the one before. */
const SAID = { id: "item-rollback" };

export function ItemVersions({
  project,
  store,
  item,
  onClose,
}: {
  project: Project;
  store: Store;
  item: Item;
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState<ItemVersion | null>(null);
  const mayRollBack = may(project, "publish");
  // Every release that changes an item adds a version to it, so the newest of them is what apps have.
  const live = item.publishedVersions.find(({ kind }) => kind === "release");
  return (
    <Modal opened onClose={onClose} title="Version History" size="md">
      <p className={classes["of"]}>
        <bdi>{store.name}</bdi>: {labelOf(item, store.fields, project.defaultLanguage)}
      </p>
      {item.publishedVersions.length === 0 ? (
        <p className={classes["none"]}>No published versions found for this item.</p>
      ) : (
        <ol className={classes["list"]} aria-label="Published versions, newest first">
          {item.publishedVersions.map((version) => (
            <li key={version._id}>
              <div>
                <b className="num">{nameOf(version)}</b> {version === live && <Badge tone="ok">Live now</Badge>}
                <p>
                  <time dateTime={version.timestamp}>{formatMoment(version.timestamp)}</time>
                  {version.by !== "" && (
                    <>
                      , <bdi>{version.by}</bdi>
                    </>
                  )}
                </p>
              </div>
              {mayRollBack && version !== live && (
                <Button size="xs" aria-label={`Rollback to ${nameOf(version)}`} onClick={() => setChosen(version)}>
                  Rollback
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      <ConfirmRollback
        project={project}
        store={store}
        item={item}
        version={chosen}
        onClose={() => setChosen(null)}
        onDone={onClose}
      />
    </Modal>
  );
}

const nameOf = ({ kind, versionNumber }: ItemVersion) =>
  kind === "draft" ? `Version ${versionNumber} (draft before rollback)` : `Version ${versionNumber}`;

function ConfirmRollback({
  project,
  store,
  item,
  version,
  onClose,
  onDone,
}: {
  project: Project;
  store: Store;
  item: Item;
  /** Null closes. */
  version: ItemVersion | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const { projectId } = project;
  const { openActivation } = useProject();
  const { rollBack } = useItemWrites({ projectId, store });
  const [last, setLast] = useState(version);
  const [staleness, setStaleness] = useState<string | null>(null);
  // What the table had when it was asked: for as long as there is no comparison.
  const [seen, setSeen] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  if (version !== null && version !== last) setLast(version);
  if ((version !== null) !== wasOpened) {
    setWasOpened(version !== null);
    setSeen(item.revision);
    if (version !== null) setStaleness(null);
  }
  const comparison = useQuery({
    ...itemVersionQuery(projectId, item, last?._id ?? ""),
    enabled: version !== null,
  });
  const confirm = () => {
    if (last === null || last._id === "") return void toast.error(NO_VERSION, SAID);
    rollBack.mutate(
      { item, versionId: last._id, revision: comparison.data?.revision ?? seen ?? item.revision },
      {
        onSuccess: ({ message }) => {
          toast.success(message, SAID);
          announce("projectUpdated", { projectId });
          onClose();
          onDone();
        },
        onError: (error) => {
          // It asks again, about what would change now.
          if (isStaleDraft(error)) {
            setStaleness(error.message);
            return setSeen(null);
          }
          toast.error(failureOf(error, "Failed to roll back item."), SAID);
          onClose();
          if (error instanceof ApiError && error.status === 402) openActivation();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      opened={version !== null}
      title="Confirm Rollback"
      confirmText="Rollback"
      tone="warning"
      loading={rollBack.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {staleness !== null && (
        <div className={classes["stale"]}>
          <Notice tone="warn" isUrgent>
            {staleness}
          </Notice>
        </div>
      )}
      <p>
        Rolling back overwrites the current draft with {last === null ? "" : nameOf(last).toLowerCase()} and
        re-publishes the project.
      </p>
      <p>
        Only this item goes out to apps; other unpublished changes wait. What you overwrite is kept here as a version of
        its own.
      </p>
      {version !== null && <WhatChanges project={project} comparison={comparison} />}
    </ConfirmDialog>
  );
}

function WhatChanges({
  project,
  comparison: { data, isPending },
}: {
  project: Project;
  comparison: UseQueryResult<ItemVersionDiff>;
}) {
  const nameOf = useLanguageNames();
  // It can be rolled back without having seen it.
  if (data === undefined) return isPending ? <p className={classes["changes"]}>Comparing…</p> : null;
  const { total, values } = data;
  return (
    <section className={classes["changes"]} aria-label="What changes in the draft">
      {total === 0 ? "The draft is as this version already." : null}
      <ValueChanges values={values} languages={project.languages} nameOf={nameOf} />
      {total > values.length && <p>and {(total - values.length).toLocaleString("en")} more values</p>}
    </section>
  );
}
