/** Asks before a draft is overwritten, shows what is lost, and offers to undo it afterwards. */
import { useState } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import { useLanguageNames } from "@/lib/languages";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Stamps } from "@/ui/key-change";
import { Notice } from "@/ui/notice";
import { Box } from "@/ui/parts";
import { UndoToast } from "@/ui/undo-toast";
import classes from "./history-panel.module.css";
import { type Comparison, type HistorySource, isStale, labelOf, type Unit, type Version } from "./history-source";

const UNDO_SHOWN_MS = 10_000;

async function undo<Diff extends Comparison>(
  source: HistorySource<Diff>,
  kept: Version,
  token: string,
  onStale: () => void,
): Promise<void> {
  try {
    await source.rollBack(kept, token);
    toast.success("The roll back is undone.");
  } catch (error) {
    if (!isStale(error)) return void toast.error(messageOf(error, source.failures.rollBack));
    const { name, its } = source;
    toast.error(
      `Somebody edited ${name} since: nothing was undone. ${its} history has the draft from before the roll back.`,
      { duration: UNDO_SHOWN_MS },
    );
    onStale();
  }
}

export function RollBackDialog<Diff extends Comparison>({
  source,
  diff,
  staleness,
  opened,
  onStale,
  onClose,
  onRolledBack,
  onNotUndone,
}: {
  source: HistorySource<Diff>;
  /** The comparison that the dialog asks about. Only the draft that it compares is overwritten. */
  diff: Diff;
  /** Why the dialog asks again: somebody changed the draft since. Null the first time. */
  staleness: string | null;
  opened: boolean;
  /** Resolves once `diff` is what would change now; throws where that can't be read. */
  onStale: (staleness: string) => Promise<void>;
  onClose: () => void;
  onRolledBack: () => void;
  /** Somebody changed the draft after the roll back: what it overwrote is in the history alone. */
  onNotUndone: () => void;
}) {
  const [isPending, setPending] = useState(false);
  const nameOf = useLanguageNames();
  const { version } = diff;
  const missing = (diff.missingLanguages ?? []).map((code) => nameOf(code).name);
  const isRenewed = (message: string) =>
    onStale(message).then(
      () => true,
      () => false,
    );
  const confirm = async () => {
    setPending(true);
    try {
      const { message, kept, token } = await source.rollBack(version, diff.token);
      toast.success(
        ({ id }) =>
          kept === null ? (
            message
          ) : (
            <UndoToast
              message={message}
              onUndo={() => {
                toast.dismiss(id);
                void undo(source, kept, token, onNotUndone);
              }}
            />
          ),
        { duration: UNDO_SHOWN_MS },
      );
      onClose();
      onRolledBack();
    } catch (error) {
      if (isStale(error) && (await isRenewed(error.message))) return;
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
      {staleness !== null && (
        <Box mb={12}>
          <Notice tone="warn" isUrgent>
            {staleness}
          </Notice>
        </Box>
      )}
      {diff.total === 0 ? (
        <p>The draft of {source.name} is as this version already.</p>
      ) : (
        <p>
          The draft of {source.name} is overwritten: {sentence(diff, source.unit)}. What you overwrite is kept in the
          history as “Draft before roll back”.
        </p>
      )}
      {staleness !== null && (
        <Box as="section" m={0} mt={8} mb={8} scroll className={classes["now"]} aria-label="What would change now">
          <Stamps value={false}>
            <source.Changes diff={diff} />
          </Stamps>
        </Box>
      )}
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
