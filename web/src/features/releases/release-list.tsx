/** The releases, newest first, by day: each is a link, and the arrow keys go from one to the next. */
import type { KeyboardEvent, ReactNode } from "react";
import { Link } from "react-router";
import { dayName, formatTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Badge } from "@/ui/badge";
import { stepIn } from "@/ui/list-keys";
import { look } from "@/ui/look";
import { Heading, Row, Text } from "@/ui/parts";
import { searchOf } from "./address";
import type { Release } from "./queries";
import classes from "./release-list.module.css";
import { changesOf, kindOf } from "./words";

const LINK = "a[data-release]";

export function ReleaseList({
  releases,
  chosen,
  isReplacing,
  more,
}: {
  releases: readonly Release[];
  chosen: number | null;
  /** Whether a new choice replaces the present entry of the browser's history, rather than adding an entry. */
  isReplacing: boolean;
  /** At the end of the list. */
  more: ReactNode;
}) {
  const now = useNow();
  return (
    <nav className={classes["list"]} aria-label="Releases, newest first" onKeyDown={moveFocus}>
      {byDay(releases, now).map(({ day, entries }) => (
        // The key is not the newest release of the day: when a release is added, the link that has the focus must stay.
        <section key={day} aria-label={day}>
          <Heading px={10} pt={12} pb={4} size="xs" weight={500} tone="ink-3" className={classes["day"]}>
            {day}
          </Heading>
          <ul>
            {entries.map((release) => (
              <li key={release.number}>
                <Link
                  to={{ search: searchOf(release.number) }}
                  replace={isReplacing}
                  preventScrollReset
                  className={look(
                    {
                      layout: "grid",
                      align: "center",
                      gap: 2,
                      gapX: 10,
                      columns: "side",
                      px: 10,
                      py: 9,
                      radius: "s",
                      tone: "ink",
                      hover: true,
                      ring: true,
                    },
                    classes["release"],
                  )}
                  data-release={release.number}
                  aria-current={release.number === chosen ? "true" : undefined}
                >
                  <Row as="span" align="center" gap={8} size="s" weight={600} num>
                    Release {release.number}
                    {release.isCurrent && <Badge tone="ok">Live</Badge>}
                  </Row>
                  <Text as="time" size="xs" tone="ink-3" textAlign="end" num dateTime={release.timestamp}>
                    {formatTime(release.timestamp)}
                  </Text>
                  <Text as="span" shrink size="xs" tone="ink-3" truncate>
                    {kindOf(release)} by <bdi>{release.by}</bdi>
                  </Text>
                  <Text as="span" size="xs" tone="ink-3" textAlign="end" num>
                    {changesOf(release.changes)}
                  </Text>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {more}
    </nav>
  );
}

/** Neighbours of one day stand together. */
function byDay(releases: readonly Release[], now: number): { day: string; entries: Release[] }[] {
  const days: { day: string; entries: Release[] }[] = [];
  for (const release of releases) {
    const day = dayName(release.timestamp, now);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(release);
    else days.push({ day, entries: [release] });
  }
  return days;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(LINK)];
  const next = stepIn(links, document.activeElement, event.key);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
