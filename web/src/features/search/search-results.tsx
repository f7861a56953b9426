/** What was found: keys, then texts, each with its screen and language. */
import { useEffect, useRef } from "react";
import type { Project } from "@/lib/api-types";
import { useLanguageNames } from "@/lib/languages";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
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
    <div
      className={look({ grow: true, px: 8, pt: 4, pb: 8, minH: 0, scroll: true, smallPx: 4 }, classes["list"])}
      ref={list}
      id={id}
      role="listbox"
      aria-label="Results"
    >
      {groups.map(({ type, title }) => {
        const some = results
          .map((result, index) => ({ result, index }))
          .filter(({ result }) => result.matchType === type);
        if (some.length === 0) return null;
        return (
          // biome-ignore lint/a11y/useSemanticElements: options of a list box are grouped by role; a fieldset groups fields.
          <div key={type} role="group" aria-label={title}>
            <Text px={12} pt={10} pb={4} size="xs" weight={600} tone="ink-3" aria-hidden="true">
              {title}
            </Text>
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
      className={look(
        {
          layout: "grid",
          align: "baseline",
          columns: "side",
          radius: "s",
          pointer: true,
          gap: 1,
          gapX: 12,
          px: 12,
          py: 7,
          smallMinH: 44,
        },
        classes["row"],
      )}
      id={id}
      role="option"
      aria-selected={isActive}
      onClick={onChoose}
      onPointerMove={isActive ? undefined : onPoint}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Text as="span" tone="ink-2" truncate className={classes["key"]} data-strong={isKey || undefined}>
        <Text as="span" tone="ink-3">
          {result.tabName}
        </Text>
        <Text as="span" tone="ink-3">
          .
        </Text>
        {isKey ? <Marked text={result.key} query={query} /> : result.key}
      </Text>
      <Text as="span" size="xs" tone="ink-3">
        {isKey && result.language === project.defaultLanguage ? "" : language.name}
      </Text>
      <Text
        as="bdi"
        whole
        clip
        size="m"
        leading={145}
        tone="ink"
        breaks
        clamp={2}
        className={classes["value"]}
        dir={language.direction}
        lang={result.language}
      >
        {result.value === "" ? (
          <Text as="i" tone="ink-3">
            No text
          </Text>
        ) : (
          <Marked text={result.value} query={isKey ? "" : query} />
        )}
      </Text>
    </div>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  return markedParts(text, query).map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
    part.isMatch ? <mark key={place}>{part.text}</mark> : <span key={place}>{part.text}</span>,
  );
}
