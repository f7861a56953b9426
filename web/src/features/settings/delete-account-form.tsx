/** What deleting the account costs, and the proof that its owner means it. */
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import toast from "react-hot-toast";
import { Link } from "react-router";
import { ApiError, api, take } from "@/lib/api";
import type { ProjectSummary, User } from "@/lib/api-types";
import { showRefusal } from "@/lib/forms";
import { forgetTextsOf } from "@/lib/kept-text";
import { projectsQuery } from "@/lib/queries";
import { endSession } from "@/lib/session";
import { useAttempt } from "@/lib/use-attempt";
import { z } from "@/lib/zod";
import { Notice } from "@/ui/notice";
import { Box, Row, Stack } from "@/ui/parts";
import { PasswordField } from "@/ui/password-field";
import classes from "@/ui/rows.module.css";
import { identitiesQuery } from "./identities";

function schemaFor(email: string, { hasPassword }: { hasPassword: boolean }) {
  return z.object({
    email: z
      .string()
      .check(z.refine((text) => text.trim().toLowerCase() === email.toLowerCase(), `Type ${email} to go on.`)),
    password: z.string().check(z.minLength(hasPassword ? 1 : 0, "Enter your password.")),
  });
}

export function DeleteAccountForm({ user, onCancel }: { user: User; onCancel: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const { data: projects, refetch } = useQuery(projectsQuery);
  const owned = projects?.filter((project) => project.role === "owner") ?? [];
  // Who only ever used single sign-on has no password: the server asks for a login of the last ten minutes.
  const hasPassword = useQuery(identitiesQuery).data?.hasPassword ?? true;
  const schema = schemaFor(user.email, { hasPassword });
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "", password: "" } });
  const { errors, isSubmitting } = form.formState;
  const attempt = useAttempt();
  const remove = form.handleSubmit(async ({ password }) => {
    if (!attempt.begin()) return;
    setFailure(null);
    try {
      const { message } = await take(api.DELETE("/api/user/me", { body: { password } }));
      toast.success(message);
      forgetTextsOf(user._id);
      endSession("logout");
    } catch (error) {
      attempt.failed();
      setFailure(
        showRefusal(error, hasPassword ? ["password"] : [], form.setError, {
          fallback: "Failed to delete the account.",
        }),
      );
      if (error instanceof ApiError && error.code === "owns_projects") await refetch();
    }
  });
  if (owned.length > 0) return <OwnedProjects projects={owned} onClose={onCancel} />;
  return (
    <Stack as="form" gap={16} grow shrink noValidate onSubmit={(event) => void remove(event)}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <Box size="s" tone="ink-2" className={classes["note"]}>
        <p>This action cannot be undone. You lose:</p>
        <Box as="ul" mt={8} bullets>
          {user.billing === "credits" && user.credits > 0 && (
            <li>
              your {user.credits} {user.credits === 1 ? "credit, which is" : "credits, which are"} forfeited
            </li>
          )}
          <li>every session and every developer API key, at once</li>
          <li>your place in the projects of others</li>
        </Box>
      </Box>
      <TextInput
        label="Your email"
        description={`Type ${user.email}`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        error={errors.email?.message}
        {...form.register("email")}
      />
      {hasPassword && (
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register("password")}
        />
      )}
      <Row wrap justify="end" gap={8}>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" color="red" loading={isSubmitting}>
          Delete Account
        </Button>
      </Row>
    </Stack>
  );
}

function OwnedProjects({ projects, onClose }: { projects: readonly ProjectSummary[]; onClose: () => void }) {
  return (
    <Stack gap={16} grow shrink>
      <div role="alert">
        <p>You own projects. Transfer or delete them first; then your account can be deleted.</p>
        <Box as="ul" mt={8} bullets aria-label="Projects you own">
          {projects.map((project) => (
            <li key={project.projectId}>
              <Link to={`/projects/${project.projectId}/general`}>{project.name}</Link>
            </li>
          ))}
        </Box>
      </div>
      <Row wrap justify="end" gap={8}>
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Row>
    </Stack>
  );
}
