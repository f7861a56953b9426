/** Who works in the project: the seats, the people with their roles, and those who are invited. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import toast from "react-hot-toast";
import { ApiError, messageOf } from "@/lib/api";
import type { Answer, Project } from "@/lib/api-types";
import { hasActivePlan, isLargestPlan, may, useProject } from "@/lib/project";
import { plansQuery, useMe } from "@/lib/queries";
import { useNow } from "@/lib/use-now";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Panel } from "@/ui/page";
import { Grid, Row, Text } from "@/ui/parts";
import rows from "@/ui/rows.module.css";
import { ErrorState, LoadingRows } from "@/ui/states";
import { InviteDialog } from "./invite-dialog";
import { MemberRow } from "./member-row";
import { membersQuery, seatsOf } from "./members";
import classes from "./members.module.css";

const FAILED = "Failed to fetch project members";
const NO_PLAN = "Activate a plan for this project to manage members.";
const UPGRADE = "Upgrade the plan to invite more people.";
const FREE_A_SEAT = "It is the largest plan: remove a member or withdraw an invitation first.";
const SEATS_TAKEN = "You've reached the user seat limit for your current tier";
const UNLIMITED = -1;

type Plan = Answer<"/api/plans", "get">["plans"][number];

export function MembersSection() {
  const { project, openActivation } = useProject();
  const { data: user } = useMe();
  const now = useNow();
  const { data: members, error, isError, refetch } = useQuery(membersQuery(project.projectId));
  useEffect(() => {
    // A person who is no longer in the project is led out of it, and gets the message there.
    const isGone = error instanceof ApiError && error.status === 404;
    if (error !== null && !isGone) toast.error(messageOf(error, FAILED), { id: "project-members" });
  }, [error]);
  const taken = members === undefined ? project.seatsTaken : seatsOf(members, now);
  const refusal = refusalOf(project, taken, now);
  const { data: offer } = useQuery({ ...plansQuery, enabled: refusal === "seats" });
  const next = refusal === "seats" ? roomierPlan(project, offer?.plans ?? []) : undefined;
  return (
    <Panel title="Team members" aside={<Seats taken={taken} limit={project.limits.seats} />}>
      <Invitations
        project={project}
        refusal={refusal}
        onGrow={() => openActivation(next === undefined ? undefined : { tier: next.id })}
      />
      {members !== undefined ? (
        <section
          className={look({ lineAbove: true, scroll: true }, classes["scroll"])}
          aria-label="Members"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, which the keyboard can do only from inside.
          tabIndex={0}
        >
          <Grid as="ul">
            {members.map((member) => (
              <MemberRow
                key={member.user._id}
                project={project}
                member={member}
                isSelf={member.user._id === user?._id}
                resendRefusal={(isExpired) =>
                  refusal === "plan" ? NO_PLAN : isExpired && refusal ? SEATS_TAKEN : null
                }
              />
            ))}
          </Grid>
        </section>
      ) : isError ? (
        <ErrorState message={messageOf(error, FAILED)} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={3} height={60} label="Loading members" />
      )}
    </Panel>
  );
}

/** Why nobody can be invited now. */
type Refusal = "plan" | "seats" | null;

function refusalOf(project: Project, taken: number, now: number): Refusal {
  const { seats } = project.limits;
  if (!hasActivePlan(project, now)) return "plan";
  return seats !== UNLIMITED && taken >= seats ? "seats" : null;
}

/** The cheapest plan with more seats than the project has. */
function roomierPlan({ limits: { seats } }: Project, plans: readonly Plan[]): Plan | undefined {
  return plans
    .filter(({ limits }) => limits.seats === UNLIMITED || limits.seats > seats)
    .sort((a, b) => a.monthlyCreditCost - b.monthlyCreditCost)[0];
}

function Seats({ taken, limit }: { taken: number; limit: number }) {
  const seats = (count: number) => (count === 1 ? "seat" : "seats");
  return (
    <Text as="span" size="s" tone="ink-2" num className={rows["note"]}>
      {limit === UNLIMITED ? `${taken} ${seats(taken)} taken` : `${taken} / ${limit} ${seats(limit)} taken`}
    </Text>
  );
}

/** The way to invite people, or why the person can't invite anybody. */
function Invitations({ project, refusal, onGrow }: { project: Project; refusal: Refusal; onGrow: () => void }) {
  const [isInviting, setInviting] = useState(false);
  if (!may(project, "manage")) {
    return (
      <Row
        as="p"
        wrap
        align="center"
        justify="between"
        gap={8}
        gapX={16}
        px={16}
        py={12}
        size="s"
        tone="ink-2"
        className={`${classes["invite"]} ${rows["note"]}`}
      >
        Only admins and the owner can manage members.
      </Row>
    );
  }
  if (refusal === null) {
    return (
      <Row wrap align="center" justify="between" gap={8} gapX={16} px={16} py={12} className={classes["invite"]}>
        <Text size="s" tone="ink-2" className={rows["note"]}>
          Invite people by email. Each takes a seat, from the invitation on.
        </Text>
        <Button size="xs" onClick={() => setInviting(true)}>
          Invite member
        </Button>
        <InviteDialog project={project} opened={isInviting} onClose={() => setInviting(false)} />
      </Row>
    );
  }
  const canGrow = refusal === "plan" || !isLargestPlan(project);
  const button = (
    <Button size="xs" onClick={onGrow}>
      {refusal === "plan" ? "Activate a plan" : "Upgrade"}
    </Button>
  );
  return (
    <Row wrap align="center" justify="between" gap={8} gapX={16} px={16} py={12} className={classes["invite"]}>
      <Notice tone="plain" action={canGrow && may(project, "assign_credits") ? button : undefined}>
        {refusal === "plan" ? NO_PLAN : `${SEATS_TAKEN}. ${canGrow ? UPGRADE : FREE_A_SEAT}`}
      </Notice>
    </Row>
  );
}
