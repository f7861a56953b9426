/** The languages of the project's content: see, add, delete. */
import { Button, Tooltip } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { Link } from "react-router";
import { api, failureOf, isUnreachable, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { counted, listed } from "@/lib/counted";
import { type LanguageName, useLanguageNames } from "@/lib/languages";
import { may } from "@/lib/project";
import { invalidateProject } from "@/lib/query";
import { AddLanguageButton } from "@/ui/add-language-button";
import { Badge } from "@/ui/badge";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Flag } from "@/ui/flag";
import { later } from "@/ui/later";
import { look } from "@/ui/look";
import { Panel } from "@/ui/page";
import { PanelRow } from "@/ui/panel-row";
import { Row, Text } from "@/ui/parts";
import classes from "./languages-section.module.css";
import { languageLossesQuery } from "./queries";

const addDialog = later(async () => (await import("@/ui/add-language-dialog")).AddLanguageDialog, null);
const DEFAULT_STAYS = "The default language can't be deleted: apps fall back to it.";

export function LanguagesSection({ project }: { project: Project }) {
  const [isAdding, setAdding] = useState(false);
  const nameOf = useLanguageNames();
  return (
    <Panel
      title="Languages"
      aside={
        <Row align="center" gap={12} size="s" tone="ink-2">
          <span className="num">{countText(project)}</span>
          {may(project, "edit") && <AddLanguageButton size="xs" project={project} onClick={() => setAdding(true)} />}
        </Row>
      }
    >
      <ul aria-label="Languages of the project">
        {project.languages.map((code) => (
          <LanguageRow key={code} project={project} language={nameOf(code)} />
        ))}
      </ul>
      {may(project, "edit") && (
        <Row wrap align="center" justify="between" gap={8} gapX={16} px={16} py={12} lineAbove>
          <Text size="s" tone="ink-2">
            Texts that you have in files become texts of the draft.
          </Text>
          <Button size="xs" component={Link} to={`/projects/${project.projectId}/import-texts`}>
            Import files
          </Button>
        </Row>
      )}
      {!may(project, "manage") && (
        <Text px={16} py={12} lineAbove size="s" tone="ink-2">
          {may(project, "edit")
            ? "Only admins and the owner can delete a language."
            : "Viewers can't add languages. Ask an admin of this project for the editor role."}
        </Text>
      )}
      <addDialog.Part
        project={project}
        opened={isAdding}
        onClose={() => setAdding(false)}
        onAdded={(code) => {
          setAdding(false);
          toast.success(`${nameOf(code).name} added.`);
        }}
      />
    </Panel>
  );
}

function countText({ languages, limits: { languages: limit } }: Project): string {
  return limit === -1 ? `${languages.length}` : `${languages.length} / ${limit}`;
}

function LanguageRow({ project, language }: { project: Project; language: LanguageName }) {
  const { code, name, nativeName, direction } = language;
  const isDefault = code === project.defaultLanguage;
  return (
    <PanelRow as="li" className={classes["language"]}>
      <Flag language={language} />
      <Row wrap align="center" gap={2} gapX={10} grow shrink breaks>
        <Text as="span" weight={500}>
          {name}
        </Text>
        {nativeName !== name && (
          <Text as="bdi" size="s" tone="ink-3" lang={code} dir={direction}>
            {nativeName}
          </Text>
        )}
        <code className={look({ mono: true, size: "xs", tone: "ink-3" })}>{code}</code>
        {isDefault && <Badge>Default</Badge>}
      </Row>
      {may(project, "manage") &&
        (isDefault ? <DefaultStays /> : <DeleteLanguage project={project} language={language} />)}
    </PanelRow>
  );
}

function DefaultStays() {
  return (
    <Tooltip label={DEFAULT_STAYS}>
      <Button
        size="xs"
        variant="subtle"
        className={classes["off"] ?? ""}
        data-disabled
        aria-disabled="true"
        aria-label="Delete the default language"
        aria-description={DEFAULT_STAYS}
        onClick={(event) => event.preventDefault()}
      >
        Delete
      </Button>
    </Tooltip>
  );
}

function DeleteLanguage({ project, language: { code, name } }: { project: Project; language: LanguageName }) {
  const { projectId } = project;
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      take(
        api.DELETE("/api/projects/{projectId}/languages/{languageCode}", {
          params: { path: { projectId, languageCode: code } },
        }),
      ),
    onSuccess: ({ message }) => void toast.success(message),
    onError: (error) => toast.error(failureOf(error, "Failed to delete language")),
    // Its texts go from every screen, and the row goes with the project that is read again.
    onSettled: async (_, error) => {
      if (isUnreachable(error)) return;
      await invalidateProject(client, projectId);
      setAsking(false);
    },
  });
  return (
    <>
      <Button size="xs" variant="subtle" color="red" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`Delete ${name}?`}
        confirmText={`Delete ${name}`}
        tone="danger"
        loading={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        <Losses projectId={projectId} language={code} name={name} />{" "}
        {project.isPublished && `Apps keep ${name} until your next publish. `}
        This action cannot be undone.
      </ConfirmDialog>
    </>
  );
}

/** What goes with the language, counted by the server when the question is asked. */
function Losses({ projectId, language, name }: { projectId: string; language: string; name: string }) {
  const { data, isPending } = useQuery(languageLossesQuery(projectId, language));
  if (isPending) return "Counting what is lost…";
  if (data === undefined) return `Every ${name} text of every screen, and every ${name} value of items, is lost.`;
  const { texts, items, values } = data;
  if (texts === 0 && values === 0) return `Nothing is written in ${name}.`;
  const lost = [
    ...(texts > 0 ? [counted(texts, "text")] : []),
    ...(values > 0 ? [`${counted(values, "value")} in ${counted(items, "item")} of Data Stores`] : []),
  ];
  return (
    <>
      What is lost in {name}: <b>{listed(lost)}</b>.
    </>
  );
}
