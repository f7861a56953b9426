/** Which of the texts that a publish would send out lack a placeholder, or have one too many. */
import { useQueries } from "@tanstack/react-query";
import type { KeyChange, Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { placeholderWarning } from "@/lib/placeholders";
import { type KeyRecord, screenQuery } from "@/lib/queries";
import type { Diff } from "./queries";

export interface Check {
  language: string;
  warning: string;
}

/** The broken texts of one key of one screen, the same empty list for all that have none. */
export type ChecksOf = (screen: string, key: string) => readonly Check[];

/** Up to this many changed keys the texts they translate are fetched; of more only those that are here already are checked. */
const FETCHED_FOR = 50;
const none: readonly Check[] = [];

/**
 * Texts of languages that the diff leaves out are compared too where their default text changes: a placeholder that is new
 * there is missing everywhere else.
 */
function checksOf(
  change: KeyChange,
  record: KeyRecord | undefined,
  languages: readonly string[],
  source: string,
  nameOf: (code: string) => string,
): Check[] {
  if (change.change === "removed") return [];
  const next = new Map(change.values.map(({ language, new: text }) => [language, text]));
  const textOf = (language: string) => next.get(language) ?? record?.values[language] ?? "";
  const affected = next.has(source) ? languages : languages.filter((language) => next.has(language));
  return affected.flatMap((language) => {
    if (language === source) return [];
    const warning = placeholderWarning(textOf(source), textOf(language), nameOf(source));
    return warning === null ? [] : [{ language, warning }];
  });
}

/** The checks as far as they are known now, and how many texts they concern. A failure to fetch leaves texts unchecked. */
export function useChecks(diff: Diff | undefined, project: Project): { total: number; of: ChecksOf } {
  const { projectId, languages, defaultLanguage } = project;
  const nameOf = useLanguageNames();
  const isTranslated = languages.length > 1;
  const screens = isTranslated ? (diff?.screens.filter(({ change }) => change !== "removed") ?? []) : [];
  const isSmall = screens.reduce((sum, { total }) => sum + total, 0) <= FETCHED_FOR;
  const answers = useQueries({
    queries: screens.map(({ screen }) => ({ ...screenQuery(projectId, screen), enabled: isSmall, retry: false })),
  });

  const found = new Map<string, Check[]>();
  let total = 0;
  screens.forEach(({ screen, keys }, index) => {
    const records = new Map(answers[index]?.data?.keys.map((record) => [record.key, record]));
    for (const change of keys) {
      const checks = checksOf(change, records.get(change.key), languages, defaultLanguage, (code) => nameOf(code).name);
      if (checks.length > 0) found.set(`${screen}/${change.key}`, checks);
      total += checks.length;
    }
  });
  return { total, of: (screen, key) => found.get(`${screen}/${key}`) ?? none };
}
