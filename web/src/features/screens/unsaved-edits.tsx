/** Gives a project's pages its outbox of edits, and shows when texts could not be saved yet. */
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useParams } from "react-router";
import { later } from "@/ui/later";
import { Notice } from "@/ui/notice";
import { Outbox } from "./outbox";
import { OutboxContext, useEdits, useOutbox } from "./use-outbox";

const goneTexts = later(async () => (await import("./gone-texts")).GoneTexts, null);

export function UnsavedEdits({ children }: { children: ReactNode }) {
  const { projectId = "" } = useParams();
  return (
    <ProjectOutbox key={projectId} projectId={projectId}>
      {children}
    </ProjectOutbox>
  );
}

function ProjectOutbox({ projectId, children }: { projectId: string; children: ReactNode }) {
  const client = useQueryClient();
  const [outbox] = useState(() => new Outbox(projectId, client));
  useEffect(() => outbox.start(), [outbox]);
  return <OutboxContext value={outbox}>{children}</OutboxContext>;
}

/** Lines above the page while texts wait for a connection, and for texts whose key somebody else has deleted. */
export function UnsavedNotice() {
  const edits = [...useEdits().values()];
  const waiting = edits.filter((edit) => edit.status === "waiting").length;
  const gone = edits.filter((edit) => edit.isGone === true);
  return (
    <>
      {waiting > 0 && <WaitingNotice count={waiting} />}
      {gone.length > 0 && <goneTexts.Part edits={gone} />}
    </>
  );
}

function WaitingNotice({ count }: { count: number }) {
  const outbox = useOutbox();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
  return (
    <Notice
      tone="warn"
      action={
        <Button size="xs" onClick={outbox.retry}>
          Try now
        </Button>
      }
    >
      <span role="status">
        {count === 1 ? "1 text is not saved yet" : `${count} texts are not saved yet`}: the server can't be reached.{" "}
        {count === 1 ? "It is" : "They are"} kept on this device, and Livery tries again every few seconds.
      </span>
    </Notice>
  );
}
