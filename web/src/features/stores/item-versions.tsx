/** 'Version History' of an item: what apps got and when, and the way back to it. */
import { Button, Modal } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import toast from "react-hot-toast";
import { ApiError, failureOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { may, useProject } from "@/lib/project";
import { formatMoment } from "@/lib/time";
import { announce } from "@/lib/window-events";
import { Badge } from "@/ui/badge";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box, Row, Text } from "@/ui/parts";
import { ValueChanges } from "@/ui/value-changes";
import { labelOf } from "./cell-text";
import classes from "./item-versions.module.css";
import { isStaleDraft, useItemWrites } from "./item-writes";
import { type Item, type ItemVersion, type ItemVersionDiff, itemVersionQuery, type Store } from "./queries";

const NO_VERSION = "Invalid version ID.";
const TO_DRAFT = "Bring back to the draft";
const DISCARD = "Discard the draft";
const questions = {
  rollback: { title: "Confirm Rollback", confirm: "Rollback", failure: "Failed to roll back item." },
  draft: { title: TO_DRAFT, confirm: TO_DRAFT, failure: "Failed to bring the version back to the draft." },
  discard: { title: DISCARD, confirm: DISCARD, failure: "Failed to discard the draft." },
};
/** To apps as well, or to the draft alone: of a draft that was overwritten, or of what apps have. */
type Way = "rollback" | "draft" | "discard";
interface Choice {
  version: ItemVersion;
  way: Way;
}
/**
 * The id of the toast about a version. It replaces the toast before it about the version; the toast about a different
 * version may be just about to go.
 */
const said = (versionId: string) => ({ id: `item-rollback/${versionId}` });

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
  const [chosen, setChosen] = useState<Choice | null>(null);
  const mayRollBack = may(project, "publish");
  // Every release that changes an item adds a version to it, so the newest of them is what apps have.
  const live = item.publishedVersions.find(({ kind }) => kind === "release");
  const wayTo = (version: ItemVersion): Way | null => {
    if (version.kind === "draft") return "draft";
    if (version !== live) return "rollback";
    return item.state === "changed" ? "discard" : null;
  };
  return (
    <Modal opened onClose={onClose} title="Version History" size="md">
      <Text mb={12} tone="ink-2" breaks>
        <bdi>{store.name}</bdi>: {labelOf(item, store.fields, project.defaultLanguage)}
      </Text>
      {item.publishedVersions.length === 0 ? (
        <Text py={28} tone="ink-2" textAlign="center">
          No published versions found for this item.
        </Text>
      ) : (
        <Box
          as="ol"
          lineAbove
          lineBelow
          scroll
          className={classes["list"]}
          aria-label="Published versions, newest first"
        >
          {item.publishedVersions.map((version) => (
            <Row as="li" align="center" justify="between" gap={12} px={2} py={8} lineBelow key={version._id}>
              <div>
                <Text as="b" weight={600} num>
                  {nameOf(version)}
                </Text>{" "}
                {version === live && <Badge tone="ok">Live now</Badge>}
                <Text size="s" tone="ink-3" breaks>
                  <time dateTime={version.timestamp}>{formatMoment(version.timestamp)}</time>
                  {version.by !== "" && (
                    <>
                      , <bdi>{version.by}</bdi>
                    </>
                  )}
                  {version.kind === "release" && ` · ${releaseOf(version)}`}
                </Text>
              </div>
              {mayRollBack && <WayButton version={version} way={wayTo(version)} onChoose={setChosen} />}
            </Row>
          ))}
        </Box>
      )}
      <ConfirmRollback
        project={project}
        store={store}
        item={item}
        choice={chosen}
        onClose={() => setChosen(null)}
        onDone={onClose}
      />
    </Modal>
  );
}

const nameOf = (version: ItemVersion) => {
  const name = `Version ${version.versionNumber}`;
  if (version.kind === "release") return name;
  const cause =
    version.restored === null ? "overwritten draft" : `draft before release ${version.restored} was restored`;
  return `${name} (${cause})`;
};

/** 'Release 6', 'Release 6 · restored release 4'. */
const releaseOf = ({ release, restored }: ItemVersion) =>
  restored === null ? `Release ${release}` : `Release ${release} · restored release ${restored}`;

function WayButton({
  version,
  way,
  onChoose,
}: {
  version: ItemVersion;
  /** Null if nothing leads back. */
  way: Way | null;
  onChoose: (choice: Choice) => void;
}) {
  if (way === null) return null;
  const words = { rollback: "Rollback", draft: TO_DRAFT, discard: DISCARD }[way];
  const names = {
    rollback: `Rollback to ${nameOf(version)}`,
    draft: `${TO_DRAFT}: ${nameOf(version)}`,
    discard: DISCARD,
  };
  return (
    <Button
      className={look({ rigid: true })}
      size="xs"
      aria-label={names[way]}
      onClick={() => onChoose({ version, way })}
    >
      {words}
    </Button>
  );
}

function ConfirmRollback({
  project,
  store,
  item,
  choice,
  onClose,
  onDone,
}: {
  project: Project;
  store: Store;
  item: Item;
  /** Null closes. */
  choice: Choice | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const { projectId } = project;
  const { openActivation } = useProject();
  const { rollBack } = useItemWrites({ projectId, store });
  const [last, setLast] = useState(choice);
  const [staleness, setStaleness] = useState<string | null>(null);
  // What the table had when it was asked: for as long as there is no comparison.
  const [seen, setSeen] = useState<number | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  if (choice !== null && choice !== last) setLast(choice);
  if ((choice !== null) !== wasOpened) {
    setWasOpened(choice !== null);
    setSeen(item.revision);
    if (choice !== null) setStaleness(null);
  }
  const versionId = last?.version._id ?? "";
  const way = last?.way ?? "rollback";
  const words = questions[way];
  const comparison = useQuery({
    ...itemVersionQuery(projectId, item, versionId),
    enabled: choice !== null,
  });
  const confirm = () => {
    if (versionId === "") return void toast.error(NO_VERSION, said(versionId));
    const revision = comparison.data?.revision ?? seen ?? item.revision;
    rollBack.mutate(
      { item, versionId, revision, isDraftOnly: way !== "rollback" },
      {
        onSuccess: ({ message }) => {
          toast.success(message, said(versionId));
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
          toast.error(failureOf(error, words.failure), said(versionId));
          onClose();
          if (error instanceof ApiError && error.status === 402) openActivation();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      opened={choice !== null}
      title={words.title}
      confirmText={words.confirm}
      tone="warning"
      loading={rollBack.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {staleness !== null && (
        <Box mb={12}>
          <Notice tone="warn" isUrgent>
            {staleness}
          </Notice>
        </Box>
      )}
      {last !== null && <Consequences item={item} {...last} />}
      {choice !== null && <WhatChanges project={project} way={way} comparison={comparison} />}
    </ConfirmDialog>
  );
}

function Consequences({ item, version, way }: Choice & { item: Item }) {
  const name = nameOf(version).toLowerCase();
  if (way === "rollback") {
    return (
      <>
        <p>Rolling back overwrites the current draft with {name} and re-publishes the project.</p>
        <p>
          Only this item is published; other unpublished changes stay in the draft. What you overwrite is kept here as a
          version of its own.
        </p>
      </>
    );
  }
  return (
    <>
      <p>
        {way === "draft"
          ? `The draft of this item becomes ${name}.`
          : `The draft of this item becomes what apps have: ${name}.`}{" "}
        Apps are not changed.
      </p>
      {item.state !== "published" && (
        <p>
          {way === "draft" ? "The draft that it overwrites" : "What you discard"} is kept here as a version of its own.
        </p>
      )}
    </>
  );
}

function WhatChanges({
  project,
  way,
  comparison: { data, isPending },
}: {
  project: Project;
  way: Way;
  comparison: UseQueryResult<ItemVersionDiff>;
}) {
  // It can be rolled back without having seen it.
  if (data === undefined)
    return isPending ? (
      <Text pt={6} mt={12} lineAbove scroll size="s" tone="ink-2" className={classes["changes"]}>
        Comparing…
      </Text>
    ) : null;
  if (way !== "rollback") {
    return (
      <Changes label="What changes in the draft" project={project} changes={data}>
        {data.total === 0 && "The draft is as this version already."}
      </Changes>
    );
  }
  const { apps, overwritten, publishes } = data;
  return (
    <>
      <Changes label="What changes for apps" project={project} changes={apps}>
        {!publishes && "Apps have this version already: nothing is published."}
      </Changes>
      {overwritten.total > 0 && (
        <Changes label="What is overwritten in the draft" project={project} changes={overwritten}>
          In the draft this overwrites what apps don't have:
        </Changes>
      )}
    </>
  );
}

function Changes({
  label,
  project,
  changes: { total, values },
  children,
}: {
  label: string;
  project: Project;
  changes: ItemVersionDiff["apps"];
  /** What is shown above them. */
  children: ReactNode;
}) {
  const nameOf = useLanguageNames();
  return (
    <Box
      as="section"
      pt={6}
      mt={12}
      lineAbove
      scroll
      size="s"
      tone="ink-2"
      className={classes["changes"]}
      aria-label={label}
    >
      {children}
      <ValueChanges values={values} languages={project.languages} nameOf={nameOf} />
      {total > values.length && <p>and {(total - values.length).toLocaleString("en")} more values</p>}
    </Box>
  );
}
