import { zodResolver } from "@hookform/resolvers/zod";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import toast from "react-hot-toast";
import { api, take } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { PASSWORD_LEAST_CHARACTERS } from "@/lib/limits.gen";
import { invalidate } from "@/lib/query";
import { z } from "@/lib/zod";
import { Notice } from "@/ui/notice";
import { Panel } from "@/ui/page";
import { Row, Stack } from "@/ui/parts";
import { PasswordField } from "@/ui/password-field";

const schema = z
  .object({
    oldPassword: z.string().check(z.minLength(1, "Enter your current password.")),
    newPassword: z
      .string()
      .check(
        z.refine(
          (text) => [...text].length >= PASSWORD_LEAST_CHARACTERS,
          `Password must be at least ${PASSWORD_LEAST_CHARACTERS} characters long.`,
        ),
      ),
    confirmation: z.string(),
  })
  .check(
    z.refine(({ newPassword, confirmation }) => newPassword === confirmation, {
      path: ["confirmation"],
      message: "Passwords do not match. Please try again.",
      when: () => true,
    }),
  );

const EMPTY = { oldPassword: "", newPassword: "", confirmation: "" };

export function PasswordSection({ email }: { email: string }) {
  const [failure, setFailure] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: EMPTY });
  const { errors, isSubmitting } = form.formState;
  const change = form.handleSubmit(async ({ oldPassword, newPassword }) => {
    setFailure(null);
    try {
      const { message } = await take(api.PUT("/api/user/password", { body: { oldPassword, newPassword } }));
      form.reset(EMPTY);
      toast.success(message);
      void invalidate(queryClient, "/api/user/sessions");
    } catch (error) {
      setFailure(
        showRefusal(error, ["oldPassword", "newPassword"], form.setError, {
          fallback: "Failed to change the password.",
        }),
      );
    }
  });
  return (
    <Panel title="Change password">
      <Stack
        as="form"
        gap={16}
        grow
        shrink
        p={16}
        aria-label="Change password"
        noValidate
        onSubmit={(event) => void change(event)}
      >
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
        {/* Shows password managers whose password changes. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current Password"
          autoComplete="current-password"
          error={errors.oldPassword?.message}
          {...form.register("oldPassword")}
        />
        <PasswordField
          label="New Password"
          description={`At least ${PASSWORD_LEAST_CHARACTERS} characters. Every other device you are logged in on is logged out.`}
          autoComplete="new-password"
          error={errors.newPassword?.message}
          {...form.register("newPassword")}
        />
        <PasswordField
          label="Confirm New Password"
          autoComplete="new-password"
          error={errors.confirmation?.message}
          {...form.register("confirmation")}
        />
        <Row wrap align="center" gap={8}>
          <Button type="submit" loading={isSubmitting}>
            Change Password
          </Button>
        </Row>
      </Stack>
    </Panel>
  );
}
