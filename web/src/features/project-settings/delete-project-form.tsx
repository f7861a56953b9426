/** What deleting the project costs, and the proof that its owner means it. */
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useForm } from "react-hook-form";
import toast from "react-hot-toast";
import { api, failureOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { departing } from "@/lib/departures";
import { hasActivePlan } from "@/lib/project";
import { useMe } from "@/lib/queries";
import { formatDay } from "@/lib/time";
import { useAttempt } from "@/lib/use-attempt";
import { useNow } from "@/lib/use-now";
import { z } from "@/lib/zod";
import rows from "@/ui/rows.module.css";
import { useDeparture } from "./use-departure";

const FAILED = "Delete failed";

function schemaFor(name: string) {
  return z.object({ name: z.string().refine((text) => text.trim() === name, `Type ${name} to go on.`) });
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
    <form className={rows["form"]} noValidate onSubmit={(event) => void remove(event)}>
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
      <div className={rows["buttons"]}>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" color="red" loading={isSubmitting}>
          Delete Project
        </Button>
      </div>
    </form>
  );
}

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

function Losses({ project }: { project: Project }) {
  const { data: me } = useMe();
  const now = useNow();
  const others = project.members.filter(({ role, status }) => role !== "owner" && status === "active").length;
  const invited = project.members.filter(({ status }) => status === "invited").length;
  const hasCredits = me?.billing === "credits" && project.expiresAt !== null && hasActivePlan(project, now);
  return (
    <div className={rows["note"]}>
      <p>This action cannot be undone. What is lost:</p>
      <ul className={rows["bullets"]}>
        <li>
          every text of General
          {project.tabs.length > 1 && ` and ${count(project.tabs.length - 1, "screen", "screens")}`} in{" "}
          {count(project.languages.length, "language", "languages")}, every colour, and the whole history
        </li>
        <li>
          its keys: apps are told that the project is gone (410), keep what they have, and never get an update again
        </li>
        {others > 0 && <li>the access of {count(others, "other member", "other members")}</li>}
        {invited > 0 && <li>{count(invited, "invitation that waits", "invitations that wait")}</li>}
        {hasCredits && project.expiresAt !== null && (
          <li>
            its {project.tierName}, which runs until {formatDay(project.expiresAt)}: credits are not given back
          </li>
        )}
      </ul>
    </div>
  );
}
