import { HttpResponse, http } from "msw";
import type { SearchResult } from "@/features/search/queries";
import type { Project } from "@/lib/api-types";
import { aKey, aProject, arabic, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { openSignedIn } from "@/testing/open";
import { answer, server } from "@/testing/server";

/** Opens a project whose search gives what `find` gives for the query; returns what was asked. */
export function openProject(
  find: (query: string) => SearchResult[] = () => [],
  project: Partial<Project> = {},
  path = "/general",
) {
  const asked: string[] = [];
  server.use(
    answer("get", `/api/projects/${PROJECT_ID}`, aProject({ languages: ["en", "de", "ar"], ...project })),
    answer("get", "/api/languages", { languages: [...languages, arabic] }),
    http.get(`*/api/translations/${PROJECT_ID}/:screen`, ({ params, request }) => {
      if (params["screen"] !== "search") {
        return HttpResponse.json(aScreen([aKey("title", { en: "Hello", de: "Hallo", ar: "مرحبا" })]));
      }
      const query = new URL(request.url).searchParams.get("q") ?? "";
      asked.push(query);
      return HttpResponse.json({ results: find(query) });
    }),
  );
  return { ...openSignedIn(`/projects/${PROJECT_ID}${path}`), asked };
}
