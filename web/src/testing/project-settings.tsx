/** Opens a project's settings, with answers to everything that the page reads. */
import { screen, within } from "@testing-library/react";
import { HttpResponse, http, type RequestHandler } from "msw";
import type { Answer, Project, User } from "@/lib/api-types";
import { aProject, aUser, languages, PROJECT_ID } from "./fixtures";
import { openSignedIn } from "./open";
import { answer, server } from "./server";

type Usage = Answer<"/api/projects/{projectId}/usage", "get">;
type Member = Project["members"][number];

export const ADMIN: Partial<Project> = {
  role: "admin",
  permissions: ["read", "edit", "publish", "manage", "assign_credits", "audit"],
  ownerId: "usr_noor",
};
export const EDITOR: Partial<Project> = {
  role: "editor",
  permissions: ["read", "edit", "publish"],
  projectSecret: null,
};
export const VIEWER: Partial<Project> = { role: "viewer", permissions: ["read"], projectSecret: null };

export function aMember(id: string, name: string, role: Member["role"], more: Partial<Member> = {}): Member {
  return {
    user: { _id: `usr_${id}`, name, email: `${id}@example.com` },
    role,
    status: "active",
    expiresAt: null,
    apiKeyLastUsedAt: null,
    inviteLink: null,
    ...more,
  };
}

export const PROJECT = `/api/projects/${PROJECT_ID}`;

/** The owner, who is signed in, and as many as there are seats. */
export const team = [
  aMember("1", "Demo Person", "owner"),
  aMember("noor", "Noor Aziz", "admin"),
  aMember("lin", "Lin Wei", "editor"),
];

const GB = 2 ** 30;

/** Thirty days up to Nov 20, 2026; on the last one 912 calls. */
export function aUsage(values: Partial<Usage> = {}): Usage {
  return {
    usageBytes: 0,
    limitBytes: 40 * GB,
    apiInteractions: 18_204,
    apiLimit: 75_000,
    bandwidthUsage: 94_371_840,
    bandwidthLimit: 15 * GB,
    periodStart: "2026-11-01T00:00:00.000Z",
    periodEnd: "2026-12-01T00:00:00.000Z",
    history: Array.from({ length: 30 }, (_, day) => ({
      day: new Date(Date.UTC(2026, 9, 22 + day)).toISOString().slice(0, 10),
      apiInteractions: day === 29 ? 912 : 0,
      bytes: day === 29 ? 4_718_592 : 0,
    })),
    ...values,
  };
}

/** Waits for the page; `answers` take the place of the usual answers. */
export async function openSettings(project: Partial<Project> = {}, me: User = aUser(), ...answers: RequestHandler[]) {
  const shown = aProject({ projectSecret: "lvs_1hT5cE0bXn2QwZ8rKf7UyVgLs4JpAo6DmC3iNeR9", ...project });
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, shown),
    answer("get", `/api/projects/${PROJECT_ID}/usage`, aUsage()),
    answer("get", `/api/projects/${PROJECT_ID}/members`, shown.members),
    answer("get", `/api/projects/${PROJECT_ID}/publishable-keys`, { keys: [] }),
    answer("get", `/api/projects/${PROJECT_ID}/tokens`, { tokens: [] }),
    answer("get", "/api/languages", { languages }),
    answer("get", "/api/plans", { creditPrice: "1 USDT", durations: [1], plans: [] }),
    answer("get", "/api/projects", []),
  );
  server.use(...answers);
  const opened = openSignedIn(`/projects/${PROJECT_ID}/settings`, me);
  await screen.findByRole("region", { name: "Danger zone" });
  const section = (name: string) => within(screen.getByRole("region", { name }));
  return { ...opened, section };
}

/** Answers writes of the project as the server does: a write with another revision than that of `current` is a conflict. Returns the bodies it gets. */
export function serveWrites(current: Project): unknown[] {
  const got: unknown[] = [];
  let now = current;
  server.use(
    http.put(`*/api/projects/${PROJECT_ID}`, async ({ request }) => {
      const { revision, ...changes } = (await request.json()) as Partial<Project>;
      got.push({ revision, ...changes });
      if (revision !== now.revision) {
        return HttpResponse.json(
          { message: "Somebody changed it.", code: "stale_revision", current: now, by: "Noor Aziz" },
          { status: 409 },
        );
      }
      now = { ...now, ...changes, revision: now.revision + 1 };
      server.use(answer("get", `/api/projects/${PROJECT_ID}`, now));
      return HttpResponse.json(now);
    }),
  );
  return got;
}
