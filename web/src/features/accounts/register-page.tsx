import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useLocation, useNavigate } from "react-router";
import { api, take } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { LegalLink } from "@/ui/legal-links";
import { Notice } from "@/ui/notice";
import { PasswordField } from "@/ui/password-field";
import { AuthFootnote, AuthLayout } from "./auth-layout";
import classes from "./form.module.css";
import type { LoginHandover } from "./login-page";
import { registerSchema } from "./schemas";

export function RegisterPage() {
  const [failure, setFailure] = useState<string | null>(null);
  const navigate = useNavigate();
  const form = useForm({
    resolver: zodResolver(registerSchema),
    defaultValues: { name: "", email: useInvitedEmail(), password: "" },
  });
  const { errors, isSubmitting } = form.formState;

  const register = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      const { message } = await take(api.POST("/api/auth/register", { body: values }));
      const handover: LoginHandover = {
        notice: message || "Account created successfully! Please check your email to verify.",
        email: values.email,
      };
      await navigate("/login", { state: handover });
    } catch (error) {
      setFailure(
        showRefusal(error, ["name", "email", "password"], form.setError, {
          fallback: "Registration failed. Please try again.",
          offline: "An unexpected error occurred. Please try again later.",
        }),
      );
    }
  });

  return (
    <AuthLayout title="Create your account">
      <form className={classes["form"]} onSubmit={(event) => void register(event)} noValidate>
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          label="Full Name"
          autoComplete="name"
          autoFocus
          error={errors.name?.message}
          {...form.register("name")}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...form.register("email")}
        />
        <PasswordField
          label="Password"
          description="At least 8 characters."
          autoComplete="new-password"
          error={errors.password?.message}
          {...form.register("password")}
        />
        <Button type="submit" variant="filled" size="md" fullWidth loading={isSubmitting}>
          Create account
        </Button>
        <p className={classes["small"]}>
          By creating an account you agree to the <LegalLink to="/terms">Terms</LegalLink> and the{" "}
          <LegalLink to="/privacy">Privacy Policy</LegalLink>.
        </p>
      </form>
      <AuthFootnote>
        Already have an account? <Link to="/login">Log in</Link>
      </AuthFootnote>
    </AuthLayout>
  );
}

/** The address that an invitation is for, when its page led here. */
function useInvitedEmail(): string {
  const state: unknown = useLocation().state;
  if (typeof state !== "object" || state === null || !("email" in state)) return "";
  return typeof state.email === "string" ? state.email : "";
}
