/** The project's plan, what it allows, and what is used of it. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { formatBytes } from "@/lib/bytes";
import { formatUtcDay } from "@/lib/time";
import { Notice } from "@/ui/notice";
import { Panel } from "@/ui/page";
import { Box, Stack, Text } from "@/ui/parts";
import rows from "@/ui/rows.module.css";
import { ErrorState, LoadingRows } from "@/ui/states";
import { PlanLimits } from "./plan-limits";
import { PlanRow } from "./plan-row";
import { type Usage, usageQuery } from "./queries";
import { UsageHistory } from "./usage-history";
import { UsageMeter } from "./usage-meter";

const FAILED = "Failed to fetch project usage";

export function UsageSection({ project, openActivation }: { project: Project; openActivation: () => void }) {
  return (
    <Panel title="Usage and plan limits">
      <PlanRow project={project} onActivate={openActivation} />
      <PlanLimits project={project} />
      <Use projectId={project.projectId} />
    </Panel>
  );
}

function Use({ projectId }: { projectId: string }) {
  const { data, error, isError, isLoadingError, refetch } = useQuery(usageQuery(projectId));
  useEffect(() => {
    if (isLoadingError) toast.error(messageOf(error, FAILED), { id: "project-usage" });
  }, [isLoadingError, error]);
  if (data === undefined) {
    return isError ? (
      <ErrorState message={messageOf(error, FAILED)} onRetry={() => void refetch()} />
    ) : (
      <LoadingRows rows={5} height={72} label="Loading usage" />
    );
  }
  return (
    <>
      {isError && (
        <Box p={16}>
          <Notice
            tone="warn"
            action={
              <Button size="xs" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          >
            {messageOf(error, FAILED)} These numbers may be old.
          </Notice>
        </Box>
      )}
      <Meters usage={data} />
      <UsageHistory history={data.history} />
    </>
  );
}

const whole = (number: number) => number.toLocaleString("en");

function Meters({ usage }: { usage: Usage }) {
  return (
    <Stack gap={16} p={16}>
      <UsageMeter
        label="Storage"
        used={usage.usageBytes}
        limit={usage.limitBytes}
        format={formatBytes}
        whenOver="Nothing more can be uploaded until there is room. What is there stays."
      />
      <UsageMeter
        label="API interactions"
        period="this month"
        used={usage.apiInteractions}
        limit={usage.apiLimit}
        format={whole}
        whenOver={OVER}
        whenFarOver={FAR_OVER}
      />
      <UsageMeter
        label="Bandwidth"
        period="this month"
        used={usage.bandwidthUsage}
        limit={usage.bandwidthLimit}
        format={formatBytes}
        whenOver={OVER}
        whenFarOver={FAR_OVER}
      />
      <Text size="s" tone="ink-2" className={rows["note"]}>
        Monthly counters start again on <time dateTime={usage.periodEnd}>{formatUtcDay(usage.periodEnd)}</time>, 00:00
        UTC.
      </Text>
    </Stack>
  );
}

const OVER = "Apps still get content, up to five minutes late, and no live updates.";
const FAR_OVER = "Apps keep the content they have, and get no new one until the counter starts again.";
