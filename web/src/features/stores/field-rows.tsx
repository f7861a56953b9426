/** The fields of a store, one row each: named, typed, put in order, added and removed. */
import { ActionIcon, Button, Checkbox, NativeSelect, TextInput, Tooltip } from "@mantine/core";
import { useEffect, useRef } from "react";
import { fieldTypes } from "@/lib/field-types/known";
import { FIELD_NAME_CHARACTERS, STORE_FIELDS } from "@/lib/limits.gen";
import { focusIn } from "@/ui/focus";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@/ui/icons";
import { look } from "@/ui/look";
import { Box, Grid, Row, Text } from "@/ui/parts";
import { type FieldDraft, type FieldProblems, moved, newField } from "./field-drafts";
import classes from "./field-rows.module.css";
import type { FieldType } from "./queries";

const typeChoices = fieldTypes.map(({ name, meaning }) => ({ value: name, label: `${meaning} (${name})` }));

export function FieldRows({
  fields,
  problems,
  lockedTypes = false,
  onChange,
}: {
  fields: readonly FieldDraft[];
  problems: FieldProblems;
  /** Whether the type of a field that exists already stays as it is. */
  lockedTypes?: boolean;
  onChange: (fields: readonly FieldDraft[]) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const focusRow = useRef<string | null>(null);
  useEffect(() => {
    const row = focusRow.current;
    focusRow.current = null;
    if (row !== null) focusIn(list.current, `[data-row="${row}"] input`);
  });
  const change = (row: string, values: Partial<FieldDraft>) =>
    onChange(fields.map((field) => (field.row === row ? { ...field, ...values } : field)));
  const add = () => {
    const field = newField();
    focusRow.current = field.row;
    onChange([...fields, field]);
  };
  const remove = (index: number) => {
    // The focus would go with the button.
    focusRow.current = (fields[index + 1] ?? fields[index - 1])?.row ?? null;
    onChange(fields.filter((_, at) => at !== index));
  };
  return (
    <Box as="fieldset" shrink p={0} m={0} border="none">
      <legend className={look({ p: 0, mb: 6, size: "s", weight: 500 })}>Fields</legend>
      <ul className={look({ mb: 10, lineAbove: true, lineBelow: true })} ref={list} aria-label="Fields">
        {fields.map((field, index) => (
          <FieldRow
            key={field.row}
            field={field}
            number={index + 1}
            problem={problems.rows.get(field.row)}
            isTypeLocked={lockedTypes && field._id !== undefined}
            onChange={(values) => change(field.row, values)}
            onRemove={() => remove(index)}
            onUp={index === 0 ? undefined : () => onChange(moved(fields, index, -1))}
            onDown={index === fields.length - 1 ? undefined : () => onChange(moved(fields, index, 1))}
          />
        ))}
      </ul>
      {fields.length === 0 && (
        <Text mb={10} size="s" tone="ink-3">
          A store without fields holds empty items.
        </Text>
      )}
      <Button
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        disabled={fields.length >= STORE_FIELDS}
        onClick={add}
      >
        Add Field
      </Button>
      {fields.length >= STORE_FIELDS && (
        <Text mb={10} size="s" tone="ink-3">
          A store has at most {STORE_FIELDS} fields.
        </Text>
      )}
    </Box>
  );
}

function FieldRow({
  field,
  number,
  problem,
  isTypeLocked,
  onChange,
  onRemove,
  onUp,
  onDown,
}: {
  field: FieldDraft;
  number: number;
  problem: string | undefined;
  isTypeLocked: boolean;
  onChange: (values: Partial<FieldDraft>) => void;
  onRemove: () => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}) {
  const name = field.name.trim() === "" ? `field ${number}` : field.name.trim();
  return (
    <Grid
      as="li"
      align="start"
      py={8}
      lineBelow
      gap={8}
      gapX={14}
      smallPy={12}
      className={classes["row"]}
      data-row={field.row}
      aria-label={`Field ${number}`}
    >
      <TextInput
        size="sm"
        aria-label={`Name of field ${number}`}
        placeholder="Field name"
        value={field.name}
        error={problem}
        maxLength={FIELD_NAME_CHARACTERS}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <NativeSelect
        size="sm"
        className={classes["type"]}
        aria-label={`Type of ${name}`}
        data={typeChoices}
        value={field.type}
        disabled={isTypeLocked}
        {...(isTypeLocked ? { title: "Remove the field and add a new field." } : {})}
        onChange={(event) => onChange({ type: event.currentTarget.value as FieldType })}
      />
      <Row align="center" gap={14} minH={34} touch className={classes["flags"]}>
        <Checkbox
          label="Translatable"
          aria-label={`${name} is translatable`}
          checked={field.isTranslatable}
          onChange={(event) => onChange({ isTranslatable: event.currentTarget.checked })}
        />
        <Checkbox
          label="Required"
          aria-label={`${name} is required`}
          checked={field.required}
          onChange={(event) => onChange({ required: event.currentTarget.checked })}
        />
      </Row>
      <Row align="center" gap={2} minH={34} className={classes["tools"]}>
        <RowButton label={`Move ${name} up`} onClick={onUp}>
          <IconArrowUp size={15} aria-hidden="true" />
        </RowButton>
        <RowButton label={`Move ${name} down`} onClick={onDown}>
          <IconArrowDown size={15} aria-hidden="true" />
        </RowButton>
        <RowButton label={`Remove ${name}`} onClick={onRemove}>
          <IconTrash size={15} aria-hidden="true" />
        </RowButton>
      </Row>
    </Grid>
  );
}

function RowButton({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: (() => void) | undefined;
  children: React.ReactNode;
}) {
  const isOff = onClick === undefined;
  // Stays in the tab order at the list's end, so that a field moved there keeps the focus.
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={28}
        aria-label={label}
        {...(isOff ? { "data-disabled": true, "aria-disabled": true } : {})}
        onClick={() => onClick?.()}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
