/** Sets up an authenticator app: the password, the QR code, and the first code. */
import { Button, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { showRefusal } from "@/lib/forms";
import { CopyButton } from "@/ui/copy-button";
import { Notice } from "@/ui/notice";
import { Row, Stack, Text } from "@/ui/parts";
import { QrPicture } from "@/ui/qr-picture";
import classes from "@/ui/rows.module.css";
import { ProofForm } from "./proof-form";

type Setup = Answer<"/api/user/second-factors/totp", "post">;

export function SetUpApp({
  email,
  onDone,
  onCancel,
}: {
  email: string;
  onDone: (message: string, codes: string[] | null) => void;
  onCancel: () => void;
}) {
  const [setup, setSetup] = useState<Setup | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { code: "" } });
  const { errors, isSubmitting } = form.formState;
  const { setFocus } = form;
  useEffect(() => {
    if (setup !== null) setFocus("code");
  }, [setup, setFocus]);
  const confirm = form.handleSubmit(async ({ code }) => {
    setFailure(null);
    try {
      const answer = await take(api.POST("/api/user/second-factors/totp/confirm", { body: { code: code.trim() } }));
      onDone(answer.message, answer.recoveryCodes);
    } catch (error) {
      setFailure(showRefusal(error, ["code"], form.setError, { fallback: "The app could not be set up." }));
    }
  });

  if (setup === null) {
    return (
      <ProofForm
        email={email}
        submit="Continue"
        onCancel={onCancel}
        onProof={async (body) => setSetup(await take(api.POST("/api/user/second-factors/totp", { body })))}
      >
        You need an app that makes codes, such as the one of your password manager.
      </ProofForm>
    );
  }
  return (
    <Stack as="form" gap={16} grow shrink noValidate onSubmit={(event) => void confirm(event)}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <Text size="s" tone="ink-2" className={classes["note"]}>
        Scan this picture with the app, or type the key. Then enter the code it shows.
      </Text>
      <Row justify="center">
        <QrPicture text={setup.uri} label="QR code for the authenticator app" />
      </Row>
      <Row align="center" gap={8} breaks>
        <code className="mono">{setup.secret.match(/.{1,4}/g)?.join(" ")}</code>
        <CopyButton value={setup.secret} label="Copy the key" copied="Key copied!" />
      </Row>
      <Text size="s" tone="ink-2" className={classes["note"]}>
        Is the app on this device? <a href={setup.uri}>Open it</a>
      </Text>
      <TextInput
        label="Code of the app"
        autoComplete="one-time-code"
        inputMode="numeric"
        error={errors.code?.message}
        {...form.register("code", { validate: (code) => code.trim() !== "" || "Enter the six digits." })}
      />
      <Row wrap justify="end" gap={8}>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={isSubmitting}>
          Turn on
        </Button>
      </Row>
    </Stack>
  );
}
