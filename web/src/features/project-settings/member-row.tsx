/** One person of the project, or one invitation, with what can be done about it. */
import { Button, Tooltip } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { Link } from "react-router";
import { api, failureOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { may } from "@/lib/project";
import { capitalised } from "@/lib/text";
import { formatDay } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { Badge } from "@/ui/badge";
import { copyText } from "@/ui/copy-button";
import { later } from "@/ui/later";
import { Box, Grid, Row, Text } from "@/ui/parts";
import rows from "@/ui/rows.module.css";
import { isExpired, type Member, nameOf, readMembersAgain } from "./members";
import classes from "./members.module.css";

const roleDialog = later(async () => (await import("./edit-role-dialog")).EditRoleDialog, null);
const removalDialog = later(async () => (await import("./remove-member-dialog")).RemoveMemberDialog, null);

interface Props {
  project: Project;
  member: Member;
  isSelf: boolean;
  /** Why no mail can be sent now, or null. */
  resendRefusal: (isExpired: boolean) => string | null;
}

export function MemberRow(props: Props) {
  const { project, member, isSelf } = props;
  const now = useNow();
  const isInvited = member.status === "invited";
  return (
    <Grid as="li" align="center" whole px={16} py={8} minH={60} className={classes["row"]}>
      <Box shrink breaks>
        <Row as="p" wrap align="center" gap={2} gapX={8} weight={500}>
          {nameOf(member)} {isSelf && <Badge>You</Badge>}
          {isInvited && (isExpired(member, now) ? <Badge tone="warn">Expired</Badge> : <Badge>Pending</Badge>)}
        </Row>
        <Text size="s" tone="ink-2" className={rows["note"]}>
          {member.expiresAt === null
            ? member.user.email
            : `${isExpired(member, now) ? "The link ended" : "The link works until"} ${formatDay(member.expiresAt)}.`}
        </Text>
      </Box>
      <Text as="span" size="s" tone="ink-2">
        {capitalised(member.role)}
      </Text>
      <Row justify="end" className={classes["actions"]}>
        {member.role !== "owner" && (may(project, "manage") ? <Managed {...props} /> : isSelf && <Leave />)}
      </Row>
    </Grid>
  );
}

function Managed(props: Props) {
  const { project, member, isSelf } = props;
  const [open, setOpen] = useState<"role" | "removal" | null>(null);
  const close = () => setOpen(null);
  const name = nameOf(member);
  const removal = member.status === "invited" ? "Withdraw" : "Remove";
  return (
    <>
      {member.inviteLink !== null && (
        <Button
          variant="subtle"
          size="xs"
          aria-label={`Copy invite link of ${name}`}
          onClick={() => void copyText(member.inviteLink ?? "", "Invite link copied!")}
        >
          Copy invite link
        </Button>
      )}
      {member.status === "invited" && <Resend {...props} />}
      <Button variant="subtle" size="xs" aria-label={`Edit the role of ${name}`} onClick={() => setOpen("role")}>
        Edit
      </Button>
      {isSelf ? (
        <Leave />
      ) : (
        <Button
          variant="subtle"
          size="xs"
          color="red"
          aria-label={`${removal} ${name}`}
          onClick={() => setOpen("removal")}
        >
          {removal}
        </Button>
      )}
      <roleDialog.Part project={project} member={member} isSelf={isSelf} opened={open === "role"} onClose={close} />
      <removalDialog.Part project={project} member={member} opened={open === "removal"} onClose={close} />
    </>
  );
}

/** Leaving is at the end of the page, with what it costs. */
function Leave() {
  return (
    <Button component={Link} to="#danger" variant="subtle" size="xs">
      Leave
    </Button>
  );
}

function Resend({ project, member, resendRefusal }: Props) {
  const { projectId } = project;
  const queryClient = useQueryClient();
  const refusal = resendRefusal(isExpired(member, useNow()));
  const resend = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/projects/{projectId}/members/{userId}/resend", {
          params: { path: { projectId, userId: member.user._id } },
        }),
      ),
    onSuccess: ({ message }) => toast.success(message || "The invitation is on its way again."),
    onError: (error) => toast.error(failureOf(error, "Failed to send the invitation again"), { id: "member-resend" }),
    onSettled: () => readMembersAgain(queryClient, projectId),
  });
  return (
    <Tooltip label={refusal} disabled={refusal === null}>
      <Button
        variant="subtle"
        size="xs"
        aria-label={`Resend the invitation of ${member.user.email}`}
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null || undefined}
        loading={resend.isPending}
        onClick={() => {
          if (refusal === null) resend.mutate();
        }}
      >
        Resend
      </Button>
    </Tooltip>
  );
}
