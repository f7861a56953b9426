/** What apps lose with a publish: the first thing a review shows. */
import { UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { type Diff, titleOf } from "@/lib/diff";
import { useLanguageNames } from "@/lib/languages";
import type { Revealed } from "./diff-section";
import { IconAlertTriangle } from "./icons";
import classes from "./losses.module.css";
import { sectionOf } from "./value-warnings";

const list = new Intl.ListFormat("en", { type: "conjunction" });
/** So many names of a place are shown. */
const NAMED = 5;

type Losses = Diff["losses"];

const counted = (count: number, one: string, many = `${one}s`): string[] =>
  count === 0 ? [] : [`${count.toLocaleString("en")} ${count === 1 ? one : many}`];

/** '11 texts and 2 colours'; empty where apps lose nothing. */
export function lossWords(losses: Losses): string {
  return list.format([
    ...counted(losses.texts, "text"),
    ...counted(losses.colors, "colour"),
    ...counted(losses.items, "item"),
    ...counted(losses.fields.length, "field"),
    // A screen or Data Store without content is lost all the same.
    ...(losses.texts === 0 ? counted(losses.screens.length, "screen") : []),
    ...(losses.items === 0 ? counted(losses.stores.length, "Data Store") : []),
    ...counted(losses.languages.length, "language"),
  ]);
}

export const hasLosses = (losses: Losses): boolean => lossWords(losses) !== "";

export function LossSummary({ diff, onReveal }: { diff: Diff; onReveal: (section: Revealed) => void }) {
  const nameOf = useLanguageNames();
  const { losses } = diff;
  if (!hasLosses(losses)) return null;
  return (
    <section className={classes["losses"]} aria-label="What apps lose">
      <h3>
        <IconAlertTriangle size={16} aria-hidden="true" />
        Apps lose {lossWords(losses)}
      </h3>
      <ul>
        {diff.screens.map((screen) => {
          const removed = screen.keys.filter(({ change }) => change === "removed");
          if (removed.length === 0 && screen.change !== "removed") return null;
          return (
            <Place
              key={screen.screen}
              title={screen.change === "removed" ? `The screen ${screen.screen}` : titleOf(screen.screen)}
              onReveal={() => onReveal({ id: sectionOf({ screen: screen.screen, store: null }) })}
            >
              <Names entries={removed.map(({ key, renamedTo }) => ({ name: key, renamedTo }))} />
            </Place>
          );
        })}
        {losses.colors > 0 && (
          <Place title="Colours" onReveal={() => onReveal({ id: "colors" })}>
            <Names
              entries={diff.colors
                .filter(({ change }) => change === "removed")
                .map(({ key, renamedTo }) => ({ name: key, renamedTo }))}
            />
          </Place>
        )}
        {diff.stores.map((store) => {
          const removed = store.items.filter(({ change }) => change === "removed");
          const fields = losses.fields.filter((field) => field.startsWith(`${store.store}.`));
          if (removed.length === 0 && fields.length === 0 && store.change !== "removed") return null;
          return (
            <Place
              key={store.store}
              title={store.change === "removed" ? `The Data Store ${store.name} with its items` : store.name}
              onReveal={() => onReveal({ id: sectionOf({ screen: null, store: store.store }) })}
            >
              <Names
                entries={[
                  ...fields.map((field) => ({ name: `field ${field.slice(store.store.length + 1)}`, renamedTo: null })),
                  ...removed.map(({ label, _id }) => ({ name: label || _id, renamedTo: null })),
                ]}
              />
            </Place>
          );
        })}
        {losses.languages.length > 0 && (
          <Place title="Languages" onReveal={() => onReveal({ id: "languages" })}>
            <Names entries={losses.languages.map((code) => ({ name: nameOf(code).name, renamedTo: null }))} />
          </Place>
        )}
      </ul>
      <p>Apps that still ask for these show what they were built with, or nothing.</p>
    </section>
  );
}

function Place({ title, onReveal, children }: { title: string; onReveal: () => void; children: ReactNode }) {
  return (
    <li>
      <UnstyledButton className={classes["where"] ?? ""} onClick={onReveal}>
        <bdi>{title}</bdi>
      </UnstyledButton>
      {children}
    </li>
  );
}

function Names({ entries }: { entries: readonly { name: string; renamedTo: string | null | undefined }[] }) {
  if (entries.length === 0) return null;
  const more = entries.length - NAMED;
  return (
    <>
      :{" "}
      {entries.slice(0, NAMED).map(({ name, renamedTo }, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <bdi className={classes["name"]}>{name}</bdi>
          {renamedTo && (
            <>
              {" "}
              (renamed to <bdi className={classes["name"]}>{renamedTo}</bdi>)
            </>
          )}
        </span>
      ))}
      {more > 0 && ` and ${more.toLocaleString("en")} more`}
    </>
  );
}
