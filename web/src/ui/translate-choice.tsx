/** Whether AI translates a language that is added: nothing, the open screen, or all of them; with how many texts that are. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { NO_PLAN_FOR_AI } from "@/lib/ai";
import type { Project } from "@/lib/api-types";
import { fillPreviewQuery } from "@/lib/jobs";
import type { LanguageName } from "@/lib/languages";
import { hasActivePlan } from "@/lib/project";
import { useNow } from "@/lib/use-now";
import { look } from "./look";
import { Row, Text } from "./parts";
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
      <Row
        as="fieldset"
        wrap
        shrink
        p={0}
        m={0}
        border="none"
        gap={2}
        gapX={18}
        className={classes["choice"]}
        disabled={isOff}
      >
        <Text as="legend" p={0} mb={4} size="s" weight={500}>
          Translate with AI
        </Text>
        {scopes.map((scope) => (
          <label className={look({ layout: "inline", align: "center", minH: 28, size: "s" })} key={scope}>
            <input type="radio" name={name} checked={scope === value} onChange={() => onChange(scope)} />
            {labels[scope]}
          </label>
        ))}
      </Row>
      {isOff && <p className={look({ size: "xs", tone: "ink-3" })}>{NO_PLAN_FOR_AI}</p>}
      {value !== "nothing" && missing !== undefined && language !== undefined && (
        <p className={look({ size: "xs", tone: "ink-3" })} role="status">
          {missing === 0
            ? "There is no text to translate yet."
            : `${missing === 1 ? "1 text" : `${missing.toLocaleString("en")} texts`} will be translated into ${language.name}.`}
        </p>
      )}
      {value !== "nothing" && preview.data?.provider === "pseudo" && (
        <PseudoNote className={look({ size: "xs", tone: "ink-3" })} />
      )}
    </>
  );
}
