/** Asks before a draft is overwritten, says what is lost, and offers to undo it afterwards. */
import { useState } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import { useLanguageNames } from "@/lib/languages";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { UndoToast } from "@/ui/undo-toast";
import { type Comparison, type HistorySource, labelOf, type Unit, type Version } from "./history-source";

const UNDO_SHOWN_MS = 10_000;

async function undo<Diff extends Comparison>(source: HistorySource<Diff>, kept: Version): Promise<void> {
  try {
    await source.rollBack(kept);
    toast.success("The roll back is undone.");
  } catch (error) {
    toast.error(messageOf(error, source.failures.rollBack));
  }
}

export function RollBackDialog<Diff extends Comparison>({
  source,
  diff,
  opened,
  onClose,
  onRolledBack,
}: {
  source: HistorySource<Diff>;
  diff: Diff;
  opened: boolean;
  onClose: () => void;
  onRolledBack: () => void;
}) {
  const [isPending, setPending] = useState(false);
  const nameOf = useLanguageNames();
  const { version } = diff;
  const missing = diff.missingLanguages.map((code) => nameOf(code).name);
  const confirm = async () => {
    setPending(true);
    try {
      const { message, kept } = await source.rollBack(version);
      toast.success(
        ({ id }) =>
          kept === null ? (
            message
          ) : (
            <UndoToast
              message={message}
              onUndo={() => {
                toast.dismiss(id);
                void undo(source, kept);
              }}
            />
          ),
        { duration: UNDO_SHOWN_MS },
      );
      onClose();
      onRolledBack();
    } catch (error) {
      toast.error(messageOf(error, source.failures.rollBack));
      onClose();
    } finally {
      setPending(false);
    }
  };
  return (
    <ConfirmDialog
      opened={opened}
      title={version.kind === "draft" ? "Roll back to this draft?" : `Roll back to ${labelOf(version).toLowerCase()}?`}
      confirmText="Roll back"
      tone="warning"
      loading={isPending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        The draft of {source.name} is overwritten: {sentence(diff, source.unit)}. What you overwrite is kept in the
        history as “Draft before roll back”.
      </p>
      {missing.length > 0 && <p>Texts in {missing.join(" and ")} don't come back.</p>}
      <p>Apps keep what they have until you publish.</p>
    </ConfirmDialog>
  );
}

/** '2 keys get their former texts, 1 key is removed and 1 key comes back'. */
function sentence({ added, changed, removed }: Comparison, unit: Unit): string {
  const parts = [
    { count: changed, one: unit.gets, many: unit.get },
    { count: removed, one: "is removed", many: "are removed" },
    { count: added, one: "comes back", many: "come back" },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, one, many }) =>
      count === 1 ? `1 ${unit.one} ${one}` : `${count.toLocaleString("en")} ${unit.many} ${many}`,
    );
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
