import { zodResolver } from "@hookform/resolvers/zod";
import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate } from "react-router";
import { ApiError, api, take } from "@/lib/api";
import { keepDevice } from "@/lib/devices";
import { showRefusal } from "@/lib/forms";
import { PASSWORD_LEAST_CHARACTERS } from "@/lib/limits.gen";
import { endOwnSession } from "@/lib/log-out";
import { Notice } from "@/ui/notice";
import { Stack } from "@/ui/parts";
import { PasswordField } from "@/ui/password-field";
import { AuthLayout } from "./auth-layout";
import type { Handover } from "./handover";
import { resetSchema } from "./schemas";
import { SignedInNote, useSignedIn, WayBack } from "./signed-in-note";
import { useLinkToken } from "./use-link-token";

const REDIRECT_MS = 2500;

/** What the person can do after a failure: request a new link, or try again if the server did not answer. */
type Remedy = "new link" | "retry" | null;

function remedyFor(error: unknown): Remedy {
  if (!(error instanceof ApiError) || error.status >= 500) return "retry";
  return [400, 404, 410].includes(error.status) ? "new link" : null;
}

export function ResetPasswordPage() {
  const token = useLinkToken();
  const [failure, setFailure] = useState<{ text: string; remedy: Remedy } | null>(null);
  const session = useSignedIn();
  const [success, setSuccess] = useState<{ message: string; email: string } | null>(null);
  const navigate = useNavigate();
  const form = useForm({ resolver: zodResolver(resetSchema), defaultValues: { password: "", confirmation: "" } });
  const { errors, isSubmitting } = form.formState;

  useEffect(() => {
    if (success === null) return;
    const handover: Handover = { email: success.email };
    const timer = setTimeout(() => void navigate("/login", { replace: true, state: handover }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [success, navigate]);

  const reset = form.handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      const { message, email, device } = await take(
        api.POST("/api/auth/reset-password/{token}", { params: { path: { token } }, body: { password } }),
      );
      keepDevice(email, device);
      endOwnSession("reset");
      setSuccess({ message: message || "Password has been reset successfully! Redirecting to login...", email });
    } catch (error) {
      const text = showRefusal(error, ["password"], form.setError, {
        fallback: "Failed to reset password. The link may be invalid or expired.",
        offline: "An unexpected error occurred. Please try again later.",
      });
      setFailure(text === null ? null : { text, remedy: remedyFor(error) });
    }
  });

  const tryAgain = (
    <Button type="submit" size="xs">
      Try again
    </Button>
  );
  return (
    <AuthLayout title="Set a new password">
      {success === null ? (
        <Stack as="form" gap={16} onSubmit={(event) => void reset(event)} noValidate>
          <SignedInNote session={session}> When the new password is set, this browser is logged out.</SignedInNote>
          {failure !== null && (
            <Notice tone="bad" action={failure.remedy === "retry" ? tryAgain : undefined}>
              {failure.text}
              {failure.remedy === "new link" && (
                <>
                  {" "}
                  <Link to="/forgot-password">Ask for a new link</Link>
                </>
              )}
            </Notice>
          )}
          <PasswordField
            label="New Password"
            description={`At least ${PASSWORD_LEAST_CHARACTERS} characters. Every device you are logged in on is logged out.`}
            autoComplete="new-password"
            autoFocus
            error={errors.password?.message}
            {...form.register("password")}
          />
          <PasswordField
            label="Confirm New Password"
            autoComplete="new-password"
            error={errors.confirmation?.message}
            {...form.register("confirmation")}
          />
          <Button type="submit" variant="filled" size="md" fullWidth loading={isSubmitting}>
            Set New Password
          </Button>
        </Stack>
      ) : (
        <Notice tone="ok" takesFocus>
          {success.message}
        </Notice>
      )}
      <WayBack session={session} />
    </AuthLayout>
  );
}
