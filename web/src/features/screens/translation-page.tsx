/** One screen of a project: its keys, in the default language and one other. */
import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ComponentType, useState } from "react";
import { Link, useParams } from "react-router";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { useProject } from "@/lib/project";
import { AddLanguageButton } from "@/ui/add-language-button";
import { look } from "@/ui/look";
import { PageBody } from "@/ui/page";
import { soon } from "@/ui/soon";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import type { AiParts } from "./ai-parts";
import { screenQuery } from "./queries";
import { ScreenEditor } from "./screen-editor";
import { useGridCode } from "./translation-grid";
import { useEdits } from "./use-outbox";
import { useTargetLanguage } from "./use-target-language";

const AddLanguageDialog = soon(async () => (await import("@/ui/add-language-dialog")).AddLanguageDialog);

/** What other features add to a screen. */
export interface ScreenParts {
  HistoryButton: ComponentType<{ project: Project; screen: string; unsaved: number }>;
  ai: AiParts;
}

export function TranslationPage({ parts }: { parts: ScreenParts }) {
  useGridCode();
  const { tabName = "" } = useParams();
  const { project } = useProject();
  if (!project.tabs.includes(tabName)) return <NoSuchScreen project={project} screen={tabName} />;
  // Filter, search and the current cell belong to one screen.
  return <Screen key={tabName} project={project} screen={tabName} parts={parts} />;
}

/** A language and those whose texts apps show in its place: pt-BR, pt. */
function withParents(language: string): string[] {
  const parts = language.split("-");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("-"));
}

function NoSuchScreen({ project, screen }: { project: Project; screen: string }) {
  return (
    <EmptyState
      title={`There is no screen “${screen}”`}
      action={
        <Button component={Link} to={`/projects/${project.projectId}/general`} variant="filled">
          Go to Content - General
        </Button>
      }
    >
      It may have been deleted, or the link may be old.
    </EmptyState>
  );
}

function Screen({ project, screen, parts }: { project: Project; screen: string; parts: ScreenParts }) {
  const [target, chooseTarget] = useTargetLanguage(project);
  const languages = target === undefined ? undefined : [project.defaultLanguage, ...withParents(target)];
  const query = useQuery({
    ...screenQuery(project.projectId, screen, languages ?? [project.defaultLanguage]),
    placeholderData: keepPreviousData,
  });
  // The other language takes its column when its texts are here; until then the column stays as it is.
  const [shownTarget, setShownTarget] = useState(target);
  if (!query.isPlaceholderData && query.data !== undefined && shownTarget !== target) setShownTarget(target);
  const [isAddingLanguage, setAddingLanguage] = useState(false);
  if (query.isPending) {
    return (
      <PageBody>
        <LoadingRows rows={8} height={46} label={`Loading translations for ${screen}`} />
      </PageBody>
    );
  }
  if (query.data === undefined) {
    return (
      <ErrorState
        message={messageOf(query.error, `Failed to load translations for ${screen}`)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <>
      <ScreenEditor
        project={project}
        screen={screen}
        records={query.data.keys}
        progress={query.data.progress}
        target={shownTarget}
        isSwitching={shownTarget !== target}
        onTarget={chooseTarget}
        history={<History project={project} screen={screen} Part={parts.HistoryButton} />}
        ai={{ parts: parts.ai, project }}
        addLanguage={
          <AddLanguageButton
            className={look({ iconOnly: true })}
            project={project}
            onClick={() => setAddingLanguage(true)}
          />
        }
      />
      <AddLanguageDialog
        project={project}
        screen={screen}
        opened={isAddingLanguage}
        onClose={() => setAddingLanguage(false)}
        onAdded={(code) => {
          chooseTarget(code);
          setAddingLanguage(false);
        }}
      />
    </>
  );
}

/** The way to the screen's versions, which have no part of what is not saved yet. */
function History({ project, screen, Part }: { project: Project; screen: string; Part: ScreenParts["HistoryButton"] }) {
  const unsaved = [...useEdits().values()].filter((edit) => edit.screen === screen && edit.status !== "saved").length;
  return <Part project={project} screen={screen} unsaved={unsaved} />;
}
