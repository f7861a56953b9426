/** Adds a language to the project: by looking for its name, or by a code that the list leaves out (pt-BR). */
import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Language, Project } from "@/lib/api-types";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import { keys, languagesQuery } from "@/lib/queries";
import { announce } from "@/lib/window-events";
import classes from "./add-language-dialog.module.css";
import { Notice } from "./notice";
import { ErrorState, LoadingRows } from "./states";

export function AddLanguageDialog({
  project,
  opened,
  onClose,
  onAdded,
}: {
  project: Project;
  opened: boolean;
  onClose: () => void;
  onAdded: (code: string) => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add language" size="sm">
      <AddLanguage project={project} onClose={onClose} onAdded={onAdded} />
    </Modal>
  );
}

const UNSUPPORTED = "Not a directly supported language. Please use ISO code or full name.";
const PRESENT = "This language is already in your project.";

const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function found(languages: readonly Language[], query: string): Language[] {
  const wanted = folded(query.trim());
  const starts = (text: string) => folded(text).startsWith(wanted);
  return languages
    .filter(({ code, name, nativeName }) => [code, name, nativeName].some((text) => folded(text).includes(wanted)))
    .sort((a, b) => Number(starts(b.name) || starts(b.code)) - Number(starts(a.name) || starts(a.code)));
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
function useOptions(languages: readonly Language[], query: string): LanguageName[] {
  const nameOf = useLanguageNames();
  const regional = regionalCode(languages, query);
  return regional === undefined ? found(languages, query) : [nameOf(regional)];
}

function useAddLanguage(project: Project, onAdded: (code: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (language: string) =>
      take(
        api.POST("/api/projects/{projectId}/languages", {
          params: { path: { projectId: project.projectId } },
          body: { language },
        }),
      ),
    onSuccess: (changed) => {
      client.setQueryData(keys.project(project.projectId), changed);
      announce("translationsUpdated", { projectId: project.projectId, screen: "__UNPUBLISHED__" });
      const added = changed.languages.find((code) => !project.languages.includes(code));
      if (added !== undefined) onAdded(added);
    },
  });
}

function AddLanguage({
  project,
  onClose,
  onAdded,
}: {
  project: Project;
  onClose: () => void;
  onAdded: (code: string) => void;
}) {
  const listId = useId();
  const [query, setQuery] = useState("");
  // Null until a language is pointed at: the first that can be added.
  const [position, setPosition] = useState<number | null>(null);
  const languages = useQuery(languagesQuery);
  const add = useAddLanguage(project, onAdded);
  const options = useOptions(languages.data?.languages ?? [], query);
  const isPresent = (code: string) => project.languages.includes(code);
  const optionId = (index: number) => `${listId}-${index}`;
  const addable = options.flatMap(({ code }, index) => (isPresent(code) ? [] : [index]));
  const current = position !== null && addable.includes(position) ? position : (addable[0] ?? -1);
  const chosen = options[current];
  const isTyped = query.trim() !== "";

  const choose = (language: LanguageName | undefined) => {
    if (language !== undefined && !isPresent(language.code) && !add.isPending) add.mutate(language.code);
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
      choose(chosen);
    }
  };

  return (
    <div className={classes["dialog"]}>
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
            ? (add.error.fields["language"] ?? messageOf(add.error, "Invalid or already added language for project."))
            : "The server can't be reached. Please try again."}
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
        <div id={listId} role="listbox" aria-label="Languages" className={classes["list"]}>
          {options.map(({ code, name, nativeName, flag, direction }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard is the combobox's, which owns this list.
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox.
            <div
              key={code}
              id={optionId(index)}
              role="option"
              aria-selected={index === current}
              aria-disabled={isPresent(code)}
              className={classes["option"]}
              onPointerMove={() => setPosition(index)}
              onClick={() => choose(options[index])}
            >
              <span aria-hidden="true">{flag}</span>
              <span>{name}</span>
              <bdi lang={code} dir={direction}>
                {nativeName === name ? "" : nativeName}
              </bdi>
              {isPresent(code) ? <span className={classes["added"]}>Added</span> : <code>{code}</code>}
            </div>
          ))}
          {options.length === 0 && (
            <p className={classes["none"]} role="status">
              {UNSUPPORTED}
            </p>
          )}
        </div>
      )}
      {isTyped && options.length > 0 && addable.length === 0 && (
        <p className={classes["present"]} role="status">
          {PRESENT}
        </p>
      )}
      <div className={classes["buttons"]}>
        <Button onClick={onClose} disabled={add.isPending}>
          Cancel
        </Button>
        <Button variant="filled" loading={add.isPending} disabled={chosen === undefined} onClick={() => choose(chosen)}>
          {chosen === undefined ? "Add language" : `Add ${chosen.code.includes("-") ? chosen.code : chosen.name}`}
        </Button>
      </div>
    </div>
  );
}
