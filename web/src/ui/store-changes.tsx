/** What differs in one Data Store: the store itself, and its items value by value. */
import type { ReactNode } from "react";
import {
  type EntryWarnings,
  type ItemChange,
  isOwnChange,
  keptBack,
  type PlaceWarnings,
  type StoreDiff,
} from "@/lib/diff";
import type { LanguageName } from "@/lib/languages";
import type { WholeLists } from "@/lib/use-whole-lists";
import { Badge } from "./badge";
import { ChangeRow } from "./change-row";
import { DiffSection, type Revealed } from "./diff-section";
import { ChangeHead, changes } from "./key-change";
import lines from "./key-change.module.css";
import { look } from "./look";
import { Text } from "./parts";
import { StoreItself } from "./store-itself";
import { ValueChanges } from "./value-changes";
import { OtherWarnings, sectionOf, WarningBadges, WarningLines } from "./value-warnings";

export function StoreChanges({
  store,
  languages,
  nameOf,
  warnings,
  isFolded,
  revealed,
  whole,
}: {
  store: StoreDiff;
  /** In the project's order. */
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
  warnings: PlaceWarnings | undefined;
  isFolded: boolean;
  revealed: Revealed | null;
  whole: WholeLists | undefined;
}) {
  const rest = keptBack(store);
  const found = new Map(warnings?.entries.map((entry) => [entry._id, entry]));
  return (
    <DiffSection
      id={sectionOf({ screen: null, store: store.store })}
      label={`Data Store ${store.name}`}
      title={
        <>
          <bdi>{store.name}</bdi>
          <Text as="span" size="s" tone="ink-3">
            Data Store
          </Text>
          {store.change !== "changed" && (
            <Badge tone={changes[store.change].tone}>
              {store.change === "added" ? "New Data Store" : "Data Store removed"}
            </Badge>
          )}
        </>
      }
      count={store.total === 1 ? "1 change" : `${store.total.toLocaleString("en")} changes`}
      isFolded={isFolded}
      revealed={revealed}
      lines={store.items}
      rest={rest}
      of={rest === 1 ? "item" : "items"}
      whole={whole}
      idOf={({ _id }) => _id}
      before={isOwnChange(store) && <StoreItself store={store} />}
      after={
        <OtherWarnings
          warnings={warnings}
          shown={store.items.map(({ _id }) => _id)}
          nameOf={nameOf}
          marked={revealed?.entry}
        />
      }
    >
      {(item, isMarked) => (
        <ItemLine
          key={item._id}
          item={item}
          languages={languages}
          nameOf={nameOf}
          warnings={found.get(item._id)}
          isMarked={isMarked}
        />
      )}
    </DiffSection>
  );
}

export function ItemLine({
  item,
  languages,
  nameOf,
  warnings,
  isMarked = false,
  badge,
  children,
}: {
  item: ItemChange;
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
  warnings?: EntryWarnings | undefined;
  isMarked?: boolean;
  badge?: ReactNode;
  /** Below its values. */
  children?: ReactNode;
}) {
  const of = { ref: item.ref, name: item.label === "" ? "Item" : item.label };
  return (
    <ChangeRow of={of} className={look({ py: 9, lineBelow: true }, lines["key"])} isMarked={isMarked}>
      <ChangeHead of={of} change={item.change} by={item.by} at={item.at}>
        {badge}
        <WarningBadges warnings={warnings} />
      </ChangeHead>
      <ValueChanges values={item.values} languages={languages} nameOf={nameOf} />
      {children}
      <WarningLines warnings={warnings} nameOf={nameOf} />
    </ChangeRow>
  );
}
