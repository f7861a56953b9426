/** The frame of a project alone: its sidebar or its menus, its header, and what other features add to it left empty. */
import { useState } from "react";
import { ProjectLayout, type ProjectParts } from "@/features/project-view/project-layout";
import type { Project } from "@/lib/api-types";
import { DiscardContext, type ToDiscard } from "@/lib/discarding";
import { SidebarSlotProvider } from "@/ui/sidebar";
import { renderInProject } from "./component";
import { PROJECT_ID } from "./fixtures";
import { answer, server } from "./server";

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

/** What the question before a screen's deletion asks for. */
export const screenLosses = answer("get", `/api/projects/${PROJECT_ID}/screens/:screen/losses`, {
  keys: 12,
  texts: 24,
});

/** `path` is below the project's address. `discard` is called with what the person wants to discard. */
export function renderFrame(
  path: string,
  project: Partial<Project> = {},
  discard: ((what: ToDiscard) => void) | null = null,
) {
  server.use(screenLosses);
  const frame = (
    <DiscardContext value={discard}>
      <Frame />
    </DiscardContext>
  );
  return renderInProject(frame, project, { at: path });
}
