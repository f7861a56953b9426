/** /projects/{projectId}/import-texts: files become texts, colours and items of the draft, after a look at what they would change. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Link, useSearchParams } from "react-router";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { may, refusals, useProject } from "@/lib/project";
import { useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { useLeaveGuard } from "@/lib/use-leave-guard";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { later } from "@/ui/later";
import { Notice } from "@/ui/notice";
import { PageBody } from "@/ui/page";
import { Row, Stack, Text } from "@/ui/parts";
import { LoadingRows } from "@/ui/states";
import { ArchiveSection, useArchiveImport } from "./archive-section";
import { EarlierImports } from "./earlier-imports";
import { countedKinds } from "./file-kinds";
import { FilesSection } from "./files-section";
import { ImportFiles } from "./import-files";
import type { Done } from "./plan-section";
import { type Changes, readTicks } from "./plan-ticks";
import { importQuery } from "./queries";
import { UndoImport } from "./undo-import";

/** Its code comes while the first file is chosen. */
const planSection = later(async () => (await import("./plan-section")).PlanSection, null);
const NOTHING = { forget: () => {} };

export function ImportsPage() {
  const { project } = useProject();
  // Each import has files and ticks of its own.
  const [round, setRound] = useState(0);
  if (!may(project, "edit")) {
    return (
      <PageBody>
        <Notice tone="plain">{refusals.edit}</Notice>
      </PageBody>
    );
  }
  return <Importing key={round} project={project} onAgain={() => setRound(round + 1)} />;
}

function Importing({ project, onAgain }: { project: Project; onAgain: () => void }) {
  planSection.useFetched();
  const { projectId } = project;
  const [files] = useState(() => new ImportFiles(projectId));
  const { importId, files: given } = useSyncExternalStore(files.subscribe, files.state);
  const [done, setDone] = useState<Done | null>(null);
  const { changes, setChanges, forget } = useChanges(projectId, importId);
  const { resume, isResuming, problem } = useImportOfAddress(projectId, files, importId, done !== null);
  const archive = useArchiveImport(projectId);
  const [store] = useState(useSearchParams()[0].get("store") ?? "");
  const isSending = archive.isPending || given.some(({ state }) => state === "waiting" || state === "sending");
  const guard = useLeaveGuard(done === null && isSending ? NOTHING : false);
  return (
    <PageBody width="wide">
      <Stack gap={24}>
        {done !== null ? (
          <Result project={project} done={done} onAgain={onAgain} />
        ) : isResuming ? (
          <LoadingRows rows={4} height={60} label="Loading the import" />
        ) : (
          <>
            {problem !== null && <Notice tone="bad">{problem}</Notice>}
            <FilesSection project={project} files={files} given={given} initialStore={store} />
            {importId !== null && (
              <planSection.Part
                project={project}
                importId={importId}
                given={given}
                changes={changes}
                onChanges={setChanges}
                onDone={(outcome) => {
                  forget();
                  setDone(outcome);
                }}
              />
            )}
          </>
        )}
        {/* Below a long plan nobody would find them. */}
        {(given.length === 0 || done !== null) && (
          <EarlierImports project={project} current={importId} onContinue={done === null ? resume : null} />
        )}
        {given.length === 0 && done === null && <ArchiveSection importing={archive} />}
      </Stack>
      <ConfirmDialog
        opened={guard.isAsking}
        title="Leave the import?"
        confirmText="Leave"
        cancelText="Stay"
        tone="warning"
        onConfirm={guard.leave}
        onClose={guard.stay}
      >
        Files are still being sent.
      </ConfirmDialog>
    </PageBody>
  );
}

/** The ticks that a person changed. They are kept on the device: a reload, and a later visit, go on with them. */
function useChanges(projectId: string, importId: string | null) {
  const [changes, setChanges] = useState<Changes>(new Map());
  const kept = useKeptText(importId === null ? null : { form: "import", project: projectId, id: importId }, readTicks);
  useKeepTyped(kept, changes.size > 0 ? [...changes] : null);
  const { offer, endOffer } = kept;
  useEffect(() => {
    if (offer === null) return;
    endOffer();
    setChanges((now) => new Map([...offer.value, ...now]));
  }, [offer, endOffer]);
  const forget = () => setChanges(new Map());
  return { changes, setChanges, forget };
}

/** The import in the address, so that a reload goes on with it. */
function useImportOfAddress(projectId: string, files: ImportFiles, importId: string | null, isDone: boolean) {
  const [params, setParams] = useSearchParams();
  const wanted = params.get("import");
  const isHere = wanted === null || wanted === importId || isDone;
  const { data, error } = useQuery({ ...importQuery(projectId, wanted ?? ""), enabled: !isHere });
  useEffect(() => {
    if (data?.state === "open" && data._id === wanted && !isHere) files.resume(data._id, data.files);
  }, [files, data, wanted, isHere]);
  const isOver = data !== undefined && data.state !== "open";
  const isLost = error !== null || isOver;
  const next = isDone ? null : importId !== null && (wanted === null || isLost) ? importId : wanted;
  useEffect(() => {
    if (next !== wanted) setParams(next === null ? {} : { import: next }, { replace: true, preventScrollReset: true });
  }, [next, wanted, setParams]);
  return {
    resume: (id: string) => setParams({ import: id }, { replace: true, preventScrollReset: true }),
    isResuming: !isHere && !isLost,
    problem: isHere
      ? null
      : isOver
        ? "This import was applied already. It is listed below."
        : error === null
          ? null
          : messageOf(error, "Failed to fetch the import."),
  };
}

function Result({ project, done, onAgain }: { project: Project; done: Done; onAgain: () => void }) {
  const [undone, setUndone] = useState<string | null>(null);
  const { projectId } = project;
  return (
    <Notice key={undone} tone="ok" takesFocus>
      <Stack gap={12} tone="ink">
        <div>
          <Text size="lead" weight={600}>
            {undone ?? done.message}
          </Text>
          <Text size="s" tone="ink-2">
            {undone === null
              ? "Nothing is live yet: it is all in the draft. Publish when you are ready."
              : "The draft has what it had before the import."}
          </Text>
        </div>
        <Row wrap align="center" gap={8}>
          {undone === null && (
            <>
              <Button size="xs" variant="filled" component={Link} to={`/projects/${projectId}/${done.place}`}>
                See{" "}
                {done.place === "colors" ? "the colours" : done.place.startsWith("stores/") ? "the items" : "the texts"}
              </Button>
              <UndoImport
                projectId={projectId}
                importId={done.importId}
                entries={countedKinds(done.kinds)}
                onUndone={setUndone}
              />
            </>
          )}
          <Button size="xs" onClick={onAgain}>
            Import more files
          </Button>
        </Row>
      </Stack>
    </Notice>
  );
}
