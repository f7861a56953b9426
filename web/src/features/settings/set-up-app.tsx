/** Sets up an authenticator app: the password, the QR code, and the first code. */
import { Button, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { showRefusal } from "@/lib/forms";
import { CopyButton } from "@/ui/copy-button";
import { Notice } from "@/ui/notice";
import { QrPicture } from "@/ui/qr-picture";
import classes from "@/ui/rows.module.css";
import { ProofForm } from "./proof-form";
import styles from "./two-factor.module.css";

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
    <form className={classes["form"]} noValidate onSubmit={(event) => void confirm(event)}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <p className={classes["note"]}>Scan this picture with the app, or type the key. Then enter the code it shows.</p>
      <div className={styles["picture"]}>
        <QrPicture text={setup.uri} label="QR code for the authenticator app" />
      </div>
      <div className={styles["secret"]}>
        <code className="mono">{setup.secret.match(/.{1,4}/g)?.join(" ")}</code>
        <CopyButton value={setup.secret} label="Copy the key" copied="Key copied!" />
      </div>
      <p className={classes["note"]}>
        Is the app on this device? <a href={setup.uri}>Open it</a>
      </p>
      <TextInput
        label="Code of the app"
        autoComplete="one-time-code"
        inputMode="numeric"
        error={errors.code?.message}
        {...form.register("code", { validate: (code) => code.trim() !== "" || "Enter the six digits." })}
      />
      <div className={classes["buttons"]}>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={isSubmitting}>
          Turn on
        </Button>
      </div>
    </form>
  );
}
