/** Changes a data store's name and fields; shows first what items would lose, and asks the person to confirm it. */
import { Button, Modal, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import toast from "react-hot-toast";
import { failureOf } from "@/lib/api";
import { counted } from "@/lib/counted";
import { STORE_NAME_CHARACTERS } from "@/lib/limits.gen";
import { currentIn, editorIn } from "@/lib/stale-revision";
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { type Unsaved, useDirty, useLeaveGuard } from "@/lib/use-leave-guard";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconAlertTriangle } from "@/ui/icons";
import { KeptNotice } from "@/ui/kept-notice";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box, Grid, Row, Stack, Text } from "@/ui/parts";
import { DiscardQuestion } from "./discard-question";
import { checkFields, draftsOf, type FieldDraft, isSame } from "./field-drafts";
import { FieldRows } from "./field-rows";
import type { Store } from "./queries";
import { noProblems, problemsIn, type StoreProblems } from "./store-problems";
import { storeSeen, storeTextIn } from "./store-text";
import { type Loss, lossesIn, useChangeStore } from "./store-writes";

export function StoreSettingsDialog({
  projectId,
  store,
  opened,
  onClose,
}: {
  projectId: string;
  store: Store;
  opened: boolean;
  onClose: () => void;
}) {
  const [unsaved, setUnsaved] = useState<Unsaved>(false);
  const guard = useLeaveGuard(opened && unsaved);
  const close = () => guard.ask(onClose);
  return (
    <Modal opened={opened} onClose={close} title="Edit Data Store" size={760} closeOnClickOutside={false}>
      <SettingsForm projectId={projectId} store={store} onDirty={setUnsaved} onClose={close} onSaved={onClose} />
      <DiscardQuestion guard={guard}>What you changed in this Data Store is not saved.</DiscardQuestion>
    </Modal>
  );
}

function SettingsForm({
  projectId,
  store,
  onDirty,
  onClose,
  onSaved,
}: {
  projectId: string;
  store: Store;
  onDirty: (unsaved: Unsaved) => void;
  onClose: () => void;
  onSaved: () => void;
}) {
  // The form changes the store as it was when it opened. Saving reports a colleague's change since then.
  const [base, setBase] = useState(store);
  const [name, setName] = useState(store.name);
  const [fields, setFields] = useState<readonly FieldDraft[]>(() => draftsOf(store));
  const [problems, setProblems] = useState<StoreProblems>(noProblems);
  const [losses, setLosses] = useState<readonly Loss[] | null>(null);
  const [theirs, setTheirs] = useState<{ store: Store; by: string } | null>(null);
  const change = useChangeStore(projectId);
  const isDirty = name.trim() !== base.name || !isSame(fields, draftsOf(base));
  const kept = useKeptText({ form: "store", project: projectId, id: store._id }, (stored) =>
    storeTextIn(stored, store),
  );
  useKeepTyped(kept, isDirty ? { name, fields, seen: storeSeen(base) } : null);
  useDirty(isDirty, kept.forget, onDirty);

  const save = async (revised: Store, confirm: boolean) => {
    setProblems(noProblems);
    setTheirs(null);
    try {
      await change.mutateAsync({ store: revised, draft: { name, fields }, confirm });
      kept.forget();
      toast.success("Data Store updated.");
      setLosses(null);
      onSaved();
    } catch (error) {
      const lost = lossesIn(error);
      const current = currentIn<Store>(error);
      setLosses(lost ?? null);
      if (current !== undefined) setTheirs({ store: current, by: editorIn(error) });
      else if (lost === undefined) {
        setProblems(problemsIn(error, fields, failureOf(error, "Failed to update Data Store.")));
      }
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const found = checkFields(fields);
    if (name.trim() === "") return setProblems({ ...noProblems, name: "Store Name is required." });
    if (found.message !== null) return setProblems({ ...noProblems, fields: found, form: found.message });
    void save(base, false);
  };
  const takeTheirs = (current: Store) => {
    setBase(current);
    setName(current.name);
    setFields(draftsOf(current));
    setTheirs(null);
  };
  const keepMine = (current: Store) => {
    setBase(current);
    void save(current, false);
  };
  return (
    <Stack as="form" gap={18} noValidate onSubmit={submit}>
      <KeptNotice
        kept={kept}
        onContinue={(text) => {
          // If a colleague changed the store since, saving asks.
          setBase({ ...store, ...text.seen });
          setName(text.name);
          setFields(text.fields);
        }}
      />
      <Grid gap={14} columns={2} smallColumns={1}>
        <TextInput
          label="Store Name"
          data-autofocus
          value={name}
          maxLength={STORE_NAME_CHARACTERS}
          error={problems.name}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="API Identifier"
          className={look({ monoField: true })}
          value={store.apiIdentifier}
          readOnly
          description="Apps ask for it by this; it stays."
          inputWrapperOrder={["label", "input", "description"]}
        />
      </Grid>
      <FieldRows fields={fields} problems={problems.fields} lockedTypes={store.itemCount > 0} onChange={setFields} />
      {theirs !== null && (
        <Notice
          tone="warn"
          action={
            <Row wrap justify="end" gap={8}>
              <Button size="xs" onClick={() => takeTheirs(theirs.store)}>
                Use theirs
              </Button>
              <Button size="xs" onClick={() => keepMine(theirs.store)}>
                Save mine
              </Button>
            </Row>
          }
        >
          {theirs.by} changed this store in the meantime.
        </Notice>
      )}
      {problems.form !== null && <Notice tone="bad">{problems.form}</Notice>}
      <Text size="s" tone="ink-3">
        Apps get the changes of fields when you publish.
      </Text>
      <Row wrap justify="end" gap={8}>
        <Button onClick={onClose} disabled={change.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={change.isPending}>
          Save changes
        </Button>
      </Row>
      <ConfirmDialog
        opened={losses !== null}
        title="Values will be lost"
        confirmText="Save and lose them"
        tone="danger"
        icon={IconAlertTriangle}
        loading={change.isPending}
        onConfirm={() => void save(base, true)}
        onClose={() => setLosses(null)}
      >
        <p>Saving this takes values away from items of the draft. This action cannot be undone.</p>
        <Box as="ul" mt={8} bullets>
          {losses?.map(({ fieldId, name: field, items }) => (
            <li key={fieldId}>
              <bdi>{field}</bdi>: {lossText(fields, fieldId)} of {counted(items, "item")}
            </li>
          ))}
        </Box>
      </ConfirmDialog>
    </Stack>
  );
}

/** A field that stays loses what it has in other languages. */
function lossText(fields: readonly FieldDraft[], fieldId: string): string {
  return fields.some(({ _id }) => _id === fieldId) ? "the values in other languages" : "the values";
}
