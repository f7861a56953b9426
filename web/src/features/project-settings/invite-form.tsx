/** Invites a person to the project by mail. */
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import toast from "react-hot-toast";
import { ApiError, api, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { emailField } from "@/lib/email";
import { showRefusal } from "@/lib/forms";
import { INVITATION_LIFE_SECONDS } from "@/lib/limits.gen";
import { useAttempt } from "@/lib/use-attempt";
import { useKeptForm } from "@/lib/use-kept-form";
import { z } from "@/lib/zod";
import { KeptNotice } from "@/ui/kept-notice";
import { Notice } from "@/ui/notice";
import { Row, Stack } from "@/ui/parts";
import { readMembersAgain, showMembers } from "./members";
import { RoleChoice } from "./role-choice";

const schema = z.object({
  email: emailField("Email is required."),
  role: z.enum(["admin", "editor", "viewer"]),
});

export function InviteForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const { projectId } = project;
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "", role: "editor" as const } });
  const { errors, isSubmitting } = form.formState;
  const attempt = useAttempt();
  const kept = useKeptForm(form, { form: "invite", project: projectId }, ["email", "role"]);
  const giveUp = () => {
    kept.forget();
    onClose();
  };
  const invite = form.handleSubmit(async (body) => {
    if (!attempt.begin()) return;
    setFailure(null);
    try {
      const { message, members } = await take(
        api.POST("/api/projects/{projectId}/members", { params: { path: { projectId } }, body }),
      );
      showMembers(queryClient, projectId, members);
      toast.success(message || "The invitation is on its way.");
      kept.forget();
      onClose();
    } catch (error) {
      attempt.failed();
      setFailure(
        showRefusal(error, ["email"], form.setError, {
          fallback: "Failed to invite member",
          offline: "Failed to invite member. The server can't be reached. Please try again.",
        }),
      );
      if (error instanceof ApiError) readMembersAgain(queryClient, projectId);
    }
  });
  return (
    <Stack as="form" gap={16} grow shrink noValidate onSubmit={(event) => void invite(event)}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <KeptNotice kept={kept} onContinue={kept.resume} />
      <TextInput
        label="Email"
        description={`They get a mail with a link that works for ${INVITATION_LIFE_SECONDS / 86_400} days, which you can copy too. Until then the invitation takes a seat.`}
        type="email"
        placeholder="name@example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        error={errors.email?.message}
        {...form.register("email")}
      />
      <Controller
        control={form.control}
        name="role"
        render={({ field }) => <RoleChoice value={field.value} onChange={field.onChange} />}
      />
      <Row wrap justify="end" gap={8}>
        <Button onClick={giveUp} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={isSubmitting}>
          Send invitation
        </Button>
      </Row>
    </Stack>
  );
}
