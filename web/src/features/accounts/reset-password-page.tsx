import { zodResolver } from "@hookform/resolvers/zod";
import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate } from "react-router";
import { api, take } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { Notice } from "@/ui/notice";
import { PasswordField } from "@/ui/password-field";
import { AuthFootnote, AuthLayout } from "./auth-layout";
import classes from "./form.module.css";
import { resetSchema } from "./schemas";
import { useLinkToken } from "./use-link-token";

const REDIRECT_MS = 2500;

export function ResetPasswordPage() {
  const token = useLinkToken();
  const [failure, setFailure] = useState<string | null>(null);
  const [success, setSuccess] = useState<string | null>(null);
  const navigate = useNavigate();
  const form = useForm({ resolver: zodResolver(resetSchema), defaultValues: { password: "", confirmation: "" } });
  const { errors, isSubmitting } = form.formState;

  useEffect(() => {
    if (success === null) return;
    const timer = setTimeout(() => void navigate("/login", { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [success, navigate]);

  const reset = form.handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      const { message } = await take(
        api.POST("/api/auth/reset-password/{token}", { params: { path: { token } }, body: { password } }),
      );
      setSuccess(message || "Password has been reset successfully! Redirecting to login...");
    } catch (error) {
      setFailure(
        showRefusal(error, ["password"], form.setError, {
          fallback: "Failed to reset password. The link may be invalid or expired.",
          offline: "An unexpected error occurred. Please try again later.",
        }),
      );
    }
  });

  return (
    <AuthLayout title="Set a new password">
      {success === null ? (
        <form className={classes["form"]} onSubmit={(event) => void reset(event)} noValidate>
          {failure !== null && (
            <Notice tone="bad">
              {failure} <Link to="/forgot-password">Ask for a new link</Link>
            </Notice>
          )}
          <PasswordField
            label="New Password"
            description="At least 8 characters. Every device you are logged in on is logged out."
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
        </form>
      ) : (
        <Notice tone="ok" takesFocus>
          {success}
        </Notice>
      )}
      <AuthFootnote>
        <Link to="/login">Back to log in</Link>
      </AuthFootnote>
    </AuthLayout>
  );
}
