/** A colour of the list: its parts open the form, and the buttons of the row do the rest. */
import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { useDiscard } from "@/lib/discarding";
import { Badge } from "@/ui/badge";
import { CopyButton } from "@/ui/copy-button";
import { IconArrowBackUp, IconPencil, IconTrash } from "@/ui/icons";
import { look } from "@/ui/look";
import { Grid, Row, Text } from "@/ui/parts";
import { Renamed } from "@/ui/renamed";
import classes from "./colors-page.module.css";
import type { Color } from "./queries";

const states = {
  new: { tone: "ok", word: "New" },
  changed: { tone: "warn", word: "Changed" },
  published: { tone: "quiet", word: "Published" },
} as const;

export function ColorRow({
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
    <Grid align="center" gap={8} px={14} py={8} hover reveals minH={48} className={classes["row"]}>
      <Part of="color" onEdit={edit}>
        <i style={{ background: color.value }} aria-hidden="true" />
        <span className="mono">{color.value}</span>
      </Part>
      <span className={look({ size: "note", breaks: true, code: true }, classes["key"])}>{color.key}</span>
      <Part of="nickname" onEdit={edit}>
        {color.nickname}
      </Part>
      <Row as="span" className={classes["state"]}>
        {color.renamedFrom === null ? (
          <Badge tone={state.tone}>{state.word}</Badge>
        ) : (
          <Renamed from={color.renamedFrom} />
        )}
      </Row>
      <Row as="span" justify="end" reveal className={classes["actions"]}>
        <Text as="span" hide="small">
          <CopyButton value={color.key} label={`Copy key ${color.key}`} copied={`${color.key} copied`} />
        </Text>
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
      </Row>
    </Grid>
  );
}

/** A part of a row that opens its form when it is clicked. The keyboard has the row's pencil for that. */
function Part({
  of,
  onEdit,
  children,
}: {
  of: "color" | "nickname";
  onEdit: (() => void) | undefined;
  children: ReactNode;
}) {
  const className =
    of === "color"
      ? look({ layout: "inline", align: "center", gap: 10 }, classes["color"])
      : look({ tone: "ink-2", breaks: true }, classes["nickname"]);
  if (onEdit === undefined) return <span className={className}>{children}</span>;
  return (
    <UnstyledButton tabIndex={-1} title="Edit" className={className} onClick={onEdit}>
      {children}
    </UnstyledButton>
  );
}
