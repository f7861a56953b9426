/** The plan that the project is on, until when, and the way to another month of it or to another plan. */
import { Button } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { hasActivePlan, may, refusals } from "@/lib/project";
import { useMe } from "@/lib/queries";
import { formatDay, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Badge, type BadgeTone } from "@/ui/badge";
import { PanelRow, RowText } from "@/ui/panel-row";

const SOON_MS = 7 * 86_400_000;

export function PlanRow({ project, onActivate }: { project: Project; onActivate: () => void }) {
  const now = useNow();
  const { data: me } = useMe();
  const isBilled = me?.billing !== "off";
  const { tone, word, text } = isBilled ? planState(project, now) : OPEN_STATE;
  const mayActivate = may(project, "assign_credits");
  return (
    <PanelRow>
      <RowText
        name={
          <>
            {project.tierName} <Badge tone={tone}>{word}</Badge>
          </>
        }
        isStrong
      >
        {text}
        {isBilled && !mayActivate && ` ${refusals.assign_credits}`}
      </RowText>
      {isBilled && mayActivate && (
        <Button size="xs" onClick={onActivate}>
          {isBought(project, now) ? "Renew or change plan" : hasActivePlan(project, now) ? "Change plan" : "Activate"}
        </Button>
      )}
    </PanelRow>
  );
}

interface PlanState {
  tone: BadgeTone;
  word: string;
  text: string;
}

const OPEN_STATE: PlanState = { tone: "ok", word: "Active", text: "This server sets no limits." };

function planState(project: Project, now: number): PlanState {
  const { activeTier, expiresAt } = project;
  if (activeTier === "none") {
    return { tone: "plain", word: "Not active", text: "Activate a plan to add screens, invite people and publish." };
  }
  if (!hasActivePlan(project, now)) {
    const ended = expiresAt === null ? "It ended." : `It ended on ${formatDay(expiresAt)}.`;
    return {
      tone: "bad",
      word: "Expired",
      text: `${ended} Nothing is deleted: adding and publishing wait for a plan.`,
    };
  }
  if (expiresAt === null) return { tone: "ok", word: "Active", text: "It has no end." };
  const isSoon = new Date(expiresAt).getTime() - now < SOON_MS;
  return {
    tone: isSoon ? "warn" : "ok",
    word: isSoon ? "Ends soon" : "Active",
    text: `It runs until ${formatDay(expiresAt)} (${relativeTime(expiresAt, now)}).`,
  };
}

/** Whether the tier can be made to last longer: it is neither given nor over. */
const isBought = (project: Project, now: number) =>
  hasActivePlan(project, now) && !["free_starter_month", "trial"].includes(project.activeTier);
