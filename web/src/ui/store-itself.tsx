/** What changes of a Data Store itself, beside its items: its name and its fields, and who changed them. */
import type { ReactNode } from "react";
import type { StoreDiff } from "@/lib/diff";
import { wordDiff } from "@/lib/word-diff";
import { ChangeRow } from "./change-row";
import { ChangeHead, Words } from "./key-change";
import lines from "./key-change.module.css";
import { look } from "./look";
import { Stack, Text } from "./parts";
import classes from "./value-changes.module.css";

type FieldChange = StoreDiff["fields"][number];
type Field = NonNullable<FieldChange["new"]>;

export function StoreItself({
  store,
  as = "div",
  name = titleOf(store),
}: {
  store: StoreDiff;
  as?: "li" | "div";
  /** By default what changes of it. */
  name?: string;
}) {
  const { change, oldName, newName, fields, fieldsMoved, by, at } = store;
  const isRenamed = change === "changed" && oldName !== newName;
  const of = { ref: store.ref, name };
  return (
    <ChangeRow of={of} as={as} className={look({ py: 9, lineBelow: true }, lines["key"])}>
      <ChangeHead of={of} change={change} by={by} at={at} />
      {isRenamed && <NameLine old={oldName} next={newName} />}
      {change === "removed" ? (
        <Note>All of its items go with it.</Note>
      ) : (
        fields.map((field) => (
          <Line key={(field.new ?? field.old)?._id} name={field.name}>
            <FieldFacts change={field} isOfNewStore={change === "added"} />
          </Line>
        ))
      )}
      {fieldsMoved && <Note>Its fields have a different order.</Note>}
    </ChangeRow>
  );
}

function titleOf({ change, oldName, newName, fields, fieldsMoved }: StoreDiff): string {
  const hasFields = fields.length > 0 || fieldsMoved;
  if (change === "removed" || !(hasFields || oldName !== newName)) return "Data Store";
  if (change === "added") return hasFields ? "Fields" : "Data Store";
  if (oldName === newName) return "Fields";
  return hasFields ? "Name and fields" : "Name";
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={`${lines["value"]} ${classes["value"]}`}>
      <Text
        as="span"
        rigid
        size="xs"
        tone="ink-3"
        breaks
        ellipsis
        w={120}
        className={`${classes["field"]} ${classes["whole"]}`}
      >
        <bdi>{name}</bdi>
      </Text>
      <Stack gap={2} grow shrink textAlign="start" space="pre-wrap" breaks className={lines["texts"]}>
        {children}
      </Stack>
    </div>
  );
}

function NameLine({ old, next }: { old: string; next: string }) {
  const words = wordDiff(old, next, "en");
  return (
    <Line name="Name">
      <del dir="auto">
        <Words pieces={words.before} />
      </del>
      <ins dir="auto">
        <Words pieces={words.after} />
      </ins>
    </Line>
  );
}

/** What becomes of a field, for apps that read it. */
function FieldFacts({ change: { old, new: next }, isOfNewStore }: { change: FieldChange; isOfNewStore: boolean }) {
  if (next === null) {
    return (
      old !== null && (
        <>
          <del>removed: {kindOf(old)}</del>
          <Note>Its values go with it.</Note>
        </>
      )
    );
  }
  if (old === null) return <ins>{isOfNewStore ? kindOf(next) : `added: ${kindOf(next)}`}</ins>;
  return (
    <>
      {old.name !== next.name && (
        <ins>
          renamed from <bdi>{old.name}</bdi>
        </ins>
      )}
      {old.type !== next.type && <Pair old={old.type} next={next.type} />}
      {old.isTranslatable !== next.isTranslatable && <Pair old={reachOf(old)} next={reachOf(next)} />}
      {old.required !== next.required && <ins>{next.required ? "now required" : "no longer required"}</ins>}
    </>
  );
}

function Pair({ old, next }: { old: string; next: string }) {
  return (
    <>
      <del>{old}</del>
      <ins>{next}</ins>
    </>
  );
}

const reachOf = ({ isTranslatable }: Field) => (isTranslatable ? "translatable" : "not translatable");

const kindOf = ({ type, required, isTranslatable }: Field) =>
  [type, required && "required", isTranslatable && "translatable"].filter((word) => word !== false).join(", ");

function Note({ children }: { children: ReactNode }) {
  return (
    <Text pt={2} size="s" tone="ink-3">
      {children}
    </Text>
  );
}
