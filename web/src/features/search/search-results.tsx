/** What was found: keys, then texts, each with its screen and language. */
import { useEffect, useRef } from "react";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { markedParts } from "./marking";
import type { SearchResult } from "./queries";
import classes from "./search-results.module.css";

const groups = [
  { type: "key", title: "Keys" },
  { type: "value", title: "Texts" },
] as const;

export function SearchResults({
  id,
  project,
  query,
  results,
  active,
  onChoose,
  onPoint,
}: {
  id: string;
  project: Project;
  query: string;
  results: readonly SearchResult[];
  active: number;
  onChoose: (result: SearchResult) => void;
  onPoint: (index: number) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label="Results" className={classes["list"]}>
      {groups.map(({ type, title }) => {
        const some = results
          .map((result, index) => ({ result, index }))
          .filter(({ result }) => result.matchType === type);
        if (some.length === 0) return null;
        return (
          // biome-ignore lint/a11y/useSemanticElements: options of a list box are grouped by role; a fieldset groups fields.
          <div key={type} role="group" aria-label={title}>
            <p className={classes["group"]} aria-hidden="true">
              {title}
            </p>
            {some.map(({ result, index }) => (
              <Row
                key={`${result.tabName}.${result.key}.${result.language}`}
                id={`${id}-${index}`}
                project={project}
                query={query}
                result={result}
                isActive={index === active}
                onChoose={() => onChoose(result)}
                onPoint={() => onPoint(index)}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function Row({
  id,
  project,
  query,
  result,
  isActive,
  onChoose,
  onPoint,
}: {
  id: string;
  project: Project;
  query: string;
  result: SearchResult;
  isActive: boolean;
  onChoose: () => void;
  onPoint: () => void;
}) {
  const nameOf = useLanguageNames();
  const language = nameOf(result.language);
  const isKey = result.matchType === "key";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys, as a combobox does.
    // biome-ignore lint/a11y/useFocusableInteractive: chosen through aria-activedescendant.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes["row"]}
      onClick={onChoose}
      onPointerMove={isActive ? undefined : onPoint}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      <span className={classes["key"]} data-strong={isKey || undefined}>
        <span className={classes["screen"]}>{result.tabName}</span>
        <span className={classes["dot"]}>.</span>
        {isKey ? <Marked text={result.key} query={query} /> : result.key}
      </span>
      <span className={classes["language"]}>
        {isKey && result.language === project.defaultLanguage ? "" : language.name}
      </span>
      <bdi className={classes["value"]} dir={language.direction} lang={result.language}>
        {result.value === "" ? (
          <i className={classes["none"]}>No text</i>
        ) : (
          <Marked text={result.value} query={isKey ? "" : query} />
        )}
      </bdi>
    </div>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  return markedParts(text, query).map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
    part.isMatch ? <mark key={place}>{part.text}</mark> : <span key={place}>{part.text}</span>,
  );
}
