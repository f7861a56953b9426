/** Creates a data store: its name, the identifier that apps ask for, and its fields. */
import { Button, Modal, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import toast from "react-hot-toast";
import { failureOf } from "@/lib/api";
import { STORE_IDENTIFIER_CHARACTERS, STORE_NAME_CHARACTERS } from "@/lib/limits.gen";
import { useAttempt } from "@/lib/use-attempt";
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { type Unsaved, useDirty, useLeaveGuard } from "@/lib/use-leave-guard";
import { KeptNotice } from "@/ui/kept-notice";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Grid, Row, Stack } from "@/ui/parts";
import { DiscardQuestion } from "./discard-question";
import { checkFields, type FieldDraft, type FieldProblems, identifierOf, isBlank, newField } from "./field-drafts";
import { FieldRows } from "./field-rows";
import { noProblems, problemsIn, type StoreProblems } from "./store-problems";
import { newStoreTextIn } from "./store-text";
import { useCreateStore } from "./store-writes";

export function CreateStoreDialog({
  projectId,
  opened,
  onClose,
}: {
  projectId: string;
  opened: boolean;
  onClose: () => void;
}) {
  const [unsaved, setUnsaved] = useState<Unsaved>(false);
  const guard = useLeaveGuard(opened && unsaved);
  const close = () => guard.ask(onClose);
  return (
    <Modal opened={opened} onClose={close} title="Create Data Store" size={760} closeOnClickOutside={false}>
      <CreateStoreForm projectId={projectId} onDirty={setUnsaved} onClose={close} onCreated={onClose} />
      <DiscardQuestion guard={guard}>This Data Store is not created yet.</DiscardQuestion>
    </Modal>
  );
}

function CreateStoreForm({
  projectId,
  onDirty,
  onClose,
  onCreated,
}: {
  projectId: string;
  onDirty: (unsaved: Unsaved) => void;
  onClose: () => void;
  onCreated: () => void;
}) {
  const [name, setName] = useState("");
  const [identifier, setIdentifier] = useState<string | null>(null);
  const [fields, setFields] = useState<readonly FieldDraft[]>(() => [newField()]);
  const [problems, setProblems] = useState<StoreProblems>(noProblems);
  const create = useCreateStore(projectId);
  const attempt = useAttempt();
  // Derived from the name until the person writes an identifier.
  const apiIdentifier = identifier ?? identifierOf(name);
  const isDirty = `${name}${identifier ?? ""}`.trim() !== "" || !fields.every(isBlank);
  const kept = useKeptText({ form: "new store", project: projectId }, newStoreTextIn);
  useKeepTyped(kept, isDirty ? { name, identifier, fields } : null);
  useDirty(isDirty, kept.forget, onDirty);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = checkStore(name, apiIdentifier, fields);
    if (found !== null) return setProblems(found);
    if (!attempt.begin()) return;
    setProblems(noProblems);
    try {
      const store = await create.mutateAsync({ name, apiIdentifier, fields });
      kept.forget();
      toast.success(`Data Store "${store.name}" created successfully!`);
      onCreated();
    } catch (error) {
      attempt.failed();
      setProblems(problemsIn(error, fields, failureOf(error, "Failed to create Data Store.")));
    }
  };
  return (
    <Stack as="form" gap={18} noValidate onSubmit={(event) => void submit(event)}>
      <KeptNotice
        kept={kept}
        onContinue={(text) => {
          setName(text.name);
          setIdentifier(text.identifier);
          setFields(text.fields);
        }}
      />
      <Grid gap={14} columns={2} smallColumns={1}>
        <TextInput
          label="Store Name"
          placeholder="Destinations"
          data-autofocus
          value={name}
          maxLength={STORE_NAME_CHARACTERS}
          error={problems.name}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="API Identifier"
          placeholder="destinations"
          className={look({ monoField: true })}
          value={apiIdentifier}
          maxLength={STORE_IDENTIFIER_CHARACTERS}
          error={problems.apiIdentifier}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setIdentifier(event.currentTarget.value)}
        />
      </Grid>
      <FieldRows fields={fields} problems={problems.fields} onChange={setFields} />
      {problems.form !== null && <Notice tone="bad">{problems.form}</Notice>}
      <Row wrap justify="end" gap={8}>
        <Button onClick={onClose} disabled={create.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={create.isPending}>
          Create Store
        </Button>
      </Row>
    </Stack>
  );
}

function checkStore(name: string, apiIdentifier: string, fields: readonly FieldDraft[]): StoreProblems | null {
  if (name.trim() === "" || apiIdentifier.trim() === "") {
    return { ...noProblems, form: "Store Name and API Identifier are required." };
  }
  if (!/^[a-z0-9_]+$/.test(apiIdentifier.trim())) {
    return { ...noProblems, apiIdentifier: "Use lower-case letters, digits and underscores." };
  }
  const found: FieldProblems = checkFields(fields);
  return found.message === null ? null : { ...noProblems, fields: found, form: found.message };
}
