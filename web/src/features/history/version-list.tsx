/** The versions, newest first: one of them can be chosen, with the arrow keys too. */
import type { ReactNode } from "react";
import { look } from "@/ui/look";
import { Box, Text } from "@/ui/parts";
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
    <Box
      as="fieldset"
      rigid
      px={12}
      py={6}
      m={0}
      fill="sunken"
      scroll
      className={classes["list"]}
      aria-label="Versions, newest first"
    >
      {versions.map((version) => (
        <label
          key={version.id}
          className={look(
            {
              layout: "grid",
              align: "center",
              place: "relative",
              radius: "s",
              pointer: true,
              hover: true,
              gap: 1,
              gapX: 8,
              px: 8,
              py: 7,
            },
            classes["version"],
          )}
        >
          <input
            type="radio"
            name="version"
            className={look({ place: "absolute" }, classes["radio"])}
            checked={version.id === chosen?.id}
            onChange={() => onChoose(version)}
          />
          <Text as="span" size="s" weight={600} num>
            Version {version.versionNumber}
          </Text>
          <Text
            as="span"
            shrink
            size="xs"
            weight={500}
            tone={version.kind === "draft" ? "warn" : "ink-3"}
            data-kind={version.kind}
          >
            {originOf(version)}
          </Text>
          <Text as="span" size="xs" tone="ink-3" textAlign="end" className={classes["when"]}>
            <RelativeTime moment={version.timestamp} />
          </Text>
          <Text as="span" shrink size="xs" tone="ink-3" truncate className={classes["who"]}>
            <bdi>{version.by}</bdi>
          </Text>
          <Text as="span" size="xs" tone="ink-3" textAlign="end" num className={classes["count"]}>
            {version.changes.toLocaleString("en")} {unit.listed ?? (version.changes === 1 ? unit.one : unit.many)}
          </Text>
        </label>
      ))}
      {more}
    </Box>
  );
}
