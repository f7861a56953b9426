/** Renames a key that apps ask for: shows what breaks, and offers to undo it. */
import { Button, Modal, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import toast from "react-hot-toast";
import { KEY_CHARACTERS } from "@/lib/limits.gen";
import { KeptNotice } from "@/ui/kept-notice";
import { look } from "@/ui/look";
import { Row, Stack, Text } from "@/ui/parts";
import { UndoToast } from "@/ui/undo-toast";
import { useGrid } from "./grid-context";
import type { KeyRecord } from "./queries";
import { useKeptName, useRenameKey } from "./rename-key";
import classes from "./rename-key-dialog.module.css";

/** Long enough to read and to reach the button. */
const SHOWN_MS = 10_000;

export function RenameKeyDialog({ record }: { record: KeyRecord }) {
  const grid = useGrid();
  const [name, setName] = useState(record.key);
  const { rename, error, isPending, clear } = useRenameKey(grid, record);
  const kept = useKeptName(grid, record, name);
  const isSame = name.trim() === record.key || name.trim() === "";
  const close = () => grid.endRename(record._id, true);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isSame || isPending) return;
    const renamed = await rename(name);
    if (renamed === null) return;
    kept.forget();
    close();
    toast(
      (shown) => (
        <RenamedToast from={record.key} record={renamed} onUndone={() => toast.dismiss(shown.id)} grid={grid} />
      ),
      {
        duration: SHOWN_MS,
      },
    );
  };
  return (
    <Modal opened onClose={close} title={`Rename “${record.key}”`} size="sm">
      <Stack as="form" gap={16} className={classes["form"]} noValidate onSubmit={(event) => void save(event)}>
        <KeptNotice kept={kept} onContinue={setName} />
        <p>
          Apps ask for this key. With the next publish they lose{" "}
          <Text as="bdi" tone="ink" code size="s">
            {record.key}
          </Text>
          , and show what they were built with until their code asks for the new name.
        </p>
        <TextInput
          label="New name"
          className={look({ monoField: true })}
          value={name}
          error={error}
          readOnly={isPending}
          data-autofocus
          maxLength={KEY_CHARACTERS}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          onChange={(event) => {
            clear();
            setName(event.currentTarget.value);
          }}
        />
        <Row justify="end" gap={8}>
          <Button
            onClick={() => {
              kept.forget();
              close();
            }}
          >
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={isSame} loading={isPending}>
            Rename
          </Button>
        </Row>
      </Stack>
    </Modal>
  );
}

function RenamedToast({
  from,
  record,
  grid,
  onUndone,
}: {
  from: string;
  record: KeyRecord;
  grid: { projectId: string; screen: string };
  onUndone: () => void;
}) {
  const { rename } = useRenameKey(grid, record);
  const undo = async () => {
    onUndone();
    if ((await rename(from)) === null) toast.error(`“${record.key}” could not be renamed back to “${from}”.`);
  };
  return <UndoToast message={`“${from}” is “${record.key}” now.`} onUndo={() => void undo()} />;
}
