/** Adds a passkey: the password, then the browser's own question, then a name. The browser is asked by a click of its own. */
import { Button, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { showRefusal } from "@/lib/forms";
import { PASSKEY_NAME_CHARACTERS } from "@/lib/limits.gen";
import { type MadePasskey, makePasskey, passkeyFailure } from "@/lib/passkeys";
import { Notice } from "@/ui/notice";
import { Row, Stack } from "@/ui/parts";
import { deviceOf } from "./device";
import { ProofForm } from "./proof-form";

type Step = Answer<"/api/user/second-factors/passkeys/options", "post">;

export const nameRules = {
  validate: (name: string) => name.trim() !== "" || "Enter a name.",
  maxLength: { value: PASSKEY_NAME_CHARACTERS, message: `Use at most ${PASSKEY_NAME_CHARACTERS} characters.` },
};

export function AddPasskey({
  email,
  onDone,
  onCancel,
}: {
  email: string;
  onDone: (message: string, codes: string[] | null) => void;
  onCancel: () => void;
}) {
  const [step, setStep] = useState<Step | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    defaultValues: { name: deviceOf(window.navigator.userAgent).slice(0, PASSKEY_NAME_CHARACTERS) },
  });
  const { errors, isSubmitting } = form.formState;
  const { setFocus } = form;
  useEffect(() => {
    if (step !== null) setFocus("name", { shouldSelect: true });
  }, [step, setFocus]);

  const create = form.handleSubmit(async ({ name }) => {
    if (step === null) return;
    setFailure(null);
    let passkey: MadePasskey;
    try {
      passkey = await makePasskey(step.options);
    } catch (error) {
      setFailure(passkeyFailure(error));
      return;
    }
    try {
      const body = { ticket: step.ticket, name: name.trim(), passkey };
      const answer = await take(api.POST("/api/user/second-factors/passkeys", { body }));
      onDone(answer.message, answer.recoveryCodes);
    } catch (error) {
      setFailure(showRefusal(error, ["name"], form.setError, { fallback: "The passkey could not be added." }));
    }
  });

  if (step === null) {
    return (
      <ProofForm
        email={email}
        submit="Continue"
        onCancel={onCancel}
        onProof={async (body) => setStep(await take(api.POST("/api/user/second-factors/passkeys/options", { body })))}
      >
        Your browser then makes a passkey and asks for your fingerprint, face or PIN.
      </ProofForm>
    );
  }
  return (
    <Stack as="form" gap={16} grow shrink noValidate onSubmit={(event) => void create(event)}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <TextInput
        label="Name of the passkey"
        description="Shows you later which device or password manager has it."
        autoComplete="off"
        error={errors.name?.message}
        {...form.register("name", nameRules)}
      />
      <Row wrap justify="end" gap={8}>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={isSubmitting}>
          Create passkey
        </Button>
      </Row>
    </Stack>
  );
}
