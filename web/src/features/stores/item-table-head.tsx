/** The head of the items' table, whose columns sort, and the same choice for small screens. */
import { NativeSelect } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@/ui/icons";
import { look } from "@/ui/look";
import { HeadCell, HeadRow, Text } from "@/ui/parts";
import classes from "./item-table.module.css";
import type { StoreField } from "./queries";

export interface Sorting {
  fieldId: string;
  direction: 1 | -1;
}

/** Up, down, and back to the order in which the items were made. */
function nextSorting(fieldId: string, sorting: Sorting | null): Sorting | null {
  if (sorting?.fieldId !== fieldId) return { fieldId, direction: 1 };
  return sorting.direction === 1 ? { fieldId, direction: -1 } : null;
}

export function Head({
  fields,
  sorting,
  onSort,
}: {
  fields: readonly StoreField[];
  sorting: Sorting | null;
  onSort: (sorting: Sorting | null) => void;
}) {
  return (
    <HeadRow className={classes["head"]} role="row" aria-rowindex={1}>
      {fields.map((field) => {
        const direction = sorting?.fieldId === field._id ? sorting.direction : 0;
        const Arrow = direction === -1 ? IconArrowDown : IconArrowUp;
        return (
          <HeadCell
            px={12}
            key={field._id}
            data-type={field.type}
            aria-sort={direction === 0 ? "none" : direction === 1 ? "ascending" : "descending"}
          >
            <button
              className={look({
                layout: "inline",
                align: "center",
                gap: 4,
                shrink: true,
                px: 6,
                py: 4,
                fill: "none",
                border: "none",
                radius: "xs",
                tone: "inherit",
                pointer: true,
              })}
              type="button"
              title={`Sort by ${field.name}`}
              data-sorted={direction !== 0 || undefined}
              onClick={() => onSort(nextSorting(field._id, sorting))}
            >
              <Text as="bdi" truncate>
                {field.name}
              </Text>
              <Arrow size={13} aria-hidden="true" />
            </button>
          </HeadCell>
        );
      })}
      <HeadCell px={12} className={classes["stateHead"]}>
        State
      </HeadCell>
      <HeadCell px={12} className={classes["actionsHead"]}>
        Actions
      </HeadCell>
    </HeadRow>
  );
}

/** On small screens there are no column heads to press. */
export function SortChoice({
  fields,
  sorting,
  onSort,
}: {
  fields: readonly StoreField[];
  sorting: Sorting | null;
  onSort: (sorting: Sorting | null) => void;
}) {
  const choices = fields.flatMap(({ _id, name }) => [
    { value: `1 ${_id}`, label: `${name}, A to Z` },
    { value: `-1 ${_id}`, label: `${name}, Z to A` },
  ]);
  return (
    <NativeSelect
      size="sm"
      aria-label="Sort items"
      data={[{ value: "", label: "In order of creation" }, ...choices]}
      value={sorting === null ? "" : `${sorting.direction} ${sorting.fieldId}`}
      onChange={(event) => {
        const [direction, fieldId] = event.currentTarget.value.split(" ");
        onSort(fieldId === undefined ? null : { fieldId, direction: direction === "1" ? 1 : -1 });
      }}
    />
  );
}
