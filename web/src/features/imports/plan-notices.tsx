/** What a plan shows beside its rows: languages and screens that the project lacks, and what the files leave out. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, failureOf, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { counted, listed } from "@/lib/counted";
import { useLanguageNames } from "@/lib/languages";
import { keepProject } from "@/lib/project";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Stack, Text } from "@/ui/parts";
import type { Plan } from "./queries";

const SHOWN_REMARKS = 100;
/** So few need no click. */
const OPEN_REMARKS = 3;
const SHOWN_SCREENS = 8;

export function PlanNotices({
  project,
  plan,
  newScreens,
  fileName,
}: {
  project: Project;
  plan: Plan;
  /** Those of the ticked rows. */
  newScreens: readonly string[];
  fileName: (file: number) => string;
}) {
  const { unknownLanguages, counts, remarks } = plan;
  if (unknownLanguages.length + newScreens.length + counts.conflict + remarks.length === 0) return null;
  return (
    <Stack gap={8} px={16} pb={14}>
      {unknownLanguages.map((code) => (
        <UnknownLanguage
          key={code}
          project={project}
          code={code}
          texts={plan.rows.filter((row) => row.problem === "unknown_language" && row.language === code).length}
        />
      ))}
      {counts.conflict > 0 && (
        <Notice tone="warn">
          {counts.conflict === 1
            ? "1 conflict would overwrite what somebody wrote in the draft. Tick it to take what the file has."
            : `${counted(counts.conflict, "conflict")} would overwrite what people wrote in the draft. Tick those where you want what the file has.`}
        </Notice>
      )}
      {newScreens.length > 0 && (
        <Text size="s" tone="ink-2">
          Makes the {newScreens.length === 1 ? "screen" : "screens"} {screensIn(newScreens)}.
        </Text>
      )}
      {remarks.length > 0 && (
        <details className={look({ size: "s", tone: "ink-2" })} open={remarks.length <= OPEN_REMARKS}>
          <summary>{counted(remarks.length, "remark")} about what the files have and Livery does not keep</summary>
          <ul className={look({ bullets: true, pt: 6 })}>
            {remarks.slice(0, SHOWN_REMARKS).map((remark) => (
              <li key={`${remark.file} ${remark.place} ${remark.name} ${remark.sentence}`}>
                {[fileName(remark.file), remark.place, remark.name].filter((part) => part !== "").join(", ")}:{" "}
                {remark.sentence}
              </li>
            ))}
            {remarks.length > SHOWN_REMARKS && (
              <li>and {(remarks.length - SHOWN_REMARKS).toLocaleString("en")} more</li>
            )}
          </ul>
        </details>
      )}
    </Stack>
  );
}

function screensIn(screens: readonly string[]): string {
  const more = screens.length - SHOWN_SCREENS;
  return listed(more > 1 ? [...screens.slice(0, SHOWN_SCREENS), `${more} more`] : screens);
}

/** Offers to add the language. The plan is read again with the languages of the project. */
function UnknownLanguage({ project, code, texts }: { project: Project; code: string; texts: number }) {
  const { name } = useLanguageNames()(code);
  // The values of items in a language that the project lacks are in no row.
  const lost = texts === 0 ? "values of its items" : counted(texts, "text");
  const { projectId } = project;
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/projects/{projectId}/languages", { params: { path: { projectId } }, body: { language: code } }),
      ),
    onSuccess: (changed) => keepProject(client, projectId, changed),
  });
  return (
    <Notice
      tone={add.isError ? "bad" : "warn"}
      action={
        <Button size="xs" loading={add.isPending} onClick={() => add.mutate()}>
          Add {name}
        </Button>
      }
    >
      {add.isError
        ? failureOf(add.error, `Failed to add ${name}.`)
        : `This project has no ${name}. Without it ${lost} can't be imported.`}
    </Notice>
  );
}
