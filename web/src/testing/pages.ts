import { aProjectSummary, aScreen, languages, PROJECT_ID } from "@/testing/fixtures";
import { answer, server } from "@/testing/server";

/** Before each test: the answers that the pages ask for. */
export function answerPages() {
  server.use(
    answer("get", "/api/projects", [aProjectSummary()]),
    answer("get", "/api/activity", []),
    answer("get", "/api/languages", { languages }),
    answer("get", "/api/user/apikey", { apikey: "lvk_1" }),
    answer("get", "/api/user/apikeys", { apikeys: [] }),
    answer("get", "/api/user/sessions", { sessions: [] }),
    answer("get", `/api/translations/${PROJECT_ID}/:screen`, aScreen([])),
  );
}
