/** The second step of a login, or of a change of the second factors: a code of the app, a recovery code, or a passkey. */
import { Button, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { showRefusal } from "@/lib/forms";
import { canUsePasskeys } from "@/lib/passkey-support";
import { askForPasskey, passkeyFailure, type SignedPasskey } from "@/lib/passkeys";
import { Notice } from "@/ui/notice";
import { Row, Stack } from "./parts";
import classes from "./second-step-form.module.css";

export interface SecondStep {
  ticket: string;
  methods: ("passkey" | "totp" | "recovery")[];
  passkeyOptions: { [name: string]: unknown } | null;
}
export type Shown = { code: string } | { passkey: SignedPasskey };

const CODES = {
  totp: { label: "Code of your authenticator app", other: "Use a code of the app", missing: "Enter the six digits." },
  recovery: { label: "Recovery code", other: "Use a recovery code", missing: "Enter a recovery code." },
} as const;

/** `onShow` sends what the person shows, and rejects when it is refused. */
export function SecondStepForm({
  step,
  submit,
  onShow,
  onBack,
}: {
  step: SecondStep;
  submit: string;
  onShow: (shown: Shown) => Promise<void>;
  onBack: () => void;
}) {
  const { methods, passkeyOptions } = step;
  const [kind, setKind] = useState<"totp" | "recovery" | null>(methods.includes("totp") ? "totp" : null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const form = useForm({ defaultValues: { code: "" } });
  const { errors, isSubmitting } = form.formState;
  const hasPasskey = passkeyOptions !== null && canUsePasskeys();
  const { setFocus } = form;
  useEffect(() => {
    if (kind !== null) setFocus("code");
  }, [kind, setFocus]);

  const show = async (shown: Shown) => {
    setFailure(null);
    try {
      await onShow(shown);
    } catch (error) {
      setFailure(showRefusal(error, "code" in shown ? ["code"] : [], form.setError, { fallback: "Login failed" }));
    }
  };
  const send = form.handleSubmit(({ code }) => show({ code: code.trim() }));
  const askBrowser = async () => {
    if (passkeyOptions === null) return;
    setFailure(null);
    setAsking(true);
    try {
      const passkey = await askForPasskey(passkeyOptions);
      await show({ passkey });
    } catch (error) {
      setFailure(passkeyFailure(error));
    } finally {
      setAsking(false);
    }
  };
  const others = (["totp", "recovery"] as const).filter((other) => other !== kind && methods.includes(other));

  return (
    <Stack as="form" gap={16} noValidate onSubmit={(event) => void send(event)}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      {kind === null ? (
        <p>{hasPasskey ? "Use your passkey to continue." : "Use a recovery code, or a browser with your passkey."}</p>
      ) : (
        <TextInput
          key={kind}
          label={CODES[kind].label}
          autoComplete="one-time-code"
          inputMode={kind === "totp" ? "numeric" : "text"}
          autoCapitalize="none"
          spellCheck={false}
          error={errors.code?.message}
          {...form.register("code", { validate: (code) => code.trim() !== "" || CODES[kind].missing })}
        />
      )}
      {kind !== null && (
        <Button type="submit" variant="filled" size="md" fullWidth loading={isSubmitting && !isAsking}>
          {submit}
        </Button>
      )}
      {hasPasskey && (
        <Button
          variant={kind === null ? "filled" : "default"}
          size="md"
          fullWidth
          loading={isAsking}
          autoFocus={kind === null}
          onClick={() => void askBrowser()}
        >
          Use a passkey
        </Button>
      )}
      <Row wrap gap={4} gapX={8} className={classes["others"]}>
        {others.map((other) => (
          <Button
            key={other}
            variant="subtle"
            size="xs"
            onClick={() => {
              form.reset({ code: "" });
              setFailure(null);
              setKind(other);
            }}
          >
            {CODES[other].other}
          </Button>
        ))}
        <Button variant="subtle" size="xs" onClick={onBack}>
          Back
        </Button>
      </Row>
    </Stack>
  );
}
