import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { api, take } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { Notice } from "@/ui/notice";
import { Stack } from "@/ui/parts";
import { AuthLayout } from "./auth-layout";
import { useHandover } from "./handover";
import { emailSchema } from "./schemas";
import { SignedInNote, useSignedIn, WayBack } from "./signed-in-note";

export function ForgotPasswordPage() {
  const [failure, setFailure] = useState<string | null>(null);
  const [success, setSuccess] = useState<string | null>(null);
  const session = useSignedIn();
  const form = useForm({ resolver: zodResolver(emailSchema), defaultValues: { email: useHandover().email ?? "" } });
  const { errors, isSubmitting } = form.formState;

  const request = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      const { message } = await take(api.POST("/api/auth/forgot-password", { body: values }));
      setSuccess(message || "Password reset link sent! Please check your email (including spam folder).");
    } catch (error) {
      setFailure(
        showRefusal(error, ["email"], form.setError, {
          fallback: "Failed to send reset email. Please check the address and try again.",
          offline: "An unexpected error occurred. Please try again later.",
        }),
      );
    }
  });

  return (
    <AuthLayout
      title="Forgot your password?"
      lead={success === null ? "We send you a link to set a new password." : undefined}
    >
      {success === null ? (
        <Stack as="form" gap={16} onSubmit={(event) => void request(event)} noValidate>
          <SignedInNote session={session} />
          {failure !== null && <Notice tone="bad">{failure}</Notice>}
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            error={errors.email?.message}
            {...form.register("email")}
          />
          <Button type="submit" variant="filled" size="md" fullWidth loading={isSubmitting}>
            Send Reset Link
          </Button>
        </Stack>
      ) : (
        <Notice tone="ok" takesFocus>
          {success}
        </Notice>
      )}
      <WayBack session={session} />
    </AuthLayout>
  );
}
