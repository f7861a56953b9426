/** The dialog that schedules a publish. */
import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect } from "vitest";
import { ScheduleButton, ScheduleChip } from "@/features/publishing/schedule-button";
import { ScheduleDialog } from "@/features/publishing/schedule-dialog";
import type { Project } from "@/lib/api-types";
import { useProject } from "@/lib/project";
import { renderInProject } from "@/testing/component";
import { aDiff, PROJECT_ID } from "@/testing/fixtures";
import { DIFF } from "@/testing/review";
import { pro, type Schedule, scheduleButton } from "@/testing/schedules";
import { answer, server } from "@/testing/server";

export const SCHEDULES = `/api/schedule/project/${PROJECT_ID}`;

export const TAKEN = "A publish is already scheduled. Please cancel it before scheduling a new one.";

/** The button, the chip and the dialog, as they are in the project's header. */
function Scheduling({ project }: { project: Project }) {
  const { openActivation } = useProject();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ScheduleChip project={project} onOpen={() => setOpen(true)} />
      <ScheduleButton project={project} onOpen={() => setOpen(true)} />
      <ScheduleDialog project={project} opened={isOpen} onClose={() => setOpen(false)} onActivate={openActivation} />
    </>
  );
}

export function openProject(project: Partial<Project> = {}, schedules: Schedule[] = [], isFading = false) {
  const [waiting] = schedules.filter(({ status }) => status === "pending");
  server.use(answer("get", SCHEDULES, schedules), answer("get", DIFF, aDiff()));
  return renderInProject(
    (shown) => <Scheduling project={shown} />,
    { ...pro, scheduledFor: waiting?.publishAt ?? null, ...project },
    { isFading },
  );
}

export async function openDialog(project: Partial<Project> = {}, schedules: Schedule[] = [], isFading = false) {
  const opened = openProject(project, schedules, isFading);
  await opened.user.click(await scheduleButton());
  const found = await screen.findByRole("dialog", { name: "Manage Scheduled Publishes" });
  await waitFor(() => expect(within(found).queryByRole("status", { name: /^Loading/ })).not.toBeInTheDocument());
  const dialog = within(found);
  return {
    ...opened,
    dialog,
    submit: () => opened.user.click(dialog.getByRole("button", { name: "Schedule Publish" })),
  };
}
