/** What a publish would change in one data store: the store itself, and its items value by value. */
import type { LanguageName } from "@/lib/languages";
import { Badge } from "@/ui/badge";
import { ChangeHead, changes } from "@/ui/key-change";
import lines from "@/ui/key-change.module.css";
import { ValueChanges } from "@/ui/value-changes";
import classes from "./diff-view.module.css";
import type { StoreDiff } from "./queries";

type ItemChange = StoreDiff["items"][number];

export function StoreChanges({
  store,
  languages,
  nameOf,
}: {
  store: StoreDiff;
  /** In the project's order. */
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
}) {
  const hidden = store.total - store.items.length - (isOwnChange(store) ? 1 : 0);
  return (
    <section aria-label={`Data Store ${store.name}`}>
      <h3>
        <bdi>{store.name}</bdi>
        <span className={classes["faint"]}>Data Store</span>
        {store.change !== "changed" && (
          <Badge tone={changes[store.change].tone}>
            {store.change === "added" ? "New Data Store" : "Data Store removed"}
          </Badge>
        )}
        <span className={classes["count"]}>{store.total === 1 ? "1 change" : `${store.total} changes`}</span>
      </h3>
      {store.change === "removed" && <p className={classes["faint"]}>All of its items go with it.</p>}
      {store.change === "changed" && store.fieldsChanged && (
        <p className={classes["faint"]}>Its name or its fields are changed.</p>
      )}
      <ul>
        {store.items.map((item) => (
          <ItemLine key={item._id} item={item} languages={languages} nameOf={nameOf} />
        ))}
      </ul>
      {hidden > 0 && (
        <p className={classes["faint"]}>
          and {hidden.toLocaleString("en")} more {hidden === 1 ? "item" : "items"}
        </p>
      )}
    </section>
  );
}

/** The store's own change is one of its changes. */
const isOwnChange = ({ change, fieldsChanged }: StoreDiff) => change !== "changed" || fieldsChanged;

function ItemLine({
  item,
  languages,
  nameOf,
}: {
  item: ItemChange;
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
}) {
  return (
    <li className={lines["key"]}>
      <ChangeHead name={item.label === "" ? "Item" : item.label} change={item.change} by={item.by} at={item.at} />
      <ValueChanges values={item.values} languages={languages} nameOf={nameOf} />
    </li>
  );
}
