/** Takes a member out of the project, or an invitation back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import toast from "react-hot-toast";
import { api, failureOf, isUnreachable, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconUserMinus } from "@/ui/icons";
import { Stack } from "@/ui/parts";
import { RelativeTime } from "@/ui/relative-time";
import { type Member, nameOf, readMembersAgain, showMembers } from "./members";

export function RemoveMemberDialog({
  project,
  member,
  opened,
  onClose,
}: {
  project: Project;
  member: Member;
  opened: boolean;
  onClose: () => void;
}) {
  const { projectId } = project;
  const queryClient = useQueryClient();
  const isInvited = member.status === "invited";
  const remove = useMutation({
    mutationFn: () =>
      take(
        api.DELETE("/api/projects/{projectId}/members/{userId}", {
          params: { path: { projectId, userId: member.user._id } },
        }),
      ),
    onSuccess: ({ members }) => {
      showMembers(queryClient, projectId, members);
      toast.success(isInvited ? "The invitation was withdrawn." : `${nameOf(member)} was removed.`);
      onClose();
    },
    onError: (error) => {
      toast.error(failureOf(error, isInvited ? "Failed to withdraw the invitation" : "Failed to remove member"), {
        id: "member-removal",
      });
      if (isUnreachable(error)) return;
      readMembersAgain(queryClient, projectId);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={isInvited ? `Withdraw the invitation of ${member.user.email}?` : `Remove ${nameOf(member)}?`}
      confirmText={isInvited ? "Withdraw invitation" : "Remove member"}
      tone="danger"
      icon={IconUserMinus}
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isInvited ? (
        "The link in the mail stops working, and the seat is free again."
      ) : (
        <Loss project={project} member={member} />
      )}
    </ConfirmDialog>
  );
}

function Loss({ project, member }: { project: Project; member: Member }): ReactNode {
  return (
    <Stack gap={8}>
      <p>
        {member.user.name} ({member.user.email}) can't open {project.name} any more, from the next click on. What they
        did stays.
      </p>
      <p>
        {member.apiKeyLastUsedAt === null ? (
          "Their developer API keys were never used."
        ) : (
          <>
            Their developer API keys were last used <RelativeTime moment={member.apiKeyLastUsedAt} />: apps and tools
            that use them get nothing from this project any more.
          </>
        )}
      </p>
      {project.transfer?.to._id === member.user._id && <p>The offer to take over the project ends with this.</p>}
    </Stack>
  );
}
