import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useLocation, useNavigate } from "react-router";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { deviceFor } from "@/lib/devices";
import { showRefusal } from "@/lib/forms";
import { isTextKeptFromSession } from "@/lib/kept-text";
import { canUsePasskeys } from "@/lib/passkey-support";
import { registrationQuery, ssoFailureIn } from "@/lib/sso";
import { later } from "@/ui/later";
import { Notice } from "@/ui/notice";
import { Row, Stack, Text } from "@/ui/parts";
import { PasswordField } from "@/ui/password-field";
import type { SecondStep, Shown } from "@/ui/second-step-form";
import { LoadingRows } from "@/ui/states";
import { AuthFootnote, AuthLayout } from "./auth-layout";
import { enter } from "./enter";
import classes from "./form.module.css";
import { useHandover } from "./handover";
import { loginSchema } from "./schemas";
import { SsoButton } from "./sso-button";

/** In this chunk: a chunk of its own would split the code of the entry. */
export { SsoPage } from "./sso-page";

const OFFLINE = "Something went wrong. Please try again.";
const secondStepForm = later(
  async () => (await import("@/ui/second-step-form")).SecondStepForm,
  <LoadingRows rows={2} height={44} label="Loading the second step" />,
);

type LoggedIn = Answer<"/api/auth/login", "post">;

/** The message above the form. `resends`: a click can send the verification mail again, whose button then loses the focus. */
type Said = {
  tone: "bad" | "ok" | "plain";
  text: string;
  resends: boolean;
  takesFocus?: boolean;
  /** The address of the account that was just made. */
  writtenTo?: string | undefined;
} | null;

/** `destination` gives the address to go to after success, once. */
export function LoginPage({ destination }: { destination: () => string }) {
  const handover = useHandover();
  const ssoFailure = ssoFailureIn(useLocation().hash);
  const [said, setSaid] = useState<Said>(
    ssoFailure !== null
      ? { tone: "bad", text: ssoFailure, resends: false }
      : handover.notice === undefined
        ? null
        : { tone: "ok", text: handover.notice, resends: false, writtenTo: handover.email },
  );
  const [isSsoNeeded, setSsoNeeded] = useState(false);
  const [isTextKept] = useState(isTextKeptFromSession);
  const [isResending, setResending] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm({
    resolver: zodResolver(loginSchema),
    defaultValues: { email: handover.email ?? "", password: "", remember: true },
  });
  const typed = { email: form.watch("email").trim() };
  const { errors, isSubmitting } = form.formState;
  const [step, setStep] = useState<SecondStep | null>(null);
  const [isAsking, setAsking] = useState(false);

  const goOn = async (answer: LoggedIn) => {
    enter(queryClient, answer, { remember: form.getValues("remember") });
    await navigate(destination(), { replace: true });
  };

  const withDevice = <Body extends object>(body: Body) => {
    const device = deviceFor(form.getValues("email"));
    return { ...body, ...(device !== null && { device }) };
  };

  const logIn = form.handleSubmit(async ({ email, password }) => {
    setSaid(null);
    setSsoNeeded(false);
    try {
      const answer = await take(api.POST("/api/auth/login", { body: withDevice({ email, password }) }));
      if ("ticket" in answer) setStep(answer);
      else await goOn(answer);
    } catch (error) {
      setSsoNeeded(error instanceof ApiError && error.code === "sso_required");
      const text = showRefusal(error, ["email", "password"], form.setError, {
        fallback: "Login failed",
        offline: OFFLINE,
      });
      setSaid(text === null ? null : { tone: "bad", text, resends: text.includes("Please verify your email first") });
    }
  });

  const pass = async ({ ticket }: SecondStep, shown: Shown) => {
    try {
      await goOn(await take(api.POST("/api/auth/login/second-factor", { body: withDevice({ ticket, ...shown }) })));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      setStep(null);
      setSaid({ tone: "bad", text: error.message, resends: false });
    }
  };

  const askBrowser = async () => {
    setSaid(null);
    setAsking(true);
    try {
      const { askForPasskey } = await import("@/lib/passkeys");
      const { ticket, options } = await take(api.POST("/api/auth/login/passkey/options"));
      const passkey = await askForPasskey(options);
      await goOn(await take(api.POST("/api/auth/login/passkey", { body: { ticket, passkey } })));
    } catch (error) {
      const text =
        error instanceof DOMException
          ? (await import("@/lib/passkeys")).passkeyFailure(error)
          : messageOf(error, "Login failed", OFFLINE);
      setSaid({ tone: "bad", text, resends: false });
    } finally {
      setAsking(false);
    }
  };

  const resend = async () => {
    const email = form.getValues("email").trim();
    if (email === "") {
      setSaid({ tone: "bad", text: "Please enter your email address first", resends: true });
      form.setFocus("email");
      return;
    }
    setResending(true);
    setSaid({ tone: "plain", text: `Sending a new link to ${email}.`, resends: true });
    try {
      await take(api.POST("/api/auth/resend-verification", { body: { email } }));
      setSaid({
        tone: "ok",
        text: "Verification email sent! Check your inbox and spam folder.",
        resends: false,
        takesFocus: true,
      });
    } catch (error) {
      const text = messageOf(error, "Failed to resend verification email", OFFLINE);
      setSaid({ tone: "bad", text, resends: true, takesFocus: true });
    } finally {
      setResending(false);
    }
  };

  const resendButton = (
    <Button size="xs" disabled={isResending} onClick={() => void resend()}>
      {isResending ? "Sending..." : "Resend Email"}
    </Button>
  );

  if (step !== null) {
    return (
      <AuthLayout title="Log in to Livery" lead={form.getValues("email").trim()}>
        <secondStepForm.Part
          step={step}
          submit="Log in"
          onShow={(shown) => pass(step, shown)}
          onBack={() => setStep(null)}
        />
      </AuthLayout>
    );
  }

  return (
    <AuthLayout title="Log in to Livery">
      <Stack as="form" gap={16} onSubmit={(event) => void logIn(event)} noValidate>
        {isTextKept && (
          <Notice tone="plain">
            Text that you did not save is kept on this device. Log in and open the same page to continue.
          </Notice>
        )}
        {said !== null && (
          <Notice
            tone={said.tone}
            action={said.resends ? resendButton : undefined}
            takesFocus={said.takesFocus ?? false}
          >
            <p>{said.text}</p>
            {said.writtenTo !== undefined && (
              <p>
                We wrote to{" "}
                <Text as="b" breaks>
                  {said.writtenTo}
                </Text>
                .{" "}
                <Link to="/register" state={{ changesAddress: true, email: said.writtenTo }}>
                  Change the address
                </Link>
              </p>
            )}
          </Notice>
        )}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus={handover.email === undefined}
          error={errors.email?.message}
          {...form.register("email")}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          autoFocus={handover.email !== undefined}
          error={errors.password?.message}
          {...form.register("password")}
        />
        <Row wrap align="center" justify="between" gap={8} size="s" className={classes["line"]}>
          <Checkbox label="Remember me" {...form.register("remember")} />
          <Link to="/forgot-password" state={typed}>
            Forgot Password?
          </Link>
        </Row>
        <Button type="submit" variant={isSsoNeeded ? "default" : "filled"} size="md" fullWidth loading={isSubmitting}>
          Log in
        </Button>
        {canUsePasskeys() && (
          <Button size="md" fullWidth loading={isAsking} onClick={() => void askBrowser()}>
            Log in with a passkey
          </Button>
        )}
        <SsoButton isNeeded={isSsoNeeded} remember={form.watch("remember")} />
      </Stack>
      <SignUpHint typed={typed} />
    </AuthLayout>
  );
}

function SignUpHint({ typed }: { typed: { email: string } }) {
  const { data: registration } = useQuery(registrationQuery);
  if (registration === "closed") return null;
  return (
    <AuthFootnote>
      New here?{" "}
      <Link to="/register" state={typed}>
        Sign Up Now
      </Link>
    </AuthFootnote>
  );
}
