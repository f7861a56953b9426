/** A screen of a project whose stream and whose texts a test holds. */
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect } from "vitest";
import type { Project } from "@/lib/api-types";
import { aKey, aProject, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, eventStream, server } from "@/testing/server";

export const KEYS = `/api/translations/${PROJECT_ID}/home`;

export const EVENTS = `*/api/projects/${PROJECT_ID}/events`;

export const jonas = { _id: "usr_jonas", name: "Jonas Weber" };

export const keyAt = (text: string, revision: number) => aKey("cta_book", { en: "Book now", de: text }, { revision });

export const changeOf = (revision: number | null, by = jonas) => ({ by, screens: { home: { cta_book: revision } } });

/** The screen `home` with one key, and a server whose text and stream the test holds. */
export async function openHome(project: Partial<Project> = {}) {
  const stream = eventStream();
  const state = {
    record: keyAt("Buchen", 1),
    reads: 0,
    projectReads: 0,
    lastIds: [] as (string | null)[],
  };
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject(project), {
      onCall: () => {
        state.projectReads += 1;
      },
    }),
    answer("get", "/api/languages", { languages }),
    http.get(`*${KEYS}`, () => {
      state.reads += 1;
      return HttpResponse.json(aScreen([state.record]));
    }),
    http.get(
      EVENTS,
      ({ request }) => {
        state.lastIds.push(request.headers.get("Last-Event-ID"));
        return stream.response;
      },
      { once: true },
    ),
  );
  const opened = openSignedIn(`/projects/${PROJECT_ID}/home`);
  await screen.findByRole("gridcell", { name: "cta_book, German: Buchen" });
  await waitFor(() => expect(state.lastIds).toHaveLength(1));
  return { ...opened, stream, state };
}
