/** What a publish would change in one data store: the store itself, and its items value by value. */
import type { LanguageName } from "@/lib/languages";
import { pictureOf, textOf } from "@/lib/store-values";
import { wordDiff } from "@/lib/word-diff";
import { Badge } from "@/ui/badge";
import { ChangeHead, changes, Words } from "@/ui/key-change";
import lines from "@/ui/key-change.module.css";
import { Thumbnail } from "@/ui/thumbnail";
import classes from "./diff-view.module.css";
import type { StoreDiff } from "./queries";

type ItemChange = StoreDiff["items"][number];
type ValueChange = ItemChange["values"][number];

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
      {inOrder(item.values, languages).map((value) => (
        <ValueLine
          key={`${value.field}/${value.language ?? ""}`}
          value={value}
          isLanguageShown={languages.length > 1}
          nameOf={nameOf}
        />
      ))}
    </li>
  );
}

/** Fields as they come, the languages of each as in the project. */
function inOrder(values: readonly ValueChange[], languages: readonly string[]): ValueChange[] {
  const fields = [...new Set(values.map(({ field }) => field))];
  const rank = ({ language }: ValueChange) => {
    const at = languages.indexOf(language ?? "");
    return at === -1 ? languages.length : at;
  };
  return fields.flatMap((field) =>
    values.filter((value) => value.field === field).toSorted((a, b) => rank(a) - rank(b)),
  );
}

function ValueLine({
  value,
  isLanguageShown,
  nameOf,
}: {
  value: ValueChange;
  isLanguageShown: boolean;
  nameOf: (code: string) => LanguageName;
}) {
  const { field, language } = value;
  const [old, next] = [textOf(value.old, value), textOf(value.new, value)];
  const words = wordDiff(old, next, language ?? "en");
  const named = language === null ? undefined : nameOf(language);
  // The words of formatted text are shown without their tags.
  const isFormatting = value.type === "RichText" && old === next;
  return (
    <div className={`${lines["value"]} ${classes["itemValue"]}`}>
      <span className={classes["field"]} title={field}>
        <bdi>{field}</bdi>
        {named !== undefined && isLanguageShown && <abbr title={named.name}> {named.code}</abbr>}
      </span>
      <div className={lines["texts"]} {...(named === undefined ? {} : { dir: named.direction, lang: named.code })}>
        {old !== "" && !isFormatting && (
          <del>
            <Picture change={value} of={value.old} />
            <Words pieces={words.before} />
          </del>
        )}
        {next !== "" && (
          <ins>
            <Picture change={value} of={value.new} />
            <Words pieces={words.after} />
          </ins>
        )}
        {isFormatting && (
          <span className={classes["faint"]} dir="ltr" lang="en">
            Only its formatting is changed.
          </span>
        )}
      </div>
    </div>
  );
}

function Picture({ change, of }: { change: ValueChange; of: unknown }) {
  const src = change.type === "Media" ? pictureOf(of, 64) : null;
  return src === null ? null : (
    <span className={classes["picture"]}>
      <Thumbnail src={src} size={28} />
    </span>
  );
}
