/** The section of the members of a project. */
import { screen, within } from "@testing-library/react";
import { MembersSection } from "@/features/project-settings/members-section";
import type { Answer, Project, User } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { aProject, aUser, PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";

type Member = Answer<"/api/projects/{projectId}/members", "get">[number];

export const MEMBERS = `/api/projects/${PROJECT_ID}/members`;

export const PAST = "2020-01-01T00:00:00Z";

export const FUTURE = "2199-01-01T00:00:00Z";

export function aMember(id: string, name: string, role: Member["role"], more: Partial<Member> = {}): Member {
  const email = `${id}@example.com`;
  return {
    user: { _id: `usr_${id}`, name, email },
    role,
    status: "active",
    expiresAt: null,
    apiKeyLastUsedAt: null,
    inviteLink: null,
    ...more,
  };
}

export const invited = (id: string, expiresAt: string): Member => ({
  ...aMember(id, "", "viewer", { status: "invited", expiresAt }),
  user: { _id: `inv_${id}`, name: "", email: `${id}@example.com` },
});

export const owner = aMember("1", "Demo Person", "owner");

export const noor = aMember("noor", "Noor Aziz", "editor", { apiKeyLastUsedAt: PAST });

export const team = [owner, noor];

export async function openMembers(
  members: Member[] = team,
  project: Partial<Project> = {},
  me: User = aUser(),
  listed = answer("get", MEMBERS, members),
) {
  const shown = aProject({ seatsTaken: members.length, ...project });
  server.use(listed);
  const opened = renderInProject(<MembersSection />, shown, { at: "settings", me });
  const section = within(await screen.findByRole("region", { name: "Team members" }));
  const row = async (name: string) => within((await section.findByText(name)).closest("li") ?? document.body);
  return { ...opened, section, row };
}
