/** What an import would do to the draft, and the button that does it. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { ApiError, failureOf, messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { dialogFooter } from "@/ui/dialog-frame";
import { Notice } from "@/ui/notice";
import { Box, Heading, Row, Stack, Text } from "@/ui/parts";
import { ErrorState, LoadingRows } from "@/ui/states";
import { countedIn, countedKinds } from "./file-kinds";
import type { GivenFile } from "./import-files";
import { PlanList } from "./plan-list";
import { PlanNotices } from "./plan-notices";
import { type Changes, choiceOf, isTicked, rowsOf } from "./plan-ticks";
import { type FileKind, type Plan, type PlanRow, planQuery, useApply } from "./queries";

const STALE =
  "The draft changed since you looked. This is the import as it is now, with your ticks where they still fit: look again, then import.";

/** What an apply did, and where its first entry is. */
export interface Done {
  importId: string;
  message: string;
  kinds: readonly FileKind[];
  newScreens: readonly string[];
  place: string;
}

interface Section {
  project: Project;
  importId: string;
  changes: Changes;
  onChanges: (changes: Changes) => void;
  onDone: (done: Done) => void;
}

export function PlanSection({ given, ...section }: Section & { given: readonly GivenFile[] }) {
  const { project, importId } = section;
  const read = given.flatMap((one) => one.read ?? []);
  const isSending = given.some(({ state }) => state === "waiting" || state === "sending");
  const numbers = read.map(({ number }) => number);
  const apply = useApply(project.projectId, importId);
  // Once the import is applied, nobody needs the plan.
  const isWanted = numbers.length > 0 && !isSending && !apply.isPending && !apply.isSuccess;
  const { data: plan, ...query } = useQuery({ ...planQuery(project, importId, numbers), enabled: isWanted });
  const names = new Map(read.map(({ number, name }) => [number, name]));
  if (numbers.length === 0) return null;
  if (plan === undefined) {
    return query.isError ? (
      <ErrorState
        message={messageOf(query.error, "Failed to compare the files with the draft.")}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <Box surface clip>
        <LoadingRows rows={6} height={76} label="Comparing the files with the draft" />
      </Box>
    );
  }
  return (
    <ShownPlan
      {...section}
      plan={plan}
      fileName={(file) => names.get(file) ?? ""}
      isOld={query.isPlaceholderData || query.isFetching || isSending}
      apply={apply}
      onStale={() => query.refetch()}
    />
  );
}

interface Shown extends Section {
  plan: Plan;
  fileName: (file: number) => string;
  /** A newer plan is on its way. */
  isOld: boolean;
  apply: ReturnType<typeof useApply>;
  /** Reads the plan again. */
  onStale: () => Promise<unknown>;
}

function ShownPlan({ plan, fileName, isOld, apply, onStale, project, importId, changes, onChanges, onDone }: Shown) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names belong to the plan.
  const rows = useMemo(() => rowsOf(plan, fileName), [plan]);
  const ticked = useMemo(() => rows.filter((row) => isTicked(row, changes)), [rows, changes]);
  const screens = useMemo(() => new Set(ticked.map(({ screen }) => screen)), [ticked]);
  const newScreens = plan.newScreens.filter((screen) => screens.has(screen));
  const [problem, setProblem] = useState<Problem | null>(null);
  const importThem = async () => {
    setProblem(null);
    const kinds = ticked.map(({ kind }) => kind);
    const place = ticked[0] === undefined ? "general" : placeOf(ticked[0]);
    const done = { importId, message: `Imported ${countedKinds(kinds)}.`, kinds, newScreens, place };
    try {
      const { message } = await apply.mutateAsync({ ...choiceOf(rows, changes), token: plan.token });
      onDone({ ...done, message });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "";
      // The answer to the first click was lost.
      if (code === "import_applied") onDone(done);
      else if (code === "stale_import") {
        setProblem({ tone: "warn", text: STALE });
        await onStale();
        heading.current?.focus();
      } else setProblem({ tone: "bad", text: failureOf(error, "Failed to import the files.") });
    }
  };
  return (
    <Box as="section" surface aria-label="What the import does" aria-busy={isOld}>
      <Stack gap={2} px={16} py={14}>
        <Heading size="s" ref={heading} tabIndex={-1}>
          What the import does
        </Heading>
        <Text size="s" tone="ink-2">
          Nothing of the draft is changed yet. What is new or changed is ticked. Apps get it with the next publish.
        </Text>
      </Stack>
      <PlanNotices project={project} plan={plan} newScreens={newScreens} fileName={fileName} />
      <PlanList counts={plan.counts} rows={rows} fileName={fileName} changes={changes} onChanges={onChanges} />
      <ImportBar
        what={ticked.length === 0 ? countedIn(rows, 0) : countedKinds(ticked.map(({ kind }) => kind))}
        isOff={isOld || ticked.length === 0}
        problem={problem}
        isPending={apply.isPending}
        onImport={() => void importThem()}
      />
    </Box>
  );
}

/** The page of an entry, below the project. */
function placeOf({ kind, screen, store }: PlanRow): string {
  return kind === "colors" ? "colors" : kind === "items" ? `stores/${store}` : (screen ?? "general");
}

interface Problem {
  tone: "bad" | "warn";
  text: string;
}

/** Stays at the lower edge of the window while the rows scroll. */
function ImportBar({
  what,
  problem,
  isPending,
  isOff,
  onImport,
}: {
  /** '6 texts and 1 colour'. */
  what: string;
  problem: Problem | null;
  isPending: boolean;
  isOff: boolean;
  onImport: () => void;
}) {
  return (
    <Stack gap={10} className={dialogFooter} radius="l">
      {problem !== null && (
        <Notice tone={problem.tone} isUrgent>
          {problem.text}
        </Notice>
      )}
      <Row wrap align="center" justify="between" gap={8} gapX={16}>
        <Text size="s" tone="ink-2" hide="phone">
          What is ticked goes to the draft. Nothing is live before you publish.
        </Text>
        <Button variant="filled" ms="auto" loading={isPending} disabled={isOff} onClick={onImport}>
          Import {what}
        </Button>
      </Row>
    </Stack>
  );
}
