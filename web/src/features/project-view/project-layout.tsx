/** The frame of one project: its sidebar, its header with what can be done to the whole, and the open tab below. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useEffect, useState } from "react";
import { Link, Outlet, useLocation, useNavigate, useParams } from "react-router";
import { ApiError, messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { noteArrival } from "@/lib/departures";
import { hasActivePlan, may, NO_PLAN, type OpenProject, type PlanChoice, refusals } from "@/lib/project";
import { projectQuery, useMe } from "@/lib/queries";
import { storeCurrentProject } from "@/lib/session";
import { useNow } from "@/lib/use-now";
import { announce } from "@/lib/window-events";
import { Notice } from "@/ui/notice";
import { PageBody } from "@/ui/page";
import { ErrorState, LoadingRows } from "@/ui/states";
import { type HeaderParts, ProjectHeader } from "./project-header";
import classes from "./project-layout.module.css";
import { ProjectSidebar } from "./project-sidebar";
import { isScreen, useOpenTab } from "./tabs";
import { useFocusReturn } from "./use-focus-return";
import { useMissingProject } from "./use-missing-project";

/** What other features add to the frame. */
export interface ProjectParts extends HeaderParts {
  ScheduleDialog: ComponentType<{
    project: Project;
    opened: boolean;
    onClose: () => void;
    onActivate: (choice: PlanChoice) => void;
  }>;
  ActivationDialog: ComponentType<{
    project: Project;
    opened: boolean;
    reason?: string;
    choice?: PlanChoice;
    onClose: () => void;
  }>;
  UnsavedNotice: ComponentType;
  /** The texts of a screen while its project, and with it the languages, can't be loaded. */
  EnglishOnly: ComponentType<{ projectId: string; screen: string }>;
}

export function ProjectLayout({ parts }: { parts: ProjectParts }) {
  const { projectId = "" } = useParams();
  const { data: project, error, isError, refetch } = useQuery(projectQuery(projectId));
  const isMissing = error instanceof ApiError && error.status === 404;
  const name = project?.name;
  const openTab = useOpenTab();

  useMissingProject(projectId, isMissing);
  useEffect(() => {
    if (name === undefined) return;
    storeCurrentProject({ id: projectId, name });
    noteArrival(projectId);
  }, [projectId, name]);
  useEffect(() => announce("currentProjectChanged", { id: projectId }), [projectId]);

  if (isMissing) return null;
  if (project === undefined) {
    return isError ? (
      <>
        <ErrorState
          title="Project data not loaded."
          message={loadFailure(error, openTab)}
          onRetry={() => void refetch()}
          action={
            <Button component={Link} to="/projects">
              Back to Projects
            </Button>
          }
        />
        {isScreen(openTab) && <parts.EnglishOnly projectId={projectId} screen={openTab} />}
      </>
    ) : (
      <PageBody>
        <LoadingRows rows={8} height={46} label="Loading project" />
      </PageBody>
    );
  }
  return <Frame key={projectId} project={project} parts={parts} />;
}

function loadFailure(error: unknown, tab: string): string {
  return tab === "settings"
    ? messageOf(error, "Failed to fetch project settings", "Error fetching project data")
    : messageOf(error, "Failed to fetch project details.", "Error loading project.");
}

function Frame({ project, parts }: { project: Project; parts: ProjectParts }) {
  const { ScheduleDialog, ActivationDialog, UnsavedNotice } = parts;
  const [activation, setActivation] = useState<Activation | null>(useWantedActivation());
  const [isScheduling, setScheduling] = useState(false);
  const openActivation = (choice?: PlanChoice) => setActivation(choice === undefined ? {} : { choice });
  const context: OpenProject = { project, openActivation };
  useFocusReturn();
  return (
    <>
      <ProjectSidebar project={project} />
      <ProjectHeader
        project={project}
        parts={parts}
        onSchedule={() => setScheduling(true)}
        onNoPlan={() => setActivation({ reason: NO_PLAN })}
      />
      <div className={classes["notices"]}>
        <UnsavedNotice />
        <PlanNotice project={project} onActivate={() => openActivation()} />
      </div>
      <Outlet context={context} />
      <ScheduleDialog
        project={project}
        opened={isScheduling}
        onClose={() => setScheduling(false)}
        onActivate={openActivation}
      />
      <ActivationDialog
        project={project}
        opened={activation !== null}
        onClose={() => setActivation(null)}
        {...(activation ?? {})}
      />
    </>
  );
}

interface Activation {
  reason?: string;
  choice?: PlanChoice;
}

/** What the page that led here wants activated, as who comes back from buying credits does. A reload asks no more. */
function useWantedActivation(): Activation | null {
  const { state } = useLocation();
  const navigate = useNavigate();
  const wanted = planChoiceIn(state);
  const isWanted = wanted !== null;
  useEffect(() => {
    if (isWanted) void navigate(".", { replace: true, state: null });
  }, [isWanted, navigate]);
  return wanted === null ? null : { choice: wanted };
}

function planChoiceIn(state: unknown): PlanChoice | null {
  if (typeof state !== "object" || state === null || !("activate" in state)) return null;
  const { activate } = state;
  if (typeof activate !== "object" || activate === null || !("tier" in activate) || !("months" in activate))
    return null;
  return typeof activate.tier === "string" && typeof activate.months === "number"
    ? { tier: activate.tier, months: activate.months }
    : null;
}

function PlanNotice({ project, onActivate }: { project: Project; onActivate: () => void }) {
  const { data: user } = useMe();
  if (hasActivePlan(project, useNow())) return null;
  const isExpired = project.activeTier !== "none";
  const isFree = !isExpired && user?.freeMonthUsed === false;
  const button = (
    <Button size="xs" variant="filled" onClick={onActivate}>
      {isFree ? "Start free month" : "Choose a plan"}
    </Button>
  );
  return (
    <Notice tone={isExpired ? "warn" : "plain"} action={may(project, "assign_credits") ? button : undefined}>
      {isExpired
        ? "The plan of this project has expired. Activate a plan to add screens and publish."
        : isFree
          ? "Start your free month to add screens and publish."
          : "Activate a plan to add screens and publish."}
      {!may(project, "assign_credits") && ` ${refusals.assign_credits}`}
    </Notice>
  );
}
