/** Whether AI translates a language that is added: nothing, the open screen, or all of them; with how many texts that are. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { NO_PLAN_FOR_AI } from "@/lib/ai";
import type { Project } from "@/lib/api-types";
import { fillPreviewQuery } from "@/lib/jobs";
import type { LanguageName } from "@/lib/languages";
import { hasActivePlan } from "@/lib/project";
import { useNow } from "@/lib/use-now";
import { PseudoNote } from "./pseudo-note";
import classes from "./translate-choice.module.css";

export type Scope = "nothing" | "screen" | "all";

const labels: Record<Scope, string> = { nothing: "Not now", screen: "This screen", all: "All screens" };

export function TranslateChoice({
  project,
  screen,
  language,
  value,
  onChange,
}: {
  project: Project;
  screen: string | undefined;
  language: LanguageName | undefined;
  value: Scope;
  onChange: (scope: Scope) => void;
}) {
  const name = useId();
  const isOff = !hasActivePlan(project, useNow());
  const scopes: Scope[] = screen === undefined ? ["nothing", "all"] : ["nothing", "screen", "all"];
  const preview = useQuery({
    ...fillPreviewQuery(project.projectId, {
      screen: value === "screen" ? (screen ?? null) : null,
      language: language?.code ?? "",
      reference: project.defaultLanguage,
    }),
    enabled: value !== "nothing" && language !== undefined,
  });
  const missing = preview.data?.missing;
  return (
    <>
      <fieldset className={classes["choice"]} disabled={isOff}>
        <legend>Translate with AI</legend>
        {scopes.map((scope) => (
          <label key={scope}>
            <input type="radio" name={name} checked={scope === value} onChange={() => onChange(scope)} />
            {labels[scope]}
          </label>
        ))}
      </fieldset>
      {isOff && <p className={classes["note"]}>{NO_PLAN_FOR_AI}</p>}
      {value !== "nothing" && missing !== undefined && language !== undefined && (
        <p className={classes["note"]} role="status">
          {missing === 0
            ? "There is no text to translate yet."
            : `${missing === 1 ? "1 text" : `${missing.toLocaleString("en")} texts`} will be translated into ${language.name}.`}
        </p>
      )}
      {value !== "nothing" && preview.data?.provider === "pseudo" && <PseudoNote className={classes["note"]} />}
    </>
  );
}
