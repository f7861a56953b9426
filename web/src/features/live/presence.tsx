/** In the project's header: who else looks at it, and a word when its news can't come. */

import { useEffect } from "react";
import { type Person, useLive } from "@/lib/live";
import { useMe } from "@/lib/queries";
import { useDelayed } from "@/lib/use-delayed";
import { IconPlugConnectedX } from "@/ui/icons";
import { look } from "@/ui/look";
import { Grid, Row, Text } from "@/ui/parts";
import classes from "./presence.module.css";

const SHOWN = 3;
const RECONNECTING = "Reconnecting…";
/** A restart of the server or a moment in a tunnel needs no words. */
const PATIENCE_MS = 6_000;

export interface PresenceProps {
  projectId: string;
  /** Called with who is here, or why that is not known; null if nobody else is here. */
  onWords?: (words: string | null) => void;
}

export function Presence({ projectId, onWords }: PresenceProps) {
  const { people, isConnected } = useLive(projectId);
  const { data: me } = useMe();
  const isAway = useDelayed(!isConnected, PATIENCE_MS);
  const others = isAway ? [] : people.filter((person) => person._id !== me?._id);
  const more = others.slice(SHOWN);
  const words = isAway ? RECONNECTING : others.length > 0 ? `${listOf(others)} here` : null;
  useEffect(() => onWords?.(words), [words, onWords]);
  return (
    <>
      {isAway && (
        <span
          className={look(
            {
              layout: "inline",
              align: "center",
              gap: 6,
              rigid: true,
              me: 4,
              size: "s",
              tone: "ink-3",
              space: "nowrap",
              spokenAt: "phone",
            },
            classes["away"],
          )}
          role="status"
          title="Changes by others don't arrive at the moment."
        >
          <IconPlugConnectedX size={15} stroke={1.7} aria-hidden="true" />
          {RECONNECTING}
        </span>
      )}
      {others.length > 0 && (
        <Row as="ul" rigid me={4} hide="phone" className={classes["people"]} aria-label="Also here">
          {others.slice(0, SHOWN).map((person) => (
            <Grid
              w={26}
              h={26}
              as="li"
              center
              radius="round"
              key={person._id}
              title={person.name}
              style={{ background: `var(--person-${toneOf(person)})`, color: "var(--person-ink)" }}
            >
              <span aria-hidden="true">{initialsOf(person.name)}</span>
              <Text as="span" spoken>
                {person.name}
              </Text>
            </Grid>
          ))}
          {more.length > 0 && (
            <Grid
              w={26}
              h={26}
              as="li"
              center
              radius="round"
              title={more.map((person) => person.name).join(", ")}
              fill="sunken"
              tone="ink-2"
            >
              <span aria-hidden="true">+{more.length}</span>
              <Text as="span" spoken>
                {more.map((person) => person.name).join(", ")}
              </Text>
            </Grid>
          )}
        </Row>
      )}
    </>
  );
}

/** 'Mara is', 'Mara and Noor are', 'Mara, Noor and 2 others are'. */
function listOf(people: readonly Person[]): string {
  const [first = "", second = ""] = people.map(({ name }) => name);
  const others = people.length - 2;
  if (others < 0) return `${first} is`;
  if (others === 0) return `${first} and ${second} are`;
  return `${first}, ${second} and ${others === 1 ? "1 other" : `${others} others`} are`;
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => [...(word ?? "")][0]?.toLocaleUpperCase() ?? "").join("");
}

/** The same colour for the same person, here and tomorrow. */
function toneOf({ _id }: Person): number {
  return [..._id].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997, 7) % 5;
}
