import { zodResolver } from "@hookform/resolvers/zod";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import toast from "react-hot-toast";
import { api, take } from "@/lib/api";
import type { User } from "@/lib/api-types";
import { showRefusal } from "@/lib/forms";
import { PERSON_NAME_CHARACTERS } from "@/lib/limits.gen";
import { keep } from "@/lib/query";
import { storeUser } from "@/lib/session";
import { useKeptForm } from "@/lib/use-kept-form";
import { z } from "@/lib/zod";
import { useFocusAfter } from "@/ui/focus";
import { KeptNotice } from "@/ui/kept-notice";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Panel } from "@/ui/page";
import { PanelRow, RowFact } from "@/ui/panel-row";
import { Row } from "@/ui/parts";

const schema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "Enter your name."),
      z.maxLength(PERSON_NAME_CHARACTERS, `Your name may be at most ${PERSON_NAME_CHARACTERS} characters long.`),
    ),
});

export function ProfileSection({ user }: { user: User }) {
  const [isEditing, setEditing] = useState(false);
  const edit = useFocusAfter(isEditing);
  return (
    <Panel title="Profile">
      {isEditing ? (
        <PanelRow>
          <NameForm name={user.name} onDone={() => setEditing(false)} />
        </PanelRow>
      ) : (
        <PanelRow>
          <RowFact name="Full Name">{user.name}</RowFact>
          <Button ref={edit} size="xs" onClick={() => setEditing(true)}>
            Edit name
          </Button>
        </PanelRow>
      )}
      <PanelRow>
        <RowFact name="Email Address">{user.email}</RowFact>
      </PanelRow>
    </Panel>
  );
}

function NameForm({ name, onDone }: { name: string; onDone: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { name } });
  const { errors, isSubmitting } = form.formState;
  const kept = useKeptForm(form, { form: "profile" }, ["name"]);
  const giveUp = () => {
    kept.forget();
    onDone();
  };
  const save = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      const user = await take(api.PUT("/api/user/me", { body: values }));
      keep(queryClient, "/api/user/me", {}, user);
      storeUser(user);
      toast.success("Name changed.");
      kept.forget();
      onDone();
    } catch (error) {
      setFailure(showRefusal(error, ["name"], form.setError, { fallback: "Failed to change the name." }));
    }
  });
  return (
    <form
      className={look({ layout: "stack", gap: 16, grow: true, shrink: true })}
      noValidate
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !isSubmitting) onDone();
      }}
    >
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <KeptNotice kept={kept} onContinue={kept.resume} />
      <TextInput
        label="Full Name"
        autoComplete="name"
        autoFocus
        error={errors.name?.message}
        {...form.register("name")}
      />
      <Row wrap align="center" gap={8}>
        <Button type="submit" variant="filled" loading={isSubmitting}>
          Save
        </Button>
        <Button onClick={giveUp} disabled={isSubmitting}>
          Cancel
        </Button>
      </Row>
    </form>
  );
}
