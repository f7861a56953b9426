/** Who is in a project, as its settings read and change it. */
import type { QueryClient } from "@tanstack/react-query";
import type { Answer } from "@/lib/api-types";
import { apiQuery, invalidate, keep } from "@/lib/query";

const MEMBERS = "/api/projects/{projectId}/members";

export type Member = Answer<typeof MEMBERS, "get">[number];

export const membersQuery = (projectId: string) =>
  apiQuery(MEMBERS, { path: { projectId } }, { refetchOnWindowFocus: "always" });

/** Shows the answer of a change at once; seats and a pending transfer of the project may have changed with it. */
export function showMembers(queryClient: QueryClient, projectId: string, members: Member[]): void {
  const params = { path: { projectId } };
  keep(queryClient, MEMBERS, params, members);
  void invalidate(queryClient, "/api/projects/{projectId}", params);
}

/** After a refusal: somebody else may have changed what it was about. */
export function readMembersAgain(queryClient: QueryClient, projectId: string): void {
  const params = { path: { projectId } };
  void invalidate(queryClient, MEMBERS, params);
  void invalidate(queryClient, "/api/projects/{projectId}", params);
}

/** Until when an invitation can be accepted is over; it can be sent again. */
export const isExpired = ({ status, expiresAt }: Member, now: number) =>
  status === "invited" && expiresAt !== null && new Date(expiresAt).getTime() <= now;

/** Seats in use: the owner, the members, and the invitations that can still be accepted. */
export const seatsOf = (members: readonly Member[], now: number) =>
  members.filter((member) => !isExpired(member, now)).length;

/** The name of a member; of somebody who is invited there is but the email. */
export const nameOf = ({ user }: Member) => user.name || user.email;
