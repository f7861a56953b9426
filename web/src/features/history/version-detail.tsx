/** A chosen version: what rolling back to it would do, what it changed itself, and the button that rolls back. */
import { Button, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/lib/api";
import { useLanguageNames } from "@/lib/languages";
import { dialogFooter } from "@/ui/dialog-frame";
import { Stamps } from "@/ui/key-change";
import { look } from "@/ui/look";
import { Box, Row, Text } from "@/ui/parts";
import { Pill } from "@/ui/pill";
import { ErrorState, LoadingRows } from "@/ui/states";
import { type Against, type Comparison, type HistorySource, labelOf, type Version } from "./history-source";
import { RollBackDialog } from "./roll-back-dialog";

const views: Record<Against, string> = { draft: "If you roll back", previous: "What it changed" };

export function VersionDetail<Diff extends Comparison>({
  source,
  version,
  refusal,
  onRolledBack,
  onNotUndone,
}: {
  source: HistorySource<Diff>;
  version: Version;
  /** Why the person may not roll back, or null. */
  refusal: string | null;
  onRolledBack: () => void;
  onNotUndone: () => void;
}) {
  const [against, setAgainst] = useState<Against>("draft");
  const [isAsking, setAsking] = useState(false);
  const [asked, setAsked] = useState<{ diff: Diff; staleness: string | null } | null>(null);
  const shown = useQuery(source.comparison(version.id, against));
  const effect = useQuery(source.comparison(version.id, "draft"));
  const reason = refusal ?? (effect.data?.total === 0 ? `The draft is as ${labelOf(version)} already.` : null);
  return (
    <>
      <Row as="fieldset" gap={8} rigid px={20} py={12} m={0} border="none" aria-label="Show">
        {(["draft", "previous"] as const).map((view) => (
          <Pill key={view} isPressed={against === view} onClick={() => setAgainst(view)}>
            {version.kind === "draft" && view === "previous" ? "What was unpublished" : views[view]}
          </Pill>
        ))}
      </Row>
      <Box as="section" grow px={20} pb={12} scroll minH={120} aria-label={`${labelOf(version)}: ${views[against]}`}>
        {shown.isPending ? (
          <LoadingRows rows={4} height={46} label="Loading changes" />
        ) : shown.data === undefined ? (
          <ErrorState message={messageOf(shown.error, source.failures.list)} onRetry={() => void shown.refetch()} />
        ) : (
          <>
            <Summary source={source} diff={shown.data} against={against} />
            {/* Nobody has made the changes yet that a roll back would make. */}
            <Stamps value={against === "previous"}>
              <source.Changes diff={shown.data} />
            </Stamps>
          </>
        )}
      </Box>
      <div className={`${dialogFooter} ${look({ layout: "row", justify: "end" })}`}>
        <Tooltip label={reason} disabled={reason === null}>
          <Button
            variant="filled"
            loading={effect.isPending}
            {...(reason === null ? {} : { "data-disabled": true, "aria-disabled": true, "aria-description": reason })}
            onClick={() => {
              if (reason !== null || effect.data === undefined) return;
              setAsked({ diff: effect.data, staleness: null });
              setAsking(true);
            }}
          >
            Roll back
          </Button>
        </Tooltip>
      </div>
      {asked !== null && (
        <RollBackDialog
          source={source}
          {...asked}
          opened={isAsking}
          onStale={async (staleness) => {
            const { data } = await effect.refetch({ throwOnError: true });
            if (data !== undefined) setAsked({ diff: data, staleness });
          }}
          onClose={() => setAsking(false)}
          onRolledBack={onRolledBack}
          onNotUndone={onNotUndone}
        />
      )}
    </>
  );
}

function Summary<Diff extends Comparison>({
  source: { name, unit },
  diff,
  against,
}: {
  source: HistorySource<Diff>;
  diff: Diff;
  against: Against;
}) {
  const nameOf = useLanguageNames();
  const count = `${diff.total.toLocaleString("en")} ${diff.total === 1 ? unit.one : unit.many}`;
  const missing = (diff.missingLanguages ?? []).map((code) => nameOf(code).name);
  return (
    <Text pb={6} size="s" tone="ink-2">
      {against === "draft"
        ? diff.total === 0
          ? `The draft of ${name} is as this version already.`
          : `Rolling back changes ${count} of the draft.`
        : diff.total === 0
          ? unit.none
          : `It changed ${count}.`}
      {missing.length > 0 && ` Texts in ${missing.join(" and ")} don't come back: the project no longer has them.`}
    </Text>
  );
}
