/**
 * The items of a store as a table: a column per field, sorted and filtered. When there are many, only the rows in view
 * are drawn.
 */
// biome-ignore-all lint/a11y/useSemanticElements: rows that float, and that stack on small screens, can't be those of a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows' buttons take the focus, not the rows.
import { CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type CSSProperties, useDeferredValue, useMemo, useState } from "react";
import type { Project } from "@/lib/api-types";
import { textOf } from "@/lib/field-types/known";
import { useLanguageNames } from "@/lib/languages";
import { LARGE } from "@/ui/breakpoints";
import { DataRows } from "@/ui/data-list";
import { IconSearch } from "@/ui/icons";
import { look } from "@/ui/look";
import { ALL_DRAWN, Box, Row, Text } from "@/ui/parts";
import { compareValues, valueIn } from "./cell-text";
import { ItemRow, type RowActions } from "./item-row";
import classes from "./item-table.module.css";
import { Head, SortChoice, type Sorting } from "./item-table-head";
import type { Item, Store, StoreField } from "./queries";

export function ItemTable({
  project,
  store,
  items,
  isPartial,
  mayEdit,
  ...actions
}: {
  project: Project;
  store: Store;
  items: readonly Item[];
  /** These are the first; the others are on their way. */
  isPartial: boolean;
  mayEdit: boolean;
} & RowActions) {
  const [language, setLanguage] = useState(project.defaultLanguage);
  const [filter, setFilter] = useState("");
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const nameOf = useLanguageNames();
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  const shownIn = project.languages.includes(language) ? language : project.defaultLanguage;
  const rows = useShownItems(store.fields, items, shownIn, useDeferredValue(filter), sorting);
  const isTranslated = store.fields.some(({ isTranslatable }) => isTranslatable) && project.languages.length > 1;

  if (items.length === 0) {
    return (
      <Box surface shadow bleed className={classes["frame"]}>
        <Text px={24} py={48} tone="ink-2" textAlign="center" balance>
          No items found in this Data Store yet.
        </Text>
      </Box>
    );
  }
  const row = (item: Item, index: number) => (
    <ItemRow
      item={item}
      index={index}
      fields={store.fields}
      language={nameOf(shownIn)}
      isDefault={shownIn === project.defaultLanguage}
      mayEdit={mayEdit}
      {...actions}
    />
  );
  return (
    <>
      <Row wrap align="center" gap={8} gapX={12} mb={12} size="s" tone="ink-3" className={classes["tools"]}>
        <TextInput
          size="sm"
          type="search"
          className={classes["filter"]}
          aria-label="Filter items"
          placeholder="Filter items"
          leftSection={<IconSearch size={15} aria-hidden="true" />}
          rightSection={
            filter !== "" && <CloseButton size="sm" aria-label="Clear the filter" onClick={() => setFilter("")} />
          }
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        {isTranslated && (
          <NativeSelect
            size="sm"
            aria-label="Language of the table"
            data={project.languages.map((code) => ({
              value: code,
              label: `${nameOf(code).flag || code} ${nameOf(code).name}`,
            }))}
            value={shownIn}
            onChange={(event) => setLanguage(event.currentTarget.value)}
          />
        )}
        {!isLarge && <SortChoice fields={store.fields} sorting={sorting} onSort={setSorting} />}
        {isPartial ? (
          <span role="status">Loading all items…</span>
        ) : (
          filter !== "" && (
            <span className="num" role="status">
              {rows.length.toLocaleString("en")} of {items.length.toLocaleString("en")}
            </span>
          )
        )}
      </Row>
      <div
        className={look({ surface: true, shadow: true, bleed: true }, classes["frame"])}
        role="table"
        aria-label={`Items of ${store.name}`}
        aria-rowcount={rows.length + 1}
        aria-colcount={store.fields.length + 2}
        style={columnsOf(store.fields)}
      >
        {/* Stacked rows scroll with the page: a list that scrolls by itself is a trap for a thumb. */}
        <div className={classes["scroll"]} data-tall={(isLarge && rows.length > ALL_DRAWN) || undefined}>
          <Head fields={store.fields} sorting={sorting} onSort={setSorting} />
          <DataRows rows={rows} isFramed={isLarge} height={isLarge ? 44 : 190} className={classes["rows"]}>
            {row}
          </DataRows>
        </div>
        {rows.length === 0 && !isPartial && (
          <Text px={24} py={48} tone="ink-2" textAlign="center" balance>
            No item has “{filter}”.
          </Text>
        )}
      </div>
    </>
  );
}

const widths: Readonly<Record<StoreField["type"], string>> = {
  String: "minmax(140px, 2fr)",
  RichText: "minmax(150px, 2fr)",
  Media: "minmax(150px, 1.4fr)",
  Number: "minmax(96px, 1fr)",
  Date: "minmax(122px, 1fr)",
  Boolean: "minmax(96px, 0.7fr)",
};

const columnsOf = (fields: readonly StoreField[]) =>
  ({ "--columns": fields.map(({ type }) => widths[type]).join(" ") }) as CSSProperties;

/** The items that have the filter's text in a column, in the order asked for. */
function useShownItems(
  fields: readonly StoreField[],
  items: readonly Item[],
  language: string,
  filter: string,
  sorting: Sorting | null,
): readonly Item[] {
  const sorted = useMemo(() => {
    const field = fields.find(({ _id }) => _id === sorting?.fieldId);
    if (sorting === null || field === undefined) return items;
    return items.toSorted((a, b) =>
      compareValues(valueIn(a, field, language), valueIn(b, field, language), field, sorting.direction),
    );
  }, [fields, items, language, sorting]);
  const wanted = filter.trim().toLocaleLowerCase();
  const isFiltered = wanted !== "";
  const texts = useMemo(() => {
    const found = new Map<Item, string>();
    if (!isFiltered) return found;
    for (const item of items) {
      const words = fields.map((field) => textOf(valueIn(item, field, language), field));
      found.set(item, words.join("\n").toLocaleLowerCase());
    }
    return found;
  }, [fields, items, language, isFiltered]);
  return useMemo(
    () => (wanted === "" ? sorted : sorted.filter((item) => texts.get(item)?.includes(wanted))),
    [sorted, texts, wanted],
  );
}
