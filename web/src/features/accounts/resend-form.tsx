import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { api, take } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { Notice } from "@/ui/notice";
import { Stack } from "@/ui/parts";
import { emailSchema } from "./schemas";

/** Asks for an email address and sends a new verification link to it. */
export function ResendForm() {
  const [result, setResult] = useState<{ tone: "bad" | "ok"; text: string } | null>(null);
  const form = useForm({ resolver: zodResolver(emailSchema), defaultValues: { email: "" } });
  const { errors, isSubmitting } = form.formState;

  const resend = form.handleSubmit(async (values) => {
    setResult(null);
    try {
      await take(api.POST("/api/auth/resend-verification", { body: values }));
      setResult({ tone: "ok", text: "Verification email sent! Check your inbox and spam folder." });
    } catch (error) {
      const text = showRefusal(error, ["email"], form.setError, {
        fallback: "Failed to resend verification email",
        offline: "Something went wrong. Please try again.",
      });
      setResult(text === null ? null : { tone: "bad", text });
    }
  });

  if (result?.tone === "ok") {
    return (
      <Notice tone="ok" takesFocus>
        {result.text}
      </Notice>
    );
  }
  return (
    <Stack as="form" gap={16} onSubmit={(event) => void resend(event)} noValidate>
      {result !== null && <Notice tone="bad">{result.text}</Notice>}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...form.register("email")}
      />
      <Button type="submit" variant="filled" size="md" fullWidth disabled={isSubmitting}>
        {isSubmitting ? "Sending..." : "Resend Email"}
      </Button>
    </Stack>
  );
}
