/** Gives a member, or an invitation, another role. */
import { Button, Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { api, failureOf, isUnreachable, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { type GivenRole, withArticle } from "@/lib/roles";
import { useAttempt } from "@/lib/use-attempt";
import { Notice } from "@/ui/notice";
import { Row, Stack } from "@/ui/parts";
import { type Member, nameOf, readMembersAgain, showMembers } from "./members";
import { RoleChoice } from "./role-choice";

interface Props {
  project: Project;
  member: Member;
  isSelf: boolean;
  onClose: () => void;
}

export function EditRoleDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title={`Edit the role of ${nameOf(props.member)}`} size="md">
      <EditRole {...props} />
    </Modal>
  );
}

function EditRole({ project, member, isSelf, onClose }: Props) {
  const { projectId } = project;
  const queryClient = useQueryClient();
  const [role, setRole] = useState<GivenRole>(member.role === "owner" ? "admin" : member.role);
  const attempt = useAttempt();
  const change = useMutation({
    mutationFn: () =>
      take(
        api.PUT("/api/projects/{projectId}/members/{userId}", {
          params: { path: { projectId, userId: member.user._id } },
          body: { role },
        }),
      ),
    onSuccess: ({ members }) => {
      showMembers(queryClient, projectId, members);
      toast.success(`${nameOf(member)} is ${withArticle(role)} now.`);
      onClose();
    },
    onError: (error) => {
      attempt.failed();
      toast.error(failureOf(error, "Failed to update member role"), { id: "member-role" });
      if (!isUnreachable(error)) readMembersAgain(queryClient, projectId);
    },
  });
  const endsOffer = project.transfer?.to._id === member.user._id && role !== "admin";
  return (
    <Stack
      as="form"
      gap={16}
      grow
      shrink
      onSubmit={(event) => {
        event.preventDefault();
        if (role === member.role) onClose();
        else if (attempt.begin()) change.mutate();
      }}
    >
      <RoleChoice value={role} onChange={setRole} />
      {isSelf && role !== member.role && (
        <Notice tone="warn">This is your own role. Another admin or the owner has to give it back to you.</Notice>
      )}
      {endsOffer && <Notice tone="warn">The offer to take over the project ends with this: it needs an admin.</Notice>}
      <Row wrap justify="end" gap={8}>
        <Button onClick={onClose} disabled={change.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={change.isPending}>
          Save role
        </Button>
      </Row>
    </Stack>
  );
}
