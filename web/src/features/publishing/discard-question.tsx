/** Discards one small change at once; asks before it discards more, with a list of what is lost. */
import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import toast from "react-hot-toast";
import { useLocation } from "react-router";
import { ApiError, messageOf } from "@/lib/api";
import { counted } from "@/lib/counted";
import type { Diff } from "@/lib/diff";
import type { ToDiscard } from "@/lib/discarding";
import { projectQuery } from "@/lib/queries";
import { useAddressChange } from "@/lib/use-address-change";
import { useAttempt } from "@/lib/use-attempt";
import { useDelayed } from "@/lib/use-delayed";
import { useSettling } from "@/lib/use-settling";
import { dialogFooter, paddedFrame } from "@/ui/dialog-frame";
import { DiffView } from "@/ui/diff-view";
import { useEscapeFirst } from "@/ui/escape-first";
import { useLateFocus } from "@/ui/focus";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box, Row } from "@/ui/parts";
import { LoadingRows } from "@/ui/states";
import { useDiscardCall } from "./discard-call";
import classes from "./publish-dialog.module.css";
import { discardQuery, presentDiff } from "./queries";
import { type Discardable, discardable } from "./to-discard";

const FAILED = "Failed to discard the changes.";
const NO_ANSWER = "The server can't be reached. The changes may not have been discarded.";
const NOTHING = "There is nothing to discard.";

type Step = "reading" | "asking" | "over";

export function DiscardQuestion({ projectId, what }: { projectId: string; what: ToDiscard }) {
  const [step, setStep] = useState<Step>("reading");
  const [present, setPresent] = useState<Diff | undefined>(what.diff);
  const [isSending, setSending] = useState(false);
  const [notice, setNotice] = useState<{ tone: "warn" | "bad"; text: string } | null>(null);
  const query = useQuery({
    ...discardQuery(projectId, what.section),
    enabled: what.diff === undefined && !what.isOneText && step !== "over" && !isSending,
  });
  const diff = present ?? query.data;
  const found = useMemo(() => (diff === undefined ? null : discardable(diff, what.changes)), [diff, what]);
  const call = useDiscardCall(projectId);
  const attempt = useAttempt();
  const { isSettling, settle } = useSettling();
  const isSlow = useDelayed(step === "reading");
  const close = () => setStep("over");

  const send = async () => {
    if (isSettling || !attempt.begin()) return;
    setNotice(null);
    setSending(true);
    try {
      await call({ what, count: found?.count, expected: what.isOneText ? undefined : diff?.token });
      close();
    } catch (error) {
      attempt.failed();
      const newer = error instanceof ApiError && error.code === "stale_diff" ? presentDiff(error.body) : undefined;
      const text = messageOf(error, FAILED, NO_ANSWER);
      if (newer !== undefined) {
        setPresent(newer);
        setNotice({ tone: "warn", text: "The draft changed. Look at what would be discarded now." });
        settle();
        setStep("asking");
      } else if (step === "asking") setNotice({ tone: "bad", text });
      else toast.error(text);
    } finally {
      setSending(false);
    }
  };

  const isDecided = useRef(false);
  useEffect(() => {
    if (isDecided.current) return;
    if (query.error !== null && diff === undefined) {
      isDecided.current = true;
      toast.error(messageOf(query.error, "Failed to read the unpublished changes."));
      setStep("over");
    } else if (what.isOneText || found !== null) {
      isDecided.current = true;
      const isNothing = found?.count === 0;
      const asks = !isNothing && !what.isOneText && !found?.isSmall;
      setStep(asks ? "asking" : "over");
      if (isNothing) toast(NOTHING);
      else if (!asks) void send();
    }
  });
  // What somebody edits while the question is open comes into the list.
  const token = useRef(diff?.token);
  useEffect(() => {
    if (token.current !== undefined && token.current !== diff?.token) settle();
    token.current = diff?.token;
  });
  const { pathname, search } = useLocation();
  useAddressChange(pathname + search, close);
  const isOpen = step === "asking" || isSlow;
  useEscapeFirst(isOpen, close);

  const count = found === null ? "" : counted(found.count, "change");
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      title={what.title ?? (count === "" ? "Discard changes" : `Discard ${count}?`)}
      size={720}
      classNames={paddedFrame}
    >
      {found === null || diff === undefined ? (
        <LoadingRows rows={5} height={46} label="Loading the unpublished changes" />
      ) : (
        <>
          <Box grow shrink px={20} pt={2} pb={20} className={classes["scroll"]}>
            <Consequences found={found} release={diff.release} count={count} />
            <Lost projectId={projectId} found={found} />
          </Box>
          <div className={`${dialogFooter} ${look({ layout: "stack", gap: 12 })}`}>
            {notice !== null && (
              <Notice key={notice.text} tone={notice.tone} isUrgent>
                {notice.text}
              </Notice>
            )}
            <Row align="center" justify="end" gap={8} className={classes["buttons"]}>
              <CancelButton onClick={close} isDisabled={isSending} />
              <Button
                variant="filled"
                color="red"
                loading={isSending}
                {...(isSettling ? { "data-disabled": true, "aria-disabled": true } : {})}
                onClick={() => void send()}
              >
                {found.isOpen ? "Discard changes" : `Discard ${count}`}
              </Button>
            </Row>
          </div>
        </>
      )}
    </Modal>
  );
}

function Consequences({ found, release, count }: { found: Discardable; release: number; count: string }) {
  const { along, isOpen } = found;
  return (
    <Box as="ul" px={20} pb={14} lineBelow className={classes["lead"]}>
      <li>
        {release === 0
          ? "The draft loses what is listed below. Apps have nothing yet."
          : `The draft gets back what release ${release} has. Apps keep that release and get nothing new.`}
      </li>
      {along > 0 && (
        <li>
          {counted(along, "change")} of the {count} {along === 1 ? "was" : "were"} not chosen, but can't stay without
          the chosen changes.
        </li>
      )}
      {isOpen && <li>Long lists are shortened here. The discard concerns what is not listed, too.</li>}
      <li>You can undo this right after it.</li>
    </Box>
  );
}

function Lost({ projectId, found }: { projectId: string; found: Discardable }) {
  const { data: project } = useQuery(projectQuery(projectId));
  return project === undefined ? null : <DiffView diff={found.diff} project={project} />;
}

/** Has the focus from the moment it is there. */
function CancelButton({ onClick, isDisabled }: { onClick: () => void; isDisabled: boolean }) {
  return (
    <Button ref={useLateFocus<HTMLButtonElement>()} data-autofocus disabled={isDisabled} onClick={onClick}>
      Cancel
    </Button>
  );
}
