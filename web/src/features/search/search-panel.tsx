/** The search itself: what is typed, what was found, and the way there by keyboard. */
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { SEARCH_CHARACTERS, SEARCH_RESULTS } from "@/lib/limits.gen";
import { useDelayed } from "@/lib/use-delayed";
import { useLateFocus } from "@/ui/focus";
import { IconSearch } from "@/ui/icons";
import { look } from "@/ui/look";
import { Box, Row, Text } from "@/ui/parts";
import { ErrorState } from "@/ui/states";
import { type SearchResult, searchQuery } from "./queries";
import classes from "./search-panel.module.css";
import { SearchResults } from "./search-results";

const DEBOUNCE_MS = 300;

export function SearchPanel({ project, onDone }: { project: Project; onDone: () => void }) {
  const [text, setText] = useState("");
  const wanted = text.trim();
  const [debounced] = useDebouncedValue(wanted, DEBOUNCE_MS);
  // An emptied field is empty at once.
  const asked = wanted === "" ? "" : debounced;
  const search = useQuery(searchQuery(project.projectId, asked));
  const results = asked === "" || search.isError ? [] : (search.data?.results ?? []);
  const [active, setActive] = useCurrent(search.data);
  const go = useJump(project, onDone);
  const listId = useId();
  const field = useLateFocus<HTMLInputElement>();

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = nextIndex(event, active, results.length);
    if (next !== null) {
      event.preventDefault();
      setActive(next);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const result = results[active];
      // What is shown answers an older question: it must not be taken for the new one's.
      if (result !== undefined && asked === wanted && !search.isPlaceholderData) go(result);
    }
  };

  const isSearching = useDelayed(wanted !== "" && (asked !== wanted || search.isFetching), 150);
  return (
    <>
      <Box rigid place="relative" px={20} pt={2} pb={12} lineBelow>
        <TextInput
          type="search"
          role="combobox"
          aria-label="Search keys and texts"
          aria-expanded={results.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          {...(results[active] === undefined ? {} : { "aria-activedescendant": `${listId}-${active}` })}
          placeholder="A key, or a text in any language"
          leftSection={<IconSearch size={16} stroke={1.7} aria-hidden="true" />}
          ref={field}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          maxLength={SEARCH_CHARACTERS}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Text
          as="i"
          place="absolute"
          h={2}
          className={classes["busy"]}
          data-on={isSearching || undefined}
          aria-hidden="true"
        />
      </Box>
      <p className={look({ spoken: true })} role="status">
        {asked !== "" && !search.isFetching && !search.isError ? countOf(results) : ""}
      </p>
      {search.isError && asked !== "" ? (
        <ErrorState
          message={messageOf(search.error, "Failed to search translations")}
          onRetry={() => void search.refetch()}
        />
      ) : (
        <Answer
          project={project}
          query={asked}
          data={search.data?.results}
          results={results}
          active={active}
          listId={listId}
          onChoose={go}
          onPoint={setActive}
        />
      )}
    </>
  );
}

function Answer({
  project,
  query,
  data,
  results,
  active,
  listId,
  onChoose,
  onPoint,
}: {
  project: Project;
  query: string;
  data: readonly SearchResult[] | undefined;
  results: readonly SearchResult[];
  active: number;
  listId: string;
  onChoose: (result: SearchResult) => void;
  onPoint: (index: number) => void;
}) {
  if (query === "") {
    return (
      <Text tone="ink-2" breaks px={20} py={22} minH={88}>
        Finds keys and texts of every screen and language. Case and accents don’t matter: “strasse” finds “Straße”.
      </Text>
    );
  }
  if (data === undefined) return <Text tone="ink-2" breaks px={20} py={22} minH={88} />;
  if (results.length === 0) {
    return (
      <Text tone="ink-2" breaks px={20} py={22} minH={88}>
        No key or text of this project has “<bdi>{query}</bdi>” in it.
      </Text>
    );
  }
  return (
    <>
      <SearchResults
        id={listId}
        project={project}
        query={query}
        results={results}
        active={active}
        onChoose={onChoose}
        onPoint={onPoint}
      />
      <Row
        as="p"
        wrap
        justify="between"
        gap={4}
        gapX={16}
        rigid
        px={20}
        py={9}
        lineAbove
        size="xs"
        tone="ink-3"
        className={classes["foot"]}
      >
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
        </span>
        <span className="num">
          {results.length >= SEARCH_RESULTS
            ? `The best ${SEARCH_RESULTS} are shown. Type more to narrow it down.`
            : countOf(results)}
        </span>
      </Row>
    </>
  );
}

function countOf(results: readonly SearchResult[]): string {
  if (results.length === 0) return "No results";
  return results.length === 1 ? "1 result" : `${results.length} results`;
}

/** Where the arrows lead; null for other keys. Home and End move in the text while there is nothing to choose. */
function nextIndex(event: KeyboardEvent, active: number, count: number): number | null {
  if (count === 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  switch (event.key) {
    case "ArrowDown":
      return (active + 1) % count;
    case "ArrowUp":
      return (active - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** The chosen result; the first result again with every new answer. */
function useCurrent(answer: unknown): [number, (index: number) => void] {
  const [active, setActive] = useState(0);
  const [shown, setShown] = useState(answer);
  if (shown !== answer) {
    setShown(answer);
    setActive(0);
    return [0, setActive];
  }
  return [active, setActive];
}

/** Goes to the key on its screen, with the result's language beside the default language. The screen takes the focus once it is drawn. */
function useJump(project: Project, onDone: () => void): (result: SearchResult) => void {
  const navigate = useNavigate();
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  }, [onDone]);
  return (result) => {
    const params = new URLSearchParams({ scrollTo: result.key });
    if (result.language !== project.defaultLanguage) params.set("lang", result.language);
    done.current();
    void navigate(`/projects/${project.projectId}/${encodeURIComponent(result.tabName)}?${params}`, {
      state: { foundIn: result.language },
    });
  };
}
