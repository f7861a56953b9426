/**
 * The line at the top of each page of a project. It shows where you are, who is here, and what can be done to the whole
 * project.
 */
import { ActionIcon, Tooltip } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ComponentType, type Ref, useRef, useState } from "react";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { useNow } from "@/lib/use-now";
import { LARGE, TABLET } from "@/ui/breakpoints";
import { IconCalendarClock, IconDeviceMobile, IconSearch, IconSparkles } from "@/ui/icons";
import { look } from "@/ui/look";
import type { MenuLine } from "@/ui/menu-list";
import { Row, Text } from "@/ui/parts";
import { HeaderMenuToggle } from "@/ui/sidebar";
import { MoreActions, type ProjectDialog } from "./more-actions";
import { PartPicker } from "./part-picker";
import classes from "./project-header.module.css";
import { tabTitle, useOpenTab } from "./tabs";
import { useFit, useHeaderHeight } from "./use-fit";

interface Opener {
  open: () => void;
}

/** What other features add to the header. */
export interface HeaderParts {
  PublishButton: ComponentType<{ project: Project; onNoPlan: () => void }>;
  ScheduleButton: ComponentType<{ project: Project; onOpen: () => void }>;
  /** The time of the scheduled publish. */
  ScheduleChip: ComponentType<{ project: Project; onOpen: () => void }>;
  /** The words of the chip, and the whole sentence. */
  scheduleStateOf: (project: Project, now: number) => { short: string; whole: string } | null;
  /** Opened from the menu. */
  ConnectDialog: ProjectDialog;
  PreviewDialog: ProjectDialog;
  /** Who else is there; it keeps the project's pages fresh, too. */
  Presence: ComponentType<{ projectId: string; onWords?: (words: string | null) => void }>;
  /** The progress of AI jobs. */
  JobTray: ComponentType<{
    project: Project;
    isDialog?: boolean;
    handle?: Ref<Opener>;
    onWords?: (words: string | null) => void;
  }>;
  SearchButton: ComponentType<{ project: Project; handle?: Ref<Opener> }>;
}

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

export function ProjectHeader({
  project,
  parts,
  onSchedule,
  onNoPlan,
}: {
  project: Project;
  parts: HeaderParts;
  onSchedule: () => void;
  onNoPlan: () => void;
}) {
  const { PublishButton, ScheduleButton, ScheduleChip, Presence, JobTray, SearchButton } = parts;
  const tab = useOpenTab();
  const isLarge = useMediaQuery(LARGE, true, { getInitialValueInEffect: false });
  const isPhone = !useMediaQuery(TABLET, true, { getInitialValueInEffect: false });
  const header = useRef<HTMLElement>(null);
  const isTight = useFit(header, `${project.name} ${tab} ${isLarge} ${isPhone}`);
  useHeaderHeight(header);
  const [asked, setAsked] = useState<"connect" | "preview" | null>(null);
  const [people, setPeople] = useState<string | null>(null);
  const [jobs, setJobs] = useState<string | null>(null);
  const jobTray = useRef<Opener>(null);
  const search = useRef<Opener>(null);
  const schedule = parts.scheduleStateOf(project, useNow());
  const mayPublish = may(project, "publish");

  // A phone has no room for what is going on: the menu begins with it.
  const now: MenuLine[] = [];
  if (isPhone && jobs !== null)
    now.push({
      label: "AI translations",
      icon: <IconSparkles {...icon} />,
      hint: jobs,
      onClick: () => jobTray.current?.open(),
    });
  if (isPhone && schedule !== null)
    now.push({
      label: "Scheduled publish",
      icon: <IconCalendarClock {...icon} />,
      hint: schedule.short,
      onClick: onSchedule,
    });
  if (isPhone && people !== null) now.push({ text: people });
  const hidden: MenuLine[] = [];
  if (isPhone || isTight("find"))
    hidden.push({ label: "Search all screens", icon: <IconSearch {...icon} />, onClick: () => search.current?.open() });
  if (isTight("calendar"))
    hidden.push({ label: "Schedule Publish", icon: <IconCalendarClock {...icon} />, onClick: onSchedule });

  return (
    <Row
      as="header"
      ref={header}
      align="center"
      gap={8}
      place="sticky"
      px={24}
      fill="surface"
      lineBelow
      noPrint
      h={60}
      className={classes["header"]}
    >
      {!isLarge && <HeaderMenuToggle />}
      <Row align="center" shrink size="lead" leading={140} className={classes["place"]}>
        <Row as="h1" align="center" shrink size="lead" leading={140} spoken={!isLarge} className={classes["title"]}>
          <Names project={project.name} section={tabTitle(tab)} isMeasured={isLarge} />
        </Row>
        {!isLarge && (
          <>
            <Text
              as="span"
              clip
              weight={500}
              tone="ink-3"
              ellipsis
              className={classes["context"]}
              data-title="project"
              aria-hidden="true"
            >
              {project.name}
            </Text>
            <Text as="span" rigid weight={500} tone="ink-3" className={classes["slash"]} aria-hidden="true">
              {" / "}
            </Text>
            <PartPicker project={project} />
          </>
        )}
      </Row>
      <div className={classes["tools"]}>
        <Presence projectId={project.projectId} onWords={setPeople} />
        <JobTray project={project} isDialog={isPhone} handle={jobTray} onWords={setJobs} />
        <ScheduleChip project={project} onOpen={onSchedule} />
        <SearchButton project={project} handle={search} />
        {mayPublish && (
          <Tooltip label="Preview draft: see unpublished changes in your app">
            <ActionIcon
              className={look({ rigid: true }, classes["preview"])}
              size={34}
              variant="default"
              aria-label="Preview draft"
              onClick={() => setAsked("preview")}
            >
              <IconDeviceMobile {...icon} />
            </ActionIcon>
          </Tooltip>
        )}
        <ScheduleButton project={project} onOpen={onSchedule} />
        <PublishButton project={project} onNoPlan={onNoPlan} />
        <MoreActions
          project={project}
          isLarge={isLarge}
          now={now}
          hidden={hidden}
          onConnect={() => setAsked("connect")}
          onPreview={mayPublish ? () => setAsked("preview") : null}
        />
      </div>
      <parts.ConnectDialog project={project} opened={asked === "connect"} onClose={() => setAsked(null)} />
      <parts.PreviewDialog project={project} opened={asked === "preview"} onClose={() => setAsked(null)} />
    </Row>
  );
}

/** Where both don't fit the project's name is cut first. Pointing at a cut name shows the whole. */
function Names({ project, section, isMeasured }: { project: string; section: string; isMeasured: boolean }) {
  return (
    <>
      <Text
        as="span"
        clip
        weight={500}
        tone="ink-3"
        ellipsis
        className={classes["context"]}
        title={project}
        data-title={isMeasured ? "project" : undefined}
      >
        {project}
      </Text>
      <Text as="span" rigid weight={500} tone="ink-3" className={classes["slash"]}>
        {" "}
        /{" "}
      </Text>
      <Text
        as="span"
        clip
        ellipsis
        className={classes["section"]}
        title={section}
        data-title={isMeasured ? "section" : undefined}
      >
        {section}
      </Text>
    </>
  );
}
