import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate } from "react-router";
import { ApiError, api, take } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { PASSWORD_LEAST_CHARACTERS } from "@/lib/limits.gen";
import { registrationQuery } from "@/lib/sso";
import { LegalLink } from "@/ui/legal-links";
import { Notice } from "@/ui/notice";
import { Stack, Text } from "@/ui/parts";
import { PasswordField } from "@/ui/password-field";
import { AuthFootnote, AuthLayout } from "./auth-layout";
import { type Handover, keepSignUp, keptSignUp, useHandover } from "./handover";
import { registerSchema } from "./schemas";
import { SsoButton } from "./sso-button";

/** The form, where this server lets the person create an account; else the reason. */
export function RegisterPage() {
  const { invitation } = useHandover();
  const { data: registration = "open" } = useQuery(registrationQuery);
  if (registration === "open") return <SignUpForm />;
  if (registration === "invitation" && invitation !== undefined) return <SignUpForm invitation={invitation} />;
  return (
    <AuthLayout title="Create your account">
      <Stack gap={16}>
        <Notice tone="warn">
          {registration === "invitation"
            ? "Only invited people can create an account on this server. Open the link in your invitation."
            : "Nobody can create an account on this server. Ask its operator for an account."}
        </Notice>
        <SsoButton isNeeded={false} />
      </Stack>
      <AuthFootnote>
        Already have an account? <Link to="/login">Log in</Link>
      </AuthFootnote>
    </AuthLayout>
  );
}

function SignUpForm({ invitation }: { invitation?: string }) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isSsoNeeded, setSsoNeeded] = useState(false);
  const navigate = useNavigate();
  const { email = "", changesAddress = false } = useHandover();
  const form = useForm({
    resolver: zodResolver(registerSchema),
    defaultValues: { name: "", password: "", ...(changesAddress ? keptSignUp() : null), email },
  });
  const typed = { email: form.watch("email").trim() };
  const { errors, isSubmitting } = form.formState;

  const register = form.handleSubmit(async (values) => {
    setFailure(null);
    setSsoNeeded(false);
    try {
      const call =
        invitation === undefined
          ? api.POST("/api/auth/register", { body: values })
          : api.POST("/api/invitations/{token}/register", { params: { path: { token: invitation } }, body: values });
      const { message } = await take(call);
      keepSignUp(values);
      const handover: Handover = {
        notice: message || "Account created successfully! Please check your email to verify.",
        email: values.email,
      };
      await navigate("/login", { state: handover });
    } catch (error) {
      setSsoNeeded(error instanceof ApiError && error.code === "sso_required");
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
      <Stack as="form" gap={16} onSubmit={(event) => void register(event)} noValidate>
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          label="Full Name"
          autoComplete="name"
          autoFocus={!changesAddress}
          error={errors.name?.message}
          {...form.register("name")}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus={changesAddress}
          error={errors.email?.message}
          {...form.register("email")}
        />
        <PasswordField
          label="Password"
          description={`At least ${PASSWORD_LEAST_CHARACTERS} characters.`}
          autoComplete="new-password"
          error={errors.password?.message}
          {...form.register("password")}
        />
        <Button type="submit" variant={isSsoNeeded ? "default" : "filled"} size="md" fullWidth loading={isSubmitting}>
          Create account
        </Button>
        <SsoButton isNeeded={isSsoNeeded} />
        <Text size="note" tone="ink-2">
          By creating an account you agree to the <LegalLink to="/terms">Terms</LegalLink> and the{" "}
          <LegalLink to="/privacy">Privacy Policy</LegalLink>.
        </Text>
      </Stack>
      <AuthFootnote>
        Already have an account?{" "}
        <Link to="/login" state={typed}>
          Log in
        </Link>
      </AuthFootnote>
    </AuthLayout>
  );
}
