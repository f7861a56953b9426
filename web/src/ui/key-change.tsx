/** One line of a review: what becomes of a key, from which text to which, and who changed it. */
import type { ReactNode } from "react";
import type { KeyChange } from "@/lib/api-types";
import type { LanguageName } from "@/lib/languages";
import { type Piece, wordDiff } from "@/lib/word-diff";
import { Badge } from "./badge";
import { markOf } from "./diff-section";
import classes from "./key-change.module.css";
import { RelativeTime } from "./relative-time";

export const changes = {
  added: { tone: "ok", word: "New" },
  changed: { tone: "warn", word: "Changed" },
  removed: { tone: "bad", word: "Removed" },
} as const;

/** The name of what changes, and how; `children` stand behind that. */
export function ChangeHead({
  name,
  change,
  by,
  at,
  children,
}: {
  name: string;
  change: keyof typeof changes;
  by: string | null;
  at: string;
  children?: ReactNode;
}) {
  return (
    <div className={classes["line"]}>
      <span className={classes["name"]}>{name}</span>
      <Badge tone={changes[change].tone}>{changes[change].word}</Badge>
      {children}
      <span className={classes["author"]}>
        {by === null ? "" : `${by}, `}
        <RelativeTime moment={at} />
      </span>
    </div>
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
  const areMany = values.some(({ by }) => by);
  const showLanguage = languages.length > 1 || values.length > 1;
  return (
    <li className={classes["key"]} {...markOf(isMarked)}>
      <ChangeHead name={change.key} change={change.change} by={change.by} at={change.at}>
        {badge}
      </ChangeHead>
      {values.map(({ language, old, new: next, by }) => {
        const words = wordDiff(old, next, language);
        const { direction, name } = nameOf(language);
        return (
          <div key={language} className={classes["value"]}>
            {showLanguage && <abbr title={name}>{language}</abbr>}
            <div className={classes["texts"]} dir={direction} lang={language}>
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
            </div>
            {areMany && <span className={classes["author"]}>{by ?? change.by}</span>}
          </div>
        );
      })}
      {children}
    </li>
  );
}

export function Words({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, isChanged, at }) => (isChanged ? <mark key={at}>{text}</mark> : text));
}
