/** Chooses a plan for a project and pays for it with credits. */
import { Button, Modal, UnstyledButton } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import toast from "react-hot-toast";
import { Link } from "react-router";
import { ApiError, api, messageOf, NetworkError, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { forgetActivation, rememberActivation } from "@/lib/pending-activation";
import { keepProject, may, type PlanChoice, refusals } from "@/lib/project";
import { plansQuery, useMe } from "@/lib/queries";
import { invalidate } from "@/lib/query";
import { randomId } from "@/lib/random-id";
import { useAttempt } from "@/lib/use-attempt";
import { useNow } from "@/lib/use-now";
import { announce } from "@/lib/window-events";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Row, Stack, Text } from "@/ui/parts";
import { ErrorState, LoadingRows } from "@/ui/states";
import classes from "./activation-dialog.module.css";
import { type Plan, PlanCards } from "./plan-cards";
import { FREE, firstChoice, isRenewal, outcomeOf } from "./terms";

const FAILED = "Failed to activate/renew tier";
const FREE_MONTH_USED = "You have already used your free month.";
const PROJECT_HAD_IT = "This project has already had its free month.";
const OFFLINE = "The server can't be reached. Please try again.";

export function ActivationDialog({
  project,
  opened,
  reason,
  choice,
  onClose,
}: {
  project: Project;
  opened: boolean;
  /** Why the dialog opened by itself. */
  reason?: string;
  /** What to begin with; without it, what one most likely wants. */
  choice?: PlanChoice;
  onClose: () => void;
}) {
  const [tier, setTier] = useState<string | null>(null);
  const [months, setMonths] = useState<number | null>(null);
  /** Why the free month was refused: it stays to be read beside the plan that is suggested instead. */
  const [refusal, setRefusal] = useState<string | null>(null);
  const { data, isError, refetch } = useQuery({ ...plansQuery, enabled: opened });
  const now = useNow();
  const offered = data?.plans ?? [];
  const { data: user } = useMe();
  const freeRefusal = user?.freeMonthUsed ? FREE_MONTH_USED : project.freeMonthUsed ? PROJECT_HAD_IT : null;
  const plan =
    offered.find(({ id }) => id === (tier ?? choice?.tier)) ?? firstChoice(project, offered, freeRefusal !== null, now);
  const verb = plan !== undefined && isRenewal(project, plan.id) ? "Renew" : "Activate";
  const title = plan === undefined ? "Activate a plan" : `${verb} ${plan.name}`;
  const close = () => {
    setRefusal(null);
    setTier(null);
    setMonths(null);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} size={860}>
      {!may(project, "assign_credits") ? (
        <Notice tone="plain">{refusals.assign_credits}</Notice>
      ) : isError ? (
        <ErrorState message="The plans could not be loaded." onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows rows={6} height={46} label="Loading plans" />
      ) : plan === undefined ? (
        <Notice tone="plain">This server offers no plans.</Notice>
      ) : (
        <Stack gap={16}>
          {reason !== undefined && <Notice tone="warn">{reason}</Notice>}
          {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
          <PlanCards
            plans={offered}
            value={plan.id}
            current={project.activeTier}
            used={freeRefusal === null ? null : FREE}
            onChange={setTier}
          />
          <Payment
            key={plan.id}
            project={project}
            plan={plan}
            plans={offered}
            durations={plan.id === FREE ? [1] : data.durations}
            months={plan.id === FREE ? 1 : (months ?? choice?.months ?? 1)}
            onMonths={setMonths}
            freeRefusal={freeRefusal}
            verb={verb}
            onClose={close}
            onFreeMonthUsed={(message) => {
              setRefusal(message);
              setTier("starter");
            }}
          />
        </Stack>
      )}
    </Modal>
  );
}

function useAssignCredits(project: Project, onDone: () => void) {
  const client = useQueryClient();
  // One key per attempt: the same key after a lost answer, so that nothing is paid twice; a new key after any answer.
  const attempt = useRef<{ key: string; months: number } | null>(null);
  return useMutation({
    mutationFn: async ({ tierId, months }: { tierId: string; months: number }) => {
      if (attempt.current?.months !== months) attempt.current = { key: randomId(), months };
      try {
        return await take(
          api.POST("/api/projects/assign-credits", {
            params: { header: { "idempotency-key": attempt.current.key } },
            body: { projectId: project.projectId, tierId, months },
          }),
        );
      } catch (error) {
        if (!(error instanceof NetworkError)) attempt.current = null;
        throw error;
      }
    },
    onSuccess: ({ project: changed, userCredits, message }) => {
      forgetActivation();
      keepProject(client, project.projectId, changed);
      void invalidate(client, "/api/projects");
      void invalidate(client, "/api/projects/{projectId}/usage", { path: { projectId: project.projectId } });
      void invalidate(client, "/api/user/me");
      announce("userCreditsUpdated", { credits: userCredits });
      toast.success(message);
      onDone();
    },
    onError: (error) => {
      if (isUsedFreeMonth(error)) return;
      toast.error(`Failed to update tier: ${messageOf(error, FAILED, OFFLINE)}`, { id: "activation" });
      // Credits may have been spent elsewhere since the dialog opened.
      if (error instanceof ApiError && error.status === 402) void invalidate(client, "/api/user/me");
    },
  });
}

/** Whether the free month was used before. The dialog shows this beside the plan that it suggests in its place. */
const isUsedFreeMonth = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code === "free_month_used";

function Payment({
  project,
  plan,
  plans,
  durations,
  months,
  freeRefusal,
  verb,
  onMonths,
  onClose,
  onFreeMonthUsed,
}: {
  project: Project;
  plan: Plan;
  plans: readonly Plan[];
  durations: readonly number[];
  months: number;
  /** Why the free month can't be chosen, or null. */
  freeRefusal: string | null;
  verb: string;
  onMonths: (months: number) => void;
  onClose: () => void;
  onFreeMonthUsed: (message: string) => void;
}) {
  const { data: user } = useMe();
  const [isIncomplete, setIncomplete] = useState(false);
  const assign = useAssignCredits(project, onClose);
  const attempt = useAttempt();
  const { sentences, misfit, ...outcome } = outcomeOf(project, plan, months, plans, useNow());
  const refusal = (plan.id === FREE && freeRefusal) || outcome.refusal;
  const cost = plan.monthlyCreditCost * months;
  const isShort = user !== undefined && cost > user.credits;
  const balance = user === undefined ? "" : `You have ${user.credits} ${user.credits === 1 ? "credit" : "credits"}.`;
  const pay = () => {
    setIncomplete(!durations.includes(months));
    if (!durations.includes(months) || !attempt.begin()) return;
    assign.mutate(
      { tierId: plan.id, months },
      {
        onError: (error) => {
          attempt.failed();
          if (isUsedFreeMonth(error)) onFreeMonthUsed(error.message);
        },
      },
    );
  };
  return (
    <>
      <Row wrap align="center" justify="between" pt={16} lineAbove gap={12} gapX={24}>
        <Durations values={durations} value={months} onChange={onMonths} />
        <Stack align="end" leading={135} ms="auto">
          <Text as="b" size="l" weight={600} num>
            {cost === 0 ? "Free" : `${cost.toLocaleString("en")} ${cost === 1 ? "credit" : "credits"}`}
          </Text>
          <Text as="span" size="xs" tone="ink-3">
            {cost === 0
              ? "One month, no credits needed."
              : `${plan.monthlyCreditCost} a month × ${months}. ${isShort ? "" : balance}`}
          </Text>
        </Stack>
      </Row>
      {refusal !== null ? (
        <Notice tone="warn">{refusal}</Notice>
      ) : (
        <>
          <Text size="s" tone="ink-2" className={classes["outcome"]}>
            {sentences.join(" ")}
          </Text>
          {misfit !== null && <Notice tone="warn">{misfit}</Notice>}
        </>
      )}
      {isIncomplete && <Notice tone="bad">Please select a valid tier and duration.</Notice>}
      {isShort && (
        <Notice
          tone="bad"
          action={
            <Button
              size="xs"
              component={Link}
              to="/settings"
              state={{ buy: cost - user.credits }}
              onClick={() =>
                rememberActivation({
                  projectId: project.projectId,
                  projectName: project.name,
                  tierId: plan.id,
                  tierName: plan.name,
                  months,
                  cost,
                })
              }
            >
              Buy More
            </Button>
          }
        >
          Not enough credits. You need {cost}, but have {user.credits}.
        </Notice>
      )}
      {assign.isError && <Notice tone="bad">{messageOf(assign.error, FAILED, OFFLINE)}</Notice>}
      <Row justify="end" gap={8}>
        <Button onClick={onClose} disabled={assign.isPending}>
          Cancel
        </Button>
        <Button variant="filled" loading={assign.isPending} disabled={isShort || refusal !== null} onClick={pay}>
          {verb} {plan.name}
        </Button>
      </Row>
    </>
  );
}

function Durations({
  values,
  value,
  onChange,
}: {
  values: readonly number[];
  value: number;
  onChange: (months: number) => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = values[(values.indexOf(value) + step + values.length) % values.length];
    if (next === undefined) return;
    onChange(next);
    document.getElementById(`months-${next}`)?.focus();
  };
  const reachable = values.includes(value) ? value : values[0];
  // Where there is nothing to choose there is no button.
  if (values.length === 1)
    return (
      <Text as="span" weight={600}>
        1 month
      </Text>
    );
  return (
    <div
      className={look({ layout: "inline", wrap: true, fill: "sunken", radius: "m", p: 2 })}
      role="radiogroup"
      aria-label="Duration"
      onKeyDown={onKeyDown}
    >
      {values.map((months) => (
        <UnstyledButton
          key={months}
          id={`months-${months}`}
          role="radio"
          aria-checked={months === value}
          tabIndex={months === reachable ? 0 : -1}
          className={look(
            { touch: true, radius: "s", size: "s", lineH: 18, tone: "ink-2", space: "nowrap", px: 11, py: 6 },
            classes["duration"],
          )}
          onClick={() => onChange(months)}
        >
          {months} {months === 1 ? "month" : "months"}
        </UnstyledButton>
      ))}
    </div>
  );
}
