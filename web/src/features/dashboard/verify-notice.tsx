import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, messageOf, NetworkError, take } from "@/lib/api";
import type { User } from "@/lib/api-types";
import { useNow } from "@/lib/use-now";
import { Badge } from "@/ui/badge";
import { Notice } from "@/ui/notice";
import { Heading, Stack, Text } from "@/ui/parts";
import classes from "./dashboard-page.module.css";

const RESULT_SHOWN_MS = 5000;

/**
 * Returns the plan in words. A 'paid' plan whose end has passed is expired, even if it was paid in the record of the last visit.
 */
function planOf({ plan, planExpiry }: User, now: number): string {
  const isOver = plan === "paid" && planExpiry !== null && new Date(planExpiry).getTime() <= now;
  return (isOver ? "expired" : plan).toUpperCase();
}

/** All that an unverified user sees of the dashboard. What came of the resend disappears after five seconds. */
export function VerifyNotice({ user }: { user: User }) {
  const [result, setResult] = useState<{ tone: "ok" | "bad"; text: string } | null>(null);
  const resend = useMutation({
    mutationFn: () => take(api.POST("/api/auth/resend-verification", { body: { email: user.email } })),
    onMutate: () => setResult(null),
    onSuccess: ({ message }) => setResult({ tone: "ok", text: message || "Verification email sent." }),
    onError: (error) => {
      const text =
        error instanceof NetworkError
          ? "An error occurred. Please try again."
          : messageOf(error, "Failed to send email.");
      setResult({ tone: "bad", text });
    },
  });
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), RESULT_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);

  return (
    <Stack
      as="section"
      align="start"
      gap={12}
      p={20}
      surface
      className={classes["verify"]}
      aria-labelledby="verify-email"
    >
      <Heading size="l" id="verify-email">
        Verify Your Email
      </Heading>
      <Text tone="ink-2">We sent a link to {user.email}. Follow it to create projects.</Text>
      <Text tone="ink-2">
        Your current plan: <Badge>{planOf(user, useNow())}</Badge>
      </Text>
      <Button variant="filled" disabled={resend.isPending} onClick={() => resend.mutate()}>
        {resend.isPending ? "Sending..." : "Resend Verification Email"}
      </Button>
      {result !== null && <Notice tone={result.tone}>{result.text}</Notice>}
    </Stack>
  );
}
