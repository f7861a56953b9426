/** One item in the table. */
// biome-ignore-all lint/a11y/useSemanticElements: as in the table that this is a row of.
// biome-ignore-all lint/a11y/useFocusableInteractive: the row's buttons take the focus, not the row.
import { ActionIcon, Tooltip } from "@mantine/core";
import { typeOf } from "@/lib/field-types/known";
import type { LanguageName } from "@/lib/languages";
import { pictureOf } from "@/lib/picture";
import { IconArrowBackUp, IconEye, IconHistory, IconPencil, IconTrash } from "@/ui/icons";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
import { Thumbnail } from "@/ui/thumbnail";
import { labelOf, shownText, valueIn } from "./cell-text";
import classes from "./item-table.module.css";
import type { Item, StoreField } from "./queries";
import { StateBadge } from "./state-badge";

export interface RowActions {
  onOpen: (item: Item, language: string) => void;
  onDelete: (item: Item) => void;
  /** Undefined where changes can't be discarded. */
  onDiscard: ((item: Item, name: string) => void) | undefined;
  /** Undefined for plans without history. */
  onVersions: ((item: Item) => void) | undefined;
}

export function ItemRow({
  item,
  index,
  fields,
  language,
  isDefault,
  mayEdit,
  onOpen,
  onDelete,
  onDiscard,
  onVersions,
}: {
  item: Item;
  index: number;
  fields: readonly StoreField[];
  language: LanguageName;
  isDefault: boolean;
  mayEdit: boolean;
} & RowActions) {
  const label = labelOf(item, fields, language.code);
  const name = label === "this item" ? `item ${index + 1}` : label;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the row's pencil for that.
    <div
      className={look(
        { layout: "grid", minH: 44, fill: "surface", lineBelow: true, pointer: true, hover: true },
        classes["row"],
      )}
      role="row"
      aria-rowindex={index + 2}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest("button, a") === null && !isSelecting()) {
          onOpen(item, language.code);
        }
      }}
    >
      {fields.map((field) => (
        <div
          className={look({ shrink: true, px: 12, py: 11, lineH: 21, breaks: true, smallGap: 10 }, classes["cell"])}
          key={field._id}
          role="cell"
          data-type={field.type}
        >
          <span
            className={look({ textAlign: "start", truncate: true, size: "s", tone: "ink-3" }, classes["label"])}
            aria-hidden="true"
          >
            {field.name}
          </span>
          <Cell item={item} field={field} language={language} isDefault={isDefault} />
        </div>
      ))}
      <div className={look({ place: "sticky", px: 12, py: 11, smallP: 0 }, classes["state"])} role="cell">
        <StateBadge state={item.state} />
      </div>
      <div
        className={look(
          { layout: "row", align: "center", justify: "end", place: "sticky", px: 8, smallP: 0 },
          classes["actions"],
        )}
        role="cell"
      >
        {onVersions !== undefined && (
          <RowButton label="Version History" name={name} onClick={() => onVersions(item)}>
            <IconHistory size={15} aria-hidden="true" />
          </RowButton>
        )}
        <RowButton label={mayEdit ? "Edit" : "View"} name={name} onClick={() => onOpen(item, language.code)}>
          {mayEdit ? <IconPencil size={15} aria-hidden="true" /> : <IconEye size={15} aria-hidden="true" />}
        </RowButton>
        {mayEdit && onDiscard !== undefined && item.state !== "published" && (
          <RowButton label="Discard changes" name={name} onClick={() => onDiscard(item, name)}>
            <IconArrowBackUp size={15} aria-hidden="true" />
          </RowButton>
        )}
        {mayEdit && (
          <RowButton label="Delete" name={name} onClick={() => onDelete(item)}>
            <IconTrash size={15} aria-hidden="true" />
          </RowButton>
        )}
      </div>
    </div>
  );
}

/** Who marks text to copy it does not mean to open the item. */
const isSelecting = () => (window.getSelection()?.toString() ?? "") !== "";

function RowButton({
  label,
  name,
  onClick,
  children,
}: {
  label: string;
  name: string;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={28} aria-label={`${label}: ${name}`} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function Cell({
  item,
  field,
  language,
  isDefault,
}: {
  item: Item;
  field: StoreField;
  language: LanguageName;
  isDefault: boolean;
}) {
  const value = valueIn(item, field, language.code);
  if (value === undefined) {
    const isRequired = field.required && (isDefault || !field.isTranslatable);
    if (isRequired)
      return (
        <Text clamp={2} textAlign="start" as="span" tone="bad">
          Missing
        </Text>
      );
    return (
      <Text clamp={2} textAlign="start" as="span" tone="ink-3">
        {!isDefault && field.isTranslatable ? "Missing" : "–"}
      </Text>
    );
  }
  const text = shownText(value, field);
  const { isPicture, isText } = typeOf(field);
  if (isPicture) {
    const picture = pictureOf(value, 64);
    // The key is enough for an image of the library.
    const name = picture === null ? text : shownText(String(value).split("/").at(-1), field);
    return (
      <span
        className={look(
          {
            layout: "row",
            align: "center",
            gap: 8,
            shrink: true,
            clip: true,
            code: true,
            size: "xs",
            textAlign: "start",
          },
          classes["media"],
        )}
      >
        {picture !== null && <Thumbnail src={picture} size={28} />}
        <Text as="span" truncate title={String(value)}>
          {name}
        </Text>
      </span>
    );
  }
  return (
    <span
      className={look({ clamp: 2, textAlign: "start" })}
      {...(isText && field.isTranslatable ? { dir: language.direction, lang: language.code } : { dir: "auto" })}
    >
      {text}
    </span>
  );
}
