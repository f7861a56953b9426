/** One line of a comparison: what becomes of a key, from which text to which, and who changed it. */
import { createContext, type ReactNode, useContext } from "react";
import type { KeyChange } from "@/lib/diff";
import { withInvisible } from "@/lib/invisible";
import type { LanguageName } from "@/lib/languages";
import { type Piece, wordDiff } from "@/lib/word-diff";
import { Badge } from "./badge";
import { ChangeRow, DiscardButton, type RowChange, SlotRow, StaysMark } from "./change-row";
import classes from "./key-change.module.css";
import { look } from "./look";
import { Row, Stack, Text } from "./parts";
import { RelativeTime } from "./relative-time";

export const changes = {
  added: { tone: "ok", word: "New" },
  changed: { tone: "warn", word: "Changed" },
  removed: { tone: "bad", word: "Removed" },
} as const;

/** Whether changes are dated: the changes that a step back would make have not happened. */
export const Stamps = createContext(true);

/** The name of what changes, and how; `children` come after it. */
export function ChangeHead({
  of,
  change,
  by,
  at,
  renamedFrom,
  renamedTo,
  children,
}: {
  of: RowChange;
  change: keyof typeof changes;
  /** Under which name apps have it. */
  renamedFrom?: string | null | undefined;
  /** Under which name apps get it instead. */
  renamedTo?: string | null | undefined;
  by: string | null;
  at: string;
  children?: ReactNode;
}) {
  const hasStamp = useContext(Stamps);
  return (
    <Row wrap align="center" gap={2} gapX={8}>
      <Text as="span" shrink size="note" breaks code>
        {of.name}
      </Text>
      {renamedFrom ? (
        <Badge tone="warn">Renamed from {renamedFrom}</Badge>
      ) : (
        <Badge tone={changes[change].tone}>
          {changes[change].word}
          {renamedTo && `: renamed to ${renamedTo}`}
        </Badge>
      )}
      {children}
      <StaysMark of={of} />
      {hasStamp && (
        <Text as="span" ms="auto" size="xs" tone="ink-3">
          {by === null ? "" : `${by}, `}
          <RelativeTime moment={at} />
        </Text>
      )}
      <DiscardButton of={of} />
    </Row>
  );
}

/** A key with its old and new texts; languages stand in the project's order. */
export function KeyChangeLine({
  change,
  languages,
  nameOf,
  isMarked = false,
  badge,
  children,
}: {
  change: KeyChange;
  languages: readonly string[];
  nameOf: (code: string) => LanguageName;
  /** Whether it is the one to look at. */
  isMarked?: boolean;
  /** Beside the key's name. */
  badge?: ReactNode;
  /** Below its texts. */
  children?: ReactNode;
}) {
  // As in the project, the default language first; a language that was deleted comes last.
  const rank = (code: string) => (languages.includes(code) ? languages.indexOf(code) : languages.length);
  const values = change.values.toSorted((a, b) => rank(a.language) - rank(b.language));
  const areMany = useContext(Stamps) && values.some(({ by }) => by);
  const showLanguage = languages.length > 1 || values.length > 1;
  const of = { ref: change.ref, name: change.key };
  return (
    <ChangeRow of={of} className={look({ py: 9, lineBelow: true }, classes["key"])} isMarked={isMarked}>
      <ChangeHead
        of={of}
        change={change.change}
        by={change.by}
        at={change.at}
        renamedFrom={change.renamedFrom}
        renamedTo={change.renamedTo}
      >
        {badge}
      </ChangeHead>
      {values.map(({ language, old, new: next, by, ref }) => {
        const words = wordDiff(old, next, language);
        const { direction, name } = nameOf(language);
        return (
          <SlotRow key={language} unit={ref} className={classes["value"]}>
            {showLanguage && <abbr title={name}>{language}</abbr>}
            <Stack
              gap={2}
              grow
              shrink
              textAlign="start"
              space="pre-wrap"
              breaks
              className={classes["texts"]}
              dir={direction}
              lang={language}
            >
              {old !== "" && (
                <del>
                  <Words pieces={words.before} />
                </del>
              )}
              {next !== "" && (
                <ins>
                  <Words pieces={words.after} />
                </ins>
              )}
            </Stack>
            {areMany && (
              <Text as="span" ms="auto" size="xs" tone="ink-3">
                {by ?? change.by}
              </Text>
            )}
          </SlotRow>
        );
      })}
      {children}
    </ChangeRow>
  );
}

export function Words({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, isChanged, at }) => {
    const shown = <Visible key={at} text={text} />;
    return isChanged ? <mark key={at}>{shown}</mark> : shown;
  });
}

/** A text with a named mark in the place of each character that nobody sees, and of each that turns what follows it around. */
function Visible({ text }: { text: string }) {
  return withInvisible(text).map(({ at, text: part, name }) =>
    name === undefined ? (
      part
    ) : (
      <bdi
        key={at}
        className={look({ px: 3, ms: 1, me: 1 }, classes["invisible"])}
        title={name.long}
        dir="ltr"
        lang="en"
      >
        {name.short}
      </bdi>
    ),
  );
}
