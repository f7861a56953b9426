/** One release: how it came about, what it changed or how it differs from a different release, and its restore. */
import { Button, Tooltip } from "@mantine/core";
import { type ReactNode, type Ref, useId } from "react";
import { useNavigate } from "react-router";
import type { Project } from "@/lib/api-types";
import { hasActivePlan, may, NO_PLAN, refusals, useProject } from "@/lib/project";
import { formatMoment } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Badge } from "@/ui/badge";
import { IconArrowBackUp, IconChevronDown, IconLock } from "@/ui/icons";
import { look } from "@/ui/look";
import { Box, Row, Text } from "@/ui/parts";
import { RelativeTime } from "@/ui/relative-time";
import { searchOf } from "./address";
import { Comparison } from "./comparison";
import { type Against, isNumber, type Release } from "./queries";
import classes from "./release-detail.module.css";
import { kindOf } from "./words";

export const NEEDS_PRO = "Version history is part of the Pro Tier.";

export function ReleaseDetail({
  project,
  release,
  against,
  others,
  heading,
  back,
  onRestore,
  onDiscard,
}: {
  project: Project;
  release: Release;
  against: Against;
  /** All that are known, to compare with. */
  others: readonly Release[];
  heading: Ref<HTMLHeadingElement>;
  /** The way to the list, where it is not beside. */
  back: ReactNode;
  onRestore: () => void;
  /** For the live release: discards what the draft has and apps don't. */
  onDiscard: () => void;
}) {
  const navigate = useNavigate();
  const { number } = release;
  return (
    <Box as="article" shrink aria-label={`Release ${number}`}>
      {back}
      <Box as="header" pb={14} className={classes["head"]}>
        <Text size="s" tone="ink-3" breaks className={classes["printed"]}>
          {project.name}
        </Text>
        <h2
          className={look({ layout: "row", align: "center", gap: 8, size: "l", num: true })}
          ref={heading}
          tabIndex={-1}
        >
          Release {number}
          {release.isCurrent && <Badge tone="ok">Live</Badge>}
        </h2>
        <Text size="s" tone="ink-3" breaks>
          {kindOf(release)} by <bdi>{release.by}</bdi>, {formatMoment(release.timestamp)}
          <span className={classes["ago"]}>
            {" "}
            (<RelativeTime moment={release.timestamp} />)
          </span>
        </Text>
      </Box>
      {/* Not beside the heading: toasts would cover it, such as the one of a publish that was wrong. */}
      <Row wrap align="center" justify="between" gap={10} gapX={16} pb={14} className={classes["tools"]}>
        <AgainstPicker
          number={number}
          against={against}
          others={others}
          onChoose={(next) =>
            void navigate({ search: searchOf(number, next) }, { replace: true, preventScrollReset: true })
          }
        />
        {release.isCurrent ? (
          <DiscardAllButton project={project} onDiscard={onDiscard} />
        ) : (
          <RestoreButton project={project} onRestore={onRestore} />
        )}
      </Row>
      <Comparison key={`${number}/${against}`} project={project} number={number} against={against} />
    </Box>
  );
}

function AgainstPicker({
  number,
  against,
  others,
  onChoose,
}: {
  number: number;
  against: Against;
  others: readonly Release[];
  onChoose: (against: Against) => void;
}) {
  const id = useId();
  const listed = others.filter((other) => other.number !== number && other.number !== number - 1);
  const isListed = !isNumber(against) || listed.some((other) => other.number === against);
  return (
    <Row wrap align="center" gap={6} gapX={10} shrink className={classes["against"]}>
      <label className={look({ size: "s", tone: "ink-2" })} htmlFor={id}>
        Compare with
      </label>
      <Box as="span" layout="inline" align="center" shrink place="relative" className={classes["picker"]}>
        <select
          className={look({
            h: 34,
            fill: "surface",
            border: "strong",
            radius: "s",
            size: "s",
            weight: 500,
            leading: 100,
            tone: "ink",
            ellipsis: true,
          })}
          id={id}
          value={against === number - 1 ? "previous" : against}
          onChange={({ currentTarget: { value } }) =>
            onChoose(value === "previous" || value === "draft" ? value : Number(value))
          }
        >
          <option value="previous">
            {number === 1 ? "Nothing (it is the first)" : `Release ${number - 1}, before it`}
          </option>
          <option value="draft">The draft</option>
          {!isListed && <option value={against}>Release {against}</option>}
          {listed.map((other) => (
            <option key={other.number} value={other.number}>
              Release {other.number}
              {other.isCurrent ? " (live)" : ""}, {formatMoment(other.timestamp)}
            </option>
          ))}
        </select>
        <IconChevronDown className={look({ place: "absolute", tone: "ink-3" })} size={14} aria-hidden="true" />
      </Box>
    </Row>
  );
}

function RestoreButton({ project, onRestore }: { project: Project; onRestore: () => void }) {
  const { openActivation } = useProject();
  const hasPlan = hasActivePlan(project, useNow());
  const isLocked = !project.hasHistory;
  const offersPlan = (isLocked || !hasPlan) && may(project, "assign_credits");
  const lack = hasPlan ? NEEDS_PRO : NO_PLAN;
  const reason = !may(project, "publish")
    ? refusals.publish
    : (isLocked || !hasPlan) && !offersPlan
      ? `${lack} ${refusals.assign_credits}`
      : null;
  const hint = reason ?? (offersPlan ? lack : "Give apps this release again");
  const Icon = isLocked ? IconLock : IconArrowBackUp;
  return (
    <Tooltip label={hint}>
      <Button
        leftSection={<Icon size={15} stroke={1.7} aria-hidden="true" />}
        {...(reason === null ? {} : { "data-disabled": true, "aria-disabled": true })}
        {...(reason === null && !offersPlan ? {} : { "aria-description": hint })}
        onClick={() => {
          if (reason !== null) return;
          if (offersPlan) openActivation(...(hasPlan ? [{ tier: "pro" }] : []));
          else onRestore();
        }}
      >
        Restore this release
      </Button>
    </Tooltip>
  );
}

function DiscardAllButton({ project, onDiscard }: { project: Project; onDiscard: () => void }) {
  const reason = !may(project, "edit")
    ? refusals.edit
    : project.unpublished.total === 0
      ? "There are no unpublished changes."
      : null;
  return (
    <Tooltip label={reason ?? "Give the draft what apps have"}>
      <Button
        leftSection={<IconArrowBackUp size={15} stroke={1.7} aria-hidden="true" />}
        {...(reason === null ? {} : { "data-disabled": true, "aria-disabled": true, "aria-description": reason })}
        onClick={() => {
          if (reason === null) onDiscard();
        }}
      >
        Discard all unpublished changes
      </Button>
    </Tooltip>
  );
}
