/** Asks for the password before a change, and for the second factor where the server needs it again. */
import { Button } from "@mantine/core";
import { useMergedRef } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { isRecord } from "@/lib/is-record";
import { useLateFocus } from "@/ui/focus";
import { Notice } from "@/ui/notice";
import { Box, Row, Stack } from "@/ui/parts";
import { PasswordField } from "@/ui/password-field";
import classes from "@/ui/rows.module.css";
import { type SecondStep, SecondStepForm, type Shown } from "@/ui/second-step-form";

export type Proof = { password: string } & ({ ticket?: never } | ({ ticket: string } & Shown));

/** `onProof` makes the change; it rejects as the call does. */
export function ProofForm({
  email,
  submit,
  isDanger = false,
  children,
  onProof,
  onCancel,
}: {
  email: string;
  submit: string;
  isDanger?: boolean;
  children?: ReactNode;
  onProof: (proof: Proof) => Promise<void>;
  onCancel: () => void;
}) {
  const [step, setStep] = useState<SecondStep | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { password: "" } });
  const { errors, isSubmitting } = form.formState;
  const { ref, ...field } = form.register("password", { required: "Enter your password." });
  const input = useMergedRef(ref, useLateFocus<HTMLInputElement>());

  /** Goes on to the second step if the server asks for it; rejects for all other reasons. */
  const attempt = async (proof: Proof) => {
    try {
      await onProof(proof);
    } catch (error) {
      const asked = stepIn(error);
      if (asked === null) throw error;
      setFailure(proof.ticket === undefined ? null : "That took too long. Please try again.");
      setStep(asked);
    }
  };
  const send = form.handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      await attempt({ password });
    } catch (error) {
      setFailure(showRefusal(error, ["password"], form.setError, { fallback: "This could not be done." }));
    }
  });

  if (step !== null) {
    return (
      <>
        {failure !== null && <Notice tone="bad">{failure}</Notice>}
        <SecondStepForm
          key={step.ticket}
          step={step}
          submit={submit}
          onShow={(shown) => attempt({ password: form.getValues("password"), ticket: step.ticket, ...shown })}
          onBack={() => setStep(null)}
        />
      </>
    );
  }
  return (
    <Stack as="form" gap={16} grow shrink noValidate onSubmit={(event) => void send(event)}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      {children !== undefined && (
        <Box size="s" tone="ink-2" className={classes["note"]}>
          {children}
        </Box>
      )}
      {/* Shows password managers whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        error={errors.password?.message}
        {...field}
        ref={input}
      />
      <Row wrap justify="end" gap={8}>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" {...(isDanger ? { color: "red" } : {})} loading={isSubmitting}>
          {submit}
        </Button>
      </Row>
    </Stack>
  );
}

/** The step that a refusal asks for. */
function stepIn(error: unknown): SecondStep | null {
  const isAsked = error instanceof ApiError && error.code === "second_factor_needed";
  return isAsked && isRecord(error.body) ? (error.body as unknown as SecondStep) : null;
}
