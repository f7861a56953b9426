/** Sends the publish of a review, and shows in the review why it was refused. */
import { type ReactNode, useEffect, useState } from "react";
import { ApiError, messageOf, NetworkError } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import type { Diff } from "@/lib/diff";
import { CHANGE_REFERENCES } from "@/lib/limits.gen";
import { useAttempt } from "@/lib/use-attempt";
import { Notice } from "@/ui/notice";
import type { Reviewed } from "./publish-reviewed";
import { presentDiff } from "./queries";
import { usePublish } from "./use-publish";
import type { Selection } from "./use-selection";

export const OFFLINE = "You are offline. Nothing was published.";

export function useReviewPublish({
  project,
  diff,
  selection,
  reviewed,
  renew,
  onPublished,
  onNoPlan,
}: {
  project: Project;
  diff: Diff;
  selection: Selection;
  reviewed: Reviewed;
  /** Shows the present diff, after a refusal because the diff has changed. */
  renew: (present: Diff) => void;
  onPublished: () => void;
  onNoPlan: () => void;
}): {
  send: () => void;
  isPending: boolean;
  /** The draft is a different one by now. */
  isOutdated: boolean;
  isDisarmed: boolean;
  notice: ReactNode;
  dismiss: () => void;
} {
  const publish = usePublish(project, onPublished);
  const attempt = useAttempt();
  const [notice, setNotice] = useState<{ tone: "warn" | "bad"; text: string } | null>(null);
  useEffect(() => {
    const withdraw = () => setNotice((present) => (present?.text === OFFLINE ? null : present));
    window.addEventListener("online", withdraw);
    return () => window.removeEventListener("online", withdraw);
  }, []);
  // One's own publish is heard of, too.
  const isOutdated = reviewed.isOutdated && !publish.isPending && !publish.isSuccess;
  const isDisarmed = isOutdated || reviewed.isSettling;

  const refused = (error: Error, wasOffline: boolean) => {
    const present = error instanceof ApiError && error.code === "stale_diff" ? presentDiff(error.body) : undefined;
    if (present !== undefined) {
      renew(present);
      setNotice({ tone: "warn", text: messageOf(error, "The draft changed since you reviewed it.") });
    } else if (error instanceof ApiError && error.status === 402) {
      onNoPlan();
    } else if (wasOffline && error instanceof NetworkError) {
      setNotice({ tone: "bad", text: OFFLINE });
    } else {
      setNotice({ tone: "bad", text: messageOf(error, "Failed to publish changes.", "Error publishing changes.") });
    }
  };
  const send = () => {
    if (isDisarmed) return;
    const leaveOut = selection.toLeaveOut();
    if (leaveOut.length > CHANGE_REFERENCES) {
      const text = `At most ${CHANGE_REFERENCES.toLocaleString("en")} single changes can be left out. Leave out whole screens or Data Stores.`;
      setNotice({ tone: "bad", text });
      return;
    }
    if (!attempt.begin()) return;
    setNotice(null);
    // If the connection breaks during the call, nobody knows whether the publish arrived.
    const wasOffline = !navigator.onLine;
    publish.mutate(
      { token: diff.token, leaveOut, kept: selection.whole.kept },
      {
        onError: (error) => {
          attempt.failed();
          refused(error, wasOffline);
        },
      },
    );
  };
  return {
    send,
    isPending: publish.isPending,
    isOutdated,
    isDisarmed,
    notice: notice !== null && (
      <Notice key={notice.text} tone={notice.tone} isUrgent>
        {notice.text}
      </Notice>
    ),
    dismiss: () => setNotice(null),
  };
}
