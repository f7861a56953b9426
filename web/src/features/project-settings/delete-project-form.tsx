/** What deleting the project costs, and the proof that its owner means it. */
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import toast from "react-hot-toast";
import { api, failureOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { counted, listed } from "@/lib/counted";
import { departing } from "@/lib/departures";
import { hasActivePlan } from "@/lib/project";
import { useMe } from "@/lib/queries";
import { formatDay } from "@/lib/time";
import { useAttempt } from "@/lib/use-attempt";
import { useNow } from "@/lib/use-now";
import { z } from "@/lib/zod";
import { Box, Row, Stack } from "@/ui/parts";
import rows from "@/ui/rows.module.css";
import { type ProjectLosses, projectLossesQuery } from "./queries";
import { useDeparture } from "./use-departure";

const FAILED = "Delete failed";

function schemaFor(name: string) {
  return z.object({ name: z.string().check(z.refine((text) => text.trim() === name, `Type ${name} to go on.`)) });
}

export function DeleteProjectForm({ project, onCancel }: { project: Project; onCancel: () => void }) {
  const { projectId, name } = project;
  const depart = useDeparture(projectId);
  const form = useForm({ resolver: zodResolver(schemaFor(name)), defaultValues: { name: "" } });
  const { errors, isSubmitting } = form.formState;
  const attempt = useAttempt();
  const remove = form.handleSubmit(async () => {
    if (!attempt.begin()) return;
    try {
      const { message } = await departing(projectId, () =>
        take(api.DELETE("/api/projects/{projectId}", { params: { path: { projectId } } })),
      );
      toast.success(message);
    } catch (error) {
      attempt.failed();
      toast.error(`Failed to delete project: ${failureOf(error, FAILED)}`);
      return;
    }
    await depart();
  });
  return (
    <Stack as="form" gap={16} grow shrink noValidate onSubmit={(event) => void remove(event)}>
      <Losses project={project} />
      <TextInput
        label="Project name"
        description={`Type ${name}`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        error={errors.name?.message}
        {...form.register("name")}
      />
      <Row wrap justify="end" gap={8}>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" color="red" loading={isSubmitting}>
          Delete Project
        </Button>
      </Row>
    </Stack>
  );
}

function Losses({ project }: { project: Project }) {
  const { data: me } = useMe();
  const { data: lost, isPending } = useQuery(projectLossesQuery(project.projectId));
  const now = useNow();
  const hasCredits = me?.billing === "credits" && project.expiresAt !== null && hasActivePlan(project, now);
  return (
    <Box size="s" tone="ink-2" className={rows["note"]}>
      <p>This action cannot be undone. What is lost:</p>
      <Box as="ul" mt={8} bullets>
        {lost === undefined ? (
          <li>
            {isPending
              ? "Counting the content…"
              : "every text, colour, image, Data Store and item, the whole history, and the access of all members"}
          </li>
        ) : (
          linesOf(lost).map((line) => <li key={line}>{line}</li>)
        )}
        <li>its keys: apps learn that the project is gone (410), keep what they have, and never get an update again</li>
        {hasCredits && project.expiresAt !== null && (
          <li>
            its {project.tierName}, which runs until {formatDay(project.expiresAt)}: credits are not given back
          </li>
        )}
      </Box>
    </Box>
  );
}

/** Lists the losses. Leaves out counts of zero. */
function linesOf(lost: ProjectLosses): string[] {
  // Plans count screens without Content - General, and so does the sidebar.
  const screens = lost.screens > 1 ? ` and ${counted(lost.screens - 1, "screen")}` : "";
  const places = `${counted(lost.languages, "language")}, in Content - General${screens}`;
  const others = [
    ...(lost.colors > 0 ? [counted(lost.colors, "colour")] : []),
    ...(lost.images > 0 ? [counted(lost.images, "image")] : []),
    ...(lost.stores > 0 ? [`${counted(lost.stores, "Data Store")} with ${counted(lost.items, "item")}`] : []),
  ];
  return [
    `${counted(lost.texts, "text")} of ${counted(lost.keys, "key")} in ${places}`,
    ...(others.length > 0 ? [listed(others)] : []),
    ...(lost.releases > 0 ? [`${counted(lost.releases, "release")}, and the whole history`] : []),
    ...(lost.members > 0 ? [`the access of ${counted(lost.members, "other member")}`] : []),
    ...(lost.invitations > 0 ? [counted(lost.invitations, "pending invitation")] : []),
  ];
}
