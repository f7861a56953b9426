/** Adds a language to the project, by its name or by a code that the list leaves out (pt-BR), and has it translated if wanted. */
import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import toast from "react-hot-toast";
import { aiFailureOf } from "@/lib/ai";
import { ApiError, api, failureOf, messageOf, take } from "@/lib/api";
import type { Language, Project } from "@/lib/api-types";
import { useStartFill } from "@/lib/jobs";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import { keepProject } from "@/lib/project";
import { languagesQuery } from "@/lib/queries";
import { useAttempt } from "@/lib/use-attempt";
import classes from "./add-language-dialog.module.css";
import { Flag } from "./flag";
import { look } from "./look";
import { Notice } from "./notice";
import { Row, Stack, Text } from "./parts";
import { ErrorState, LoadingRows } from "./states";
import { type Scope, TranslateChoice } from "./translate-choice";

export function AddLanguageDialog({
  project,
  screen,
  opened,
  onClose,
  onAdded,
}: {
  project: Project;
  /** The open screen, whose texts alone may be translated. */
  screen?: string | undefined;
  opened: boolean;
  onClose: () => void;
  onAdded: (code: string) => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add language" size="sm">
      <AddLanguage project={project} screen={screen} onClose={onClose} onAdded={onAdded} />
    </Modal>
  );
}

const UNSUPPORTED = "Not a directly supported language. Please use ISO code or full name.";
const PRESENT = "This language is already in your project.";

const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The listed code for a typed code: `iw` is the former code of `he`, `tl` that of `fil`, and `nb` the usual Norwegian. */
function listedCode(typed: string): string | undefined {
  if (!/^[a-z]{2,3}$/i.test(typed)) return undefined;
  const code = new Intl.Locale(typed).language;
  return code === "nb" ? "no" : code;
}

/** Languages that a query fits, with whether it is the whole of a code or name: that one comes first. */
function found(languages: readonly Language[], query: string): { options: Language[]; isExact: boolean } {
  const wanted = folded(query.trim());
  const code = listedCode(wanted);
  const rank = (language: Language) => {
    const texts = [language.code, language.name, language.nativeName].map(folded);
    if (language.code === code || texts.includes(wanted)) return 0;
    const [itsCode = "", name = ""] = texts;
    if (itsCode.startsWith(wanted) || name.startsWith(wanted)) return 1;
    return texts.some((text) => text.includes(wanted)) ? 2 : 3;
  };
  const ranked = languages.map((language) => ({ language, rank: rank(language) })).filter((one) => one.rank < 3);
  ranked.sort((a, b) => a.rank - b.rank);
  return { options: ranked.map(({ language }) => language), isExact: ranked[0]?.rank === 0 };
}

/** The one spelling of a typed code with a script or region of a listed language (`pt-br` is `pt-BR`). */
function regionalCode(languages: readonly Language[], query: string): string | undefined {
  const typed = query.trim().replaceAll("_", "-");
  if (!/^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i.test(typed)) return undefined;
  try {
    const { baseName, language, script, region } = new Intl.Locale(typed);
    const isListed = languages.some(({ code }) => code === language);
    return isListed && (script !== undefined || region !== undefined) ? baseName : undefined;
  } catch {
    return undefined;
  }
}

/** What the list offers for a query: languages of such a name, or the one of the typed code. */
function useOptions(languages: readonly Language[], query: string): { options: LanguageName[]; isExact: boolean } {
  const nameOf = useLanguageNames();
  const regional = regionalCode(languages, query);
  return regional === undefined ? found(languages, query) : { options: [nameOf(regional)], isExact: true };
}

const NOT_TRANSLATED = "Failed to add and translate language";

function refusalOf(error: ApiError, scope: Scope): string {
  if (scope === "nothing") {
    return error.fields["language"] ?? messageOf(error, "Invalid or already added language for project.");
  }
  return error.fields["lang"] ?? aiFailureOf(error, NOT_TRANSLATED);
}

/** Adds the language. With a scope, the same call starts the fill, so that there is never a language without its fill. */
function useAddLanguage(project: Project, screen: string | undefined, scope: Scope, onAdded: (code: string) => void) {
  const client = useQueryClient();
  const startFill = useStartFill(project);
  const { projectId, defaultLanguage: reference } = project;
  return useMutation({
    mutationFn: async (language: string) => {
      if (scope !== "nothing") {
        const place = scope === "screen" ? (screen ?? null) : null;
        const { message, job } = await startFill({ screen: place, language, reference, isOverwriting: false });
        toast.success(message);
        return job.language;
      }
      const changed = await take(
        api.POST("/api/projects/{projectId}/languages", { params: { path: { projectId } }, body: { language } }),
      );
      keepProject(client, projectId, changed);
      // The project may have been read again since, and have the language already.
      return changed.languages.find((code) => !project.languages.includes(code)) ?? language;
    },
    onSuccess: onAdded,
  });
}

function AddLanguage({
  project,
  screen,
  onClose,
  onAdded,
}: {
  project: Project;
  screen: string | undefined;
  onClose: () => void;
  onAdded: (code: string) => void;
}) {
  const listId = useId();
  const addButton = useRef<HTMLButtonElement>(null);
  const [query, setQuery] = useState("");
  // Null until a person moves in the list. `current` is then the first language that can be added; no language if the typed language is present.
  const [position, setPosition] = useState<number | null>(null);
  const languages = useQuery(languagesQuery);
  const [scope, setScope] = useState<Scope>("nothing");
  const add = useAddLanguage(project, screen, scope, onAdded);
  const attempt = useAttempt();
  const { options, isExact } = useOptions(languages.data?.languages ?? [], query);
  const isPresent = (code: string) => project.languages.includes(code);
  const optionId = (index: number) => `${listId}-${index}`;
  const addable = options.flatMap(({ code }, index) => (isPresent(code) ? [] : [index]));
  const first = isExact && !addable.includes(0) ? -1 : (addable[0] ?? -1);
  const current = position !== null && addable.includes(position) ? position : first;
  const chosen = options[current];
  const isTyped = query.trim() !== "";

  const choose = (language: LanguageName | undefined) => {
    if (language === undefined || isPresent(language.code) || !attempt.begin()) return;
    add.mutate(language.code, { onError: attempt.failed });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = addable[addable.indexOf(current) + step];
      if (next === undefined) return;
      setPosition(next);
      document.getElementById(optionId(next))?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      // What AI shall do with it is asked below: a second Enter adds.
      if (chosen !== undefined) addButton.current?.focus();
    }
  };

  return (
    <Stack gap={12}>
      <TextInput
        label="Language"
        placeholder="Name or code"
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={chosen === undefined ? undefined : optionId(current)}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setPosition(null);
          add.reset();
        }}
        onKeyDown={onKeyDown}
      />
      {add.isError && (
        <Notice tone="bad">
          {add.error instanceof ApiError
            ? refusalOf(add.error, scope)
            : scope === "nothing"
              ? "The server can't be reached. Please try again."
              : failureOf(add.error, NOT_TRANSLATED)}
        </Notice>
      )}
      {languages.isPending ? (
        <LoadingRows rows={6} height={36} label="Loading languages" />
      ) : languages.isError ? (
        <ErrorState
          message={messageOf(languages.error, "Failed to load languages")}
          onRetry={() => void languages.refetch()}
        />
      ) : (
        <div
          className={look({ border: "line", radius: "s", scroll: true, h: 288 }, classes["list"])}
          id={listId}
          role="listbox"
          aria-label="Languages"
        >
          {options.map(({ code, name, nativeName, flag, direction }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard is the combobox's, which owns this list.
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox.
            <div
              className={look(
                { layout: "grid", align: "center", gap: 8, px: 12, minH: 36, pointer: true, smallMinH: 44 },
                classes["option"],
              )}
              key={code}
              id={optionId(index)}
              role="option"
              aria-selected={index === current}
              aria-disabled={isPresent(code)}
              onClick={() => {
                if (isPresent(code)) return;
                setPosition(index);
                addButton.current?.focus();
              }}
            >
              <Flag language={{ flag, code }} />
              <span>{name}</span>
              <Text as="bdi" size="s" tone="ink-3" truncate lang={code} dir={direction}>
                {nativeName === name ? "" : nativeName}
              </Text>
              {isPresent(code) ? (
                <Text as="span" size="xs">
                  Added
                </Text>
              ) : (
                <code className={look({ size: "xs", tone: "ink-3", code: true })}>{code}</code>
              )}
            </div>
          ))}
          {options.length === 0 && (
            <p className={look({ p: 24, tone: "ink-2", textAlign: "center", balance: true })} role="status">
              {UNSUPPORTED}
            </p>
          )}
        </div>
      )}
      {isTyped && options.length > 0 && chosen === undefined && (
        <p className={look({ size: "s", tone: "ink-2" })} role="status">
          {PRESENT}
        </p>
      )}
      <TranslateChoice
        project={project}
        screen={screen}
        language={chosen}
        value={scope}
        onChange={(next) => {
          setScope(next);
          add.reset();
        }}
      />
      <Row justify="end" gap={8} mt={4}>
        <Button onClick={onClose} disabled={add.isPending}>
          Cancel
        </Button>
        <Button
          ref={addButton}
          variant="filled"
          loading={add.isPending}
          disabled={chosen === undefined}
          onClick={() => choose(chosen)}
        >
          {scope !== "nothing"
            ? "Add and Translate Language"
            : chosen === undefined
              ? "Add language"
              : `Add ${chosen.code.includes("-") ? chosen.code : chosen.name}`}
        </Button>
      </Row>
    </Stack>
  );
}
