/** Adds a language to the project: by looking for its name, or by a code that the list leaves out (pt-BR). */
import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Language, Project } from "@/lib/api-types";
import { keys, languagesQuery } from "@/lib/queries";
import { announce } from "@/lib/window-events";
import { Notice } from "@/ui/notice";
import { LoadingRows } from "@/ui/states";
import classes from "./add-language-dialog.module.css";

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

const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function found(languages: readonly Language[], query: string): Language[] {
  const wanted = folded(query.trim());
  const starts = (text: string) => folded(text).startsWith(wanted);
  return languages
    .filter(({ code, name, nativeName }) => [code, name, nativeName].some((text) => folded(text).includes(wanted)))
    .sort((a, b) => Number(starts(b.name) || starts(b.code)) - Number(starts(a.name) || starts(a.code)));
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
  const [position, setPosition] = useState(0);
  const languages = useQuery(languagesQuery);
  const add = useAddLanguage(project, onAdded);
  const options = found(languages.data?.languages ?? [], query);
  const isPresent = (code: string) => project.languages.includes(code);
  const optionId = (index: number) => `${listId}-${index}`;
  const current = Math.min(position, options.length - 1);

  const choose = (language: string) => {
    if (!add.isPending) add.mutate(language);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = Math.min(Math.max(current + step, 0), options.length - 1);
      setPosition(next);
      document.getElementById(optionId(next))?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(options[current]?.code ?? query.trim());
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
        aria-activedescendant={options.length > 0 ? optionId(current) : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setPosition(0);
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
              onClick={() => choose(code)}
            >
              <span aria-hidden="true">{flag}</span>
              <span>{name}</span>
              <bdi lang={code} dir={direction}>
                {nativeName === name ? "" : nativeName}
              </bdi>
              <code>{isPresent(code) ? "added" : code}</code>
            </div>
          ))}
          {options.length === 0 && (
            <p className={classes["none"]}>
              No language of this name. A code with a region can be added: pt-BR, zh-Hant.
            </p>
          )}
        </div>
      )}
      <div className={classes["buttons"]}>
        <Button onClick={onClose} disabled={add.isPending}>
          Cancel
        </Button>
        <Button
          variant="filled"
          loading={add.isPending}
          disabled={options[current] === undefined && query.trim() === ""}
          onClick={() => choose(options[current]?.code ?? query.trim())}
        >
          {options[current] === undefined ? "Add language" : `Add ${options[current].name}`}
        </Button>
      </div>
    </div>
  );
}
