/** The colours of a project: a list with one form per line, one to add, their history, and the contrast of any two. */
import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import { useDiscard } from "@/lib/discarding";
import { may, refusals, useProject } from "@/lib/project";
import { type Unsaved, useLeaveGuard } from "@/lib/use-leave-guard";
import { Badge } from "@/ui/badge";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { CopyButton } from "@/ui/copy-button";
import { focusIn, isFocusLost } from "@/ui/focus";
import { IconArrowBackUp, IconPencil, IconTrash } from "@/ui/icons";
import { Notice } from "@/ui/notice";
import { PageBody } from "@/ui/page";
import { Renamed } from "@/ui/renamed";
import { ErrorState, LoadingRows } from "@/ui/states";
import { ColorForm } from "./color-form";
import classes from "./colors-page.module.css";
import { ContrastPanel } from "./contrast-panel";
import { EditColor } from "./edit-color";
import { type Color, colorsQuery, refusalOfColor, useColorWrites } from "./queries";

const states = {
  new: { tone: "ok", word: "New" },
  changed: { tone: "warn", word: "Changed" },
  published: { tone: "quiet", word: "Published" },
} as const;

export function ColorsPage({ HistoryButton }: { HistoryButton: ComponentType<{ project: Project }> }) {
  const { project } = useProject();
  const query = useQuery(colorsQuery(project.projectId));
  return (
    <PageBody width="wide">
      {query.isPending ? (
        <LoadingRows rows={6} height={48} label="Loading colours" />
      ) : query.data === undefined ? (
        <ErrorState message={messageOf(query.error, "Failed to load colors")} onRetry={() => void query.refetch()} />
      ) : (
        <>
          {!may(project, "edit") && <Notice tone="plain">{refusals.edit}</Notice>}
          <div className={classes["toolbar"]}>
            <p className="num">{counted(query.data.colors.length, "colour")}</p>
            <HistoryButton project={project} />
          </div>
          <ColorList project={project} colors={query.data.colors} />
          {query.data.colors.length > 0 && <ContrastPanel colors={query.data.colors} />}
        </>
      )}
    </PageBody>
  );
}

function ColorList({ project, colors }: { project: Project; colors: readonly Color[] }) {
  const { projectId } = project;
  const mayEdit = may(project, "edit");
  const { add, remove } = useColorWrites(projectId);
  const [editing, setEditing] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<Color | null>(null);
  const [added, setAdded] = useState(0);
  const [edited, setEdited] = useState<Unsaved>(false);
  const [toAdd, setToAdd] = useState<Unsaved>(false);
  const guard = useLeaveGuard(edited || toAdd, toAdd);
  const list = useRef<HTMLUListElement>(null);
  /** The colour whose pencil takes the focus that its form had. */
  const returning = useRef<string | null>(null);
  useEffect(() => {
    if (returning.current === null || !isFocusLost()) return;
    if (focusIn(list.current, `[data-pencil="${returning.current}"]`)) returning.current = null;
  });
  const open = (key: string) => {
    const begin = () => {
      returning.current = null;
      setEditing(key);
    };
    if (edited) guard.ask(begin);
    else begin();
  };
  const close = (key: string) => {
    returning.current = key;
    setEditing(null);
  };
  const confirmDelete = (color: Color) =>
    remove.mutate(color, {
      onError: (error) => toast.error(messageOf(error, "Failed to delete color")),
      onSettled: () => setDeleting(null),
    });
  return (
    <>
      <div className={classes["list"]}>
        <div className={classes["head"]} aria-hidden="true">
          <span>Colour</span>
          <span>Key</span>
          <span>Nickname</span>
          <span>State</span>
          <span />
        </div>
        {colors.length === 0 && (
          <p className={classes["empty"]}>
            No colours yet.{" "}
            {mayEdit &&
              "Name the first one below, like brand.primary: apps read it by its key and repaint when you publish."}
          </p>
        )}
        <ul ref={list} aria-label="Colours">
          {colors.map((color) => (
            <li key={color.key}>
              {editing === color.key ? (
                <EditColor projectId={projectId} color={color} colors={colors} onDirty={setEdited} onDone={close} />
              ) : (
                <ColorRow
                  color={color}
                  mayEdit={mayEdit}
                  onEdit={() => open(color.key)}
                  onDelete={() => setDeleting(color)}
                />
              )}
            </li>
          ))}
        </ul>
        {mayEdit && (
          <ColorForm
            key={added}
            label="Add a colour"
            submitText="Add colour"
            initial={{ key: "", value: "#000000", nickname: "" }}
            place={{ form: "new color", project: projectId }}
            others={colors}
            autoFocus={added > 0}
            isPending={add.isPending}
            onDirty={setToAdd}
            onSubmit={async (values) => {
              try {
                await add.mutateAsync(values);
                setAdded(added + 1);
                return {};
              } catch (error) {
                return refusalOfColor(error, "Failed to add color");
              }
            }}
          />
        )}
      </div>
      <ConfirmDialog
        opened={deleting !== null}
        title={`Delete “${deleting?.key ?? ""}”?`}
        confirmText="Delete colour"
        tone="danger"
        loading={remove.isPending}
        onConfirm={() => deleting !== null && confirmDelete(deleting)}
        onClose={() => setDeleting(null)}
      >
        {deleting !== null && consequenceOf(deleting, project.hasHistory)}
      </ConfirmDialog>
      <ConfirmDialog
        opened={guard.isAsking}
        title="Discard your changes?"
        confirmText="Discard changes"
        cancelText="Keep editing"
        tone="danger"
        icon={IconArrowBackUp}
        onConfirm={guard.leave}
        onClose={guard.stay}
      >
        The colour that you wrote is not saved.
      </ConfirmDialog>
    </>
  );
}

/** What a deletion does. The history has what apps once had. */
function consequenceOf({ state }: Color, hasHistory: boolean): string {
  if (state === "new") return "The colour will be removed. This action cannot be undone. Apps never had it.";
  const undoing = hasHistory ? "History brings it back." : "This action cannot be undone.";
  return `The colour will be removed. Apps keep it until you publish. ${undoing}`;
}

function ColorRow({
  color,
  mayEdit,
  onEdit,
  onDelete,
}: {
  color: Color;
  mayEdit: boolean;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const discard = useDiscard();
  const state = states[color.state];
  const edit = mayEdit ? onEdit : undefined;
  const isWaiting = color.state !== "published" || color.renamedFrom !== null;
  return (
    <div className={classes["row"]}>
      <Part className="color" onEdit={edit}>
        <i style={{ background: color.value }} aria-hidden="true" />
        <span className="mono">{color.value}</span>
      </Part>
      <span className={classes["key"]}>{color.key}</span>
      <Part className="nickname" onEdit={edit}>
        {color.nickname}
      </Part>
      <span className={classes["state"]}>
        {color.renamedFrom === null ? (
          <Badge tone={state.tone}>{state.word}</Badge>
        ) : (
          <Renamed from={color.renamedFrom} />
        )}
      </span>
      <span className={classes["actions"]}>
        <span className={classes["copy"]}>
          <CopyButton value={color.key} label={`Copy key ${color.key}`} copied={`${color.key} copied`} />
        </span>
        {mayEdit && discard !== null && isWaiting && (
          <Tooltip label="Discard changes">
            <ActionIcon
              size={26}
              aria-label={`Discard changes of ${color.key}`}
              onClick={() => discard({ changes: [`color:${color.key}`], name: color.key })}
            >
              <IconArrowBackUp size={15} aria-hidden="true" />
            </ActionIcon>
          </Tooltip>
        )}
        {mayEdit && (
          <>
            <Tooltip label="Edit">
              <ActionIcon size={26} aria-label={`Edit ${color.key}`} data-pencil={color.key} onClick={onEdit}>
                <IconPencil size={15} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Delete">
              <ActionIcon size={26} aria-label={`Delete ${color.key}`} onClick={onDelete}>
                <IconTrash size={15} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
          </>
        )}
      </span>
    </div>
  );
}

/** A part of a row that opens its form when it is clicked. The keyboard has the row's pencil for that. */
function Part({
  className,
  onEdit,
  children,
}: {
  className: "color" | "nickname";
  onEdit: (() => void) | undefined;
  children: ReactNode;
}) {
  if (onEdit === undefined) return <span className={classes[className]}>{children}</span>;
  return (
    <UnstyledButton tabIndex={-1} title="Edit" className={classes[className] ?? ""} onClick={onEdit}>
      {children}
    </UnstyledButton>
  );
}
