/** One entry: when, who, from where, what; and on demand what it changed. */
import { UnstyledButton } from "@mantine/core";
import { useId } from "react";
import { formatMoment } from "@/lib/time";
import { IconChevronRight } from "@/ui/icons";
import classes from "./audit.module.css";
import { Changes } from "./changes";
import type { Entry } from "./queries";

export function EntryRow({ entry, isOpen, onToggle }: { entry: Entry; isOpen: boolean; onToggle: () => void }) {
  const id = useId();
  const hasChange = entry.before !== null || entry.after !== null;
  const { name, note, title } = actorOf(entry);
  return (
    <div className={classes["entry"]} data-open={isOpen || undefined}>
      <div className={classes["line"]}>
        <time className={classes["when"]} dateTime={entry.timestamp} title={entry.timestamp}>
          {formatMoment(entry.timestamp)}
        </time>
        <span className={classes["who"]} title={title}>
          <bdi>{name}</bdi>
          {note !== "" && <span className={classes["how"]}> {note}</span>}
        </span>
        <span className={classes["address"]}>{entry.address}</span>
        {hasChange ? (
          <UnstyledButton className={classes["act"]} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
            <span>{entry.action}</span>
            <IconChevronRight size={15} aria-hidden="true" />
          </UnstyledButton>
        ) : (
          <span className={classes["act"]}>{entry.action}</span>
        )}
      </div>
      {hasChange && isOpen && <Changes entry={entry} id={id} />}
    </div>
  );
}

function actorOf({ actor }: Entry): { name: string; note: string; title: string | undefined } {
  const title = actor.email ?? undefined;
  switch (actor.kind) {
    case "job":
      return actor.name === null
        ? { name: "Livery", note: "", title: "Done by the server itself" }
        : { name: actor.name, note: "by a job", title };
    case "operator":
      return { name: actor.name ?? "Operator", note: actor.name === null ? "" : "by the operator", title };
    default:
      return { name: actor.name ?? "Unknown person", note: "", title };
  }
}
