/** The versions, newest first: one of them can be chosen, with the arrow keys too. */
import type { ReactNode } from "react";
import { RelativeTime } from "@/ui/relative-time";
import { originOf, type Version } from "./history-source";
import classes from "./version-list.module.css";

export function VersionList({
  versions,
  unit,
  chosen,
  onChoose,
  more,
}: {
  versions: readonly Version[];
  unit: { one: string; many: string; listed?: string };
  chosen: Version | null;
  onChoose: (version: Version) => void;
  /** At the end of the list. */
  more: ReactNode;
}) {
  return (
    <fieldset className={classes["list"]} aria-label="Versions, newest first">
      {versions.map((version) => (
        <label key={version.id} className={classes["version"]}>
          <input
            type="radio"
            name="version"
            className={classes["radio"]}
            checked={version.id === chosen?.id}
            onChange={() => onChoose(version)}
          />
          <span className={classes["name"]}>Version {version.versionNumber}</span>
          <span className={classes["kind"]} data-kind={version.kind}>
            {originOf(version)}
          </span>
          <span className={classes["when"]}>
            <RelativeTime moment={version.timestamp} />
          </span>
          <span className={classes["who"]}>
            <bdi>{version.by}</bdi>
          </span>
          <span className={classes["count"]}>
            {version.changes.toLocaleString("en")} {unit.listed ?? (version.changes === 1 ? unit.one : unit.many)}
          </span>
        </label>
      ))}
      {more}
    </fieldset>
  );
}
