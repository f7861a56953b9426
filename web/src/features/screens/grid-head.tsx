/** The head of the grid: the columns' languages, and how much of the second one is done. */
// biome-ignore-all lint/a11y/useSemanticElements: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
// biome-ignore-all lint/a11y/useFocusableInteractive: a grid of stacked, floating rows can't be a table; its cells, not its rows, take the focus.
import { Progress, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { look, TABLE_HEAD } from "@/ui/look";
import { percentOf } from "./filters";
import classes from "./grid.module.css";
import { useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import { useEdits, useOutbox } from "./use-outbox";

const CELL = look({ layout: "row", align: "center", gap: 8, shrink: true, px: 14, py: 4, minH: 40 });

export function GridHead({ records, picker }: { records: readonly KeyRecord[]; picker: ReactNode }) {
  const { columns, nameOf } = useGrid();
  const source = nameOf(columns.source);
  return (
    <div className={look({ ...TABLE_HEAD }, classes["head"])} role="row" aria-rowindex={1}>
      <div className={CELL} role="columnheader">
        Key
      </div>
      <div className={CELL} role="columnheader">
        {source.name}{" "}
        <span>{columns.target === undefined && source.nativeName !== source.name ? source.nativeName : "default"}</span>
      </div>
      {columns.target !== undefined && (
        <div className={CELL} role="columnheader">
          {picker}
          <LanguageMeter records={records} language={columns.target} />
        </div>
      )}
      <div className={CELL} role="columnheader">
        State
      </div>
    </div>
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
