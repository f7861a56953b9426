/** What is wrong with the shown texts of a key: beside each text, and as a filter. */
import { useMemo } from "react";
import type { LanguageName } from "@/lib/languages";
import { sourceWarning, translationWarning } from "@/lib/text-checks";
import { type Columns, type NeedsCheck, shownLanguages, type TextOf } from "./filters";
import type { KeyRecord } from "./queries";

type NameOf = (code: string) => LanguageName;

/** Whether a person confirmed the present text. */
export const isConfirmed = (record: KeyRecord, language: string, text: string) =>
  record.meta[language]?.isConfirmed === true && record.values[language] === text;

/** Returns the warning about a text of a key whose text in the default language is `sourceText`, or null. */
export function warningOf(
  record: KeyRecord,
  language: string,
  text: string,
  sourceText: string,
  columns: Columns,
  nameOf: NameOf,
) {
  return language === columns.source
    ? sourceWarning(text, nameOf(language))
    : translationWarning(
        sourceText,
        text,
        nameOf(columns.source),
        nameOf(language),
        isConfirmed(record, language, text),
      );
}

/** Whether a shown text has a warning. Each key is looked at once, and again when one of its texts is another. */
export function useNeedsCheck(columns: Columns, nameOf: NameOf, textOf: TextOf): NeedsCheck {
  const known = useMemo(() => {
    // With other columns or names the answers are others.
    void columns;
    void nameOf;
    return new WeakMap<KeyRecord, { texts: string; answer: boolean }>();
  }, [columns, nameOf]);
  return (record) => {
    const languages = shownLanguages(columns);
    const [sourceText = "", ...others] = languages.map((language) => textOf(record, language));
    const texts = [sourceText, ...others].join("\0");
    const before = known.get(record);
    if (before?.texts === texts) return before.answer;
    const answer = [sourceText, ...others].some(
      (text, position) =>
        warningOf(record, languages[position] ?? columns.source, text, sourceText, columns, nameOf) !== null,
    );
    known.set(record, { texts, answer });
    return answer;
  };
}
