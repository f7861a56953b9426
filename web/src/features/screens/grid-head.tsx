/** The head of the grid: the columns' languages, and how much of the second language is done. */
import { Progress, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { look } from "@/ui/look";
import { HeadCell, HeadRow } from "@/ui/parts";
import { percentOf } from "./filters";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import { useEdits, useOutbox } from "./use-outbox";

export function GridHead({ records, picker }: { records: readonly KeyRecord[]; picker: ReactNode }) {
  const { columns, nameOf } = useGrid();
  const source = nameOf(columns.source);
  return (
    <HeadRow className={classes["head"]} role="row" aria-rowindex={1}>
      <HeadCell px={14}>Key</HeadCell>
      <HeadCell px={14}>
        {source.name}{" "}
        <span>{columns.target === undefined && source.nativeName !== source.name ? source.nativeName : "default"}</span>
      </HeadCell>
      {columns.target !== undefined && (
        <HeadCell px={14}>
          {picker}
          <LanguageMeter records={records} language={columns.target} />
        </HeadCell>
      )}
      <HeadCell px={14}>State</HeadCell>
    </HeadRow>
  );
}

/** How many of the screen's texts a language has. */
export function LanguageMeter({ records, language }: { records: readonly KeyRecord[]; language: string }) {
  const { nameOf } = useGrid();
  const outbox = useOutbox();
  useEdits();
  if (records.length === 0) return null;
  const done = records.filter((record) => outbox.textOf(record, language) !== "").length;
  const percent = percentOf(done, records.length);
  const label = `${done.toLocaleString("en")} of ${records.length.toLocaleString("en")} texts are in ${nameOf(language).name}`;
  return (
    <Tooltip label={label}>
      <span
        className={look(
          { layout: "inline", align: "center", gap: 8, rigid: true, ms: "auto", weight: 500 },
          classes["meter"],
        )}
        role="img"
        aria-label={label}
      >
        <Progress value={percent} size={5} radius="xl" color="var(--ok)" w={64} aria-hidden="true" />
        <span className="num">{percent}%</span>
      </span>
    </Tooltip>
  );
}
