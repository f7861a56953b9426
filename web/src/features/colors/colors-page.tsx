import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import { may, refusals, useProject } from "@/lib/project";
import { type Unsaved, useLeaveGuard } from "@/lib/use-leave-guard";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { focusIn, isFocusLost } from "@/ui/focus";
import { IconArrowBackUp } from "@/ui/icons";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { PageBody } from "@/ui/page";
import { Box, HeadRow, Row } from "@/ui/parts";
import { ErrorState, LoadingRows } from "@/ui/states";
import { ColorForm } from "./color-form";
import { ColorRow } from "./color-row";
import classes from "./colors-page.module.css";
import { ContrastPanel } from "./contrast-panel";
import { EditColor } from "./edit-color";
import { type Color, colorsQuery, refusalOfColor, useColorWrites } from "./queries";

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
          <Row align="center" justify="between" gap={12} mb={12} size="s" tone="ink-2" className={classes["toolbar"]}>
            <p className="num">{counted(query.data.colors.length, "colour")}</p>
            <HistoryButton project={project} />
          </Row>
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
      <Box surface shadow bleed className={classes["list"]}>
        <HeadRow align="center" gap={8} px={14} minH={40} className={classes["head"]} aria-hidden="true">
          <span>Colour</span>
          <span>Key</span>
          <span>Nickname</span>
          <span>State</span>
        </HeadRow>
        {colors.length === 0 && (
          <p className={look({ px: 24, py: 36, lineBelow: true, tone: "ink-2", textAlign: "center", balance: true })}>
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
      </Box>
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
