/** Who is in a project, as its settings read and change it. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { keys } from "@/lib/queries";

export type Member = Answer<"/api/projects/{projectId}/members", "get">[number];

export function membersQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.project(projectId), "/api/projects/{projectId}/members"] as const,
    queryFn: ({ signal }) =>
      take(api.GET("/api/projects/{projectId}/members", { params: { path: { projectId } }, signal })),
    refetchOnWindowFocus: "always",
  });
}

/** Shows the answer of a change at once; seats and a pending transfer of the project may have changed with it. */
export function showMembers(queryClient: QueryClient, projectId: string, members: Member[]): void {
  queryClient.setQueryData(membersQuery(projectId).queryKey, members);
  void queryClient.invalidateQueries({ queryKey: keys.project(projectId), exact: true });
}

/** After a refusal: somebody else may have changed what it was about. */
export function readMembersAgain(queryClient: QueryClient, projectId: string): void {
  void queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey });
  void queryClient.invalidateQueries({ queryKey: keys.project(projectId), exact: true });
}

/** Until when an invitation can be accepted is over; it can be sent again. */
export const isExpired = ({ status, expiresAt }: Member, now: number) =>
  status === "invited" && expiresAt !== null && new Date(expiresAt).getTime() <= now;

/** Seats in use: the owner, the members, and the invitations that can still be accepted. */
export const seatsOf = (members: readonly Member[], now: number) =>
  members.filter((member) => !isExpired(member, now)).length;

/** The name of a member; of somebody who is invited there is but the email. */
export const nameOf = ({ user }: Member) => user.name || user.email;
