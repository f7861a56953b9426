/** The frame of a project alone: its sidebar or its menus, its header, and what other features add to it left empty. */
import { useState } from "react";
import { ProjectLayout, type ProjectParts } from "@/features/project-view/project-layout";
import type { Project } from "@/lib/api-types";
import { SidebarSlotProvider } from "@/ui/sidebar";
import { renderInProject } from "./component";

const Nothing = () => null;
const parts: ProjectParts = {
  PublishButton: Nothing,
  ScheduleButton: Nothing,
  ScheduleChip: Nothing,
  scheduleStateOf: () => null,
  ScheduleDialog: Nothing,
  ConnectDialog: Nothing,
  PreviewDialog: Nothing,
  ActivationDialog: Nothing,
  UnsavedNotice: Nothing,
  Presence: Nothing,
  EnglishOnly: Nothing,
  JobTray: Nothing,
  SearchButton: Nothing,
};

function Frame() {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const isLarge = window.matchMedia("(min-width: 901px)").matches;
  return (
    <SidebarSlotProvider value={isLarge ? slot : null}>
      <aside ref={setSlot} />
      <ProjectLayout parts={parts} />
    </SidebarSlotProvider>
  );
}

/** `path` is below the project's address. */
export const renderFrame = (path: string, project: Partial<Project> = {}) =>
  renderInProject(<Frame />, project, { at: path });
