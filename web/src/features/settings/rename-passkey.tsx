import { Button, TextInput } from "@mantine/core";
import { useMergedRef } from "@mantine/hooks";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { api, take } from "@/lib/api";
import { showRefusal } from "@/lib/forms";
import { useLateFocus } from "@/ui/focus";
import { Notice } from "@/ui/notice";
import { Row, Stack } from "@/ui/parts";
import { nameRules } from "./add-passkey";
import type { Passkey } from "./second-factors";

export function RenamePasskey({
  passkey,
  onDone,
  onCancel,
}: {
  passkey: Passkey;
  onDone: (message: string) => void;
  onCancel: () => void;
}) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { name: passkey.name } });
  const { errors, isSubmitting } = form.formState;
  const { ref, ...field } = form.register("name", nameRules);
  const input = useMergedRef(ref, useLateFocus<HTMLInputElement>());
  const rename = form.handleSubmit(async ({ name }) => {
    setFailure(null);
    try {
      const path = { passkeyId: passkey._id };
      const body = { name: name.trim() };
      await take(api.PUT("/api/user/second-factors/passkeys/{passkeyId}", { params: { path }, body }));
      onDone("The passkey was renamed.");
    } catch (error) {
      setFailure(showRefusal(error, ["name"], form.setError, { fallback: "The passkey could not be renamed." }));
    }
  });
  return (
    <Stack as="form" gap={16} grow shrink noValidate onSubmit={(event) => void rename(event)}>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <TextInput
        label="Name of the passkey"
        autoComplete="off"
        data-autofocus
        error={errors.name?.message}
        {...field}
        ref={input}
      />
      <Row wrap justify="end" gap={8}>
        <Button onClick={onCancel} disabled={isSubmitting}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={isSubmitting}>
          Rename
        </Button>
      </Row>
    </Stack>
  );
}
