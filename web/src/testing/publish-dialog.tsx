import { Presence } from "@/features/live/presence";
import { Discarding } from "@/features/publishing/discarding";
import { PublishButton } from "@/features/publishing/publish-button";
import type { Project } from "@/lib/api-types";
import { renderInProject } from "@/testing/component";
import { aDiff, languages } from "@/testing/fixtures";
import { change, DIFF, diff } from "@/testing/review";
import { answer, server } from "@/testing/server";

export function openProject(project: Partial<Project> = {}) {
  server.use(answer("get", "/api/languages", { languages }), answer("get", DIFF, diff));
  return renderInProject(
    (shown) => (
      <Discarding>
        <Presence projectId={shown.projectId} />
        <PublishButton project={shown} onNoPlan={() => {}} />
      </Discarding>
    ),
    { unpublished: { total: 3, screens: { home: 2 }, colors: 1, stores: 0 }, ...project },
    { at: "home" },
  );
}

export const other = aDiff({
  token: "token-2",
  total: 1,
  screens: [{ screen: "home", change: "changed", total: 1, keys: [change("cta_book", "Jetzt buchen", "Los geht’s")] }],
});

export const manyKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => change(`home_${index}`, "Alt", "Neu"));

export const long = aDiff({
  ...diff,
  total: 90,
  screens: [{ screen: "home", change: "changed", total: 90, keys: manyKeys(60) }],
  colors: [],
});
