/** What AI is to fill: which language from which, where, and whether texts that are there may be replaced. */
import { Button, Checkbox, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import toast from "react-hot-toast";
import { aiFailureOf } from "@/lib/ai";
import { messageOf } from "@/lib/api";
import type { Answer, Project } from "@/lib/api-types";
import { fillPreviewQuery, useStartFill } from "@/lib/jobs";
import { useLanguageNames } from "@/lib/languages";
import { useAttempt } from "@/lib/use-attempt";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Grid, Row, Stack, Text } from "@/ui/parts";
import { PseudoNote } from "@/ui/pseudo-note";
import classes from "./fill-form.module.css";

type Preview = Answer<"/api/translations/{projectId}/{tabName}/{lang}/auto-translate", "get">;

const texts = (count: number) => (count === 1 ? "1 text" : `${count.toLocaleString("en")} texts`);

export function FillForm({
  project,
  screen,
  target,
  onClose,
}: {
  project: Project;
  screen: string;
  target: string | undefined;
  onClose: () => void;
}) {
  const nameOf = useLanguageNames();
  const start = useStartFill(project);
  const attempt = useAttempt();
  const scopeName = useId();
  const [reference, setReference] = useState(project.defaultLanguage);
  const [wanted, setWanted] = useState(target);
  const [isEverywhere, setEverywhere] = useState(false);
  const [isOverwriting, setOverwriting] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const targets = project.languages.filter((code) => code !== reference);
  const language = wanted !== undefined && targets.includes(wanted) ? wanted : (targets[0] ?? "");
  const place = isEverywhere ? null : screen;
  const preview = useQuery(fillPreviewQuery(project.projectId, { screen: place, language, reference }));
  const found = preview.data;
  const replaced = found === undefined ? 0 : found.byPeople + found.byAi;
  const count = found === undefined ? 0 : found.missing + (isOverwriting ? replaced : 0);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (count === 0 || !attempt.begin()) return;
    setStarting(true);
    setError(null);
    try {
      const { message } = await start({ screen: place, language, reference, isOverwriting });
      toast.success(message);
      onClose();
    } catch (failure) {
      attempt.failed();
      setError(aiFailureOf(failure, "Auto-translation failed"));
    } finally {
      setStarting(false);
    }
  };
  const options = (codes: readonly string[]) => codes.map((code) => ({ value: code, label: nameOf(code).name }));
  const scope = (isAll: boolean, label: string) => (
    <label>
      <input
        type="radio"
        name={scopeName}
        checked={isEverywhere === isAll}
        onChange={() => {
          setEverywhere(isAll);
          setOverwriting(false);
        }}
      />
      {label}
    </label>
  );
  return (
    <Stack as="form" gap={16} aria-label="AI Fill Screen" onSubmit={(event) => void submit(event)}>
      <Grid gap={12} className={classes["languages"]}>
        <NativeSelect
          label="Translate into"
          data={options(targets)}
          value={language}
          data-autofocus
          onChange={(event) => {
            setWanted(event.currentTarget.value);
            setOverwriting(false);
          }}
        />
        <NativeSelect
          label="From"
          data={options(project.languages)}
          value={reference}
          onChange={(event) => {
            setReference(event.currentTarget.value);
            setOverwriting(false);
          }}
        />
      </Grid>
      <Stack as="fieldset" gap={4} shrink p={0} m={0} border="none" className={classes["scope"]}>
        <Text as="legend" p={0} mb={6} size="s" weight={500}>
          Where
        </Text>
        {scope(false, `This screen (${screen})`)}
        {scope(true, "All screens")}
      </Stack>
      {preview.isError ? (
        <Notice
          tone="bad"
          action={
            <Button size="xs" onClick={() => void preview.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(preview.error, "The texts could not be counted.")}
        </Notice>
      ) : (
        <Found
          preview={found}
          language={nameOf(language).name}
          isOverwriting={isOverwriting}
          onOverwriting={setOverwriting}
        />
      )}
      {found?.provider === "pseudo" && <PseudoNote className={look({ size: "xs", tone: "ink-3" })} />}
      {error !== null && <Notice tone="bad">{error}</Notice>}
      <Row wrap justify="end" gap={8}>
        <Button onClick={onClose} disabled={isStarting}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="filled"
          {...(isOverwriting ? { color: "red" } : {})}
          loading={isStarting}
          disabled={count === 0}
        >
          {submitText(found, count, isOverwriting)}
        </Button>
      </Row>
    </Stack>
  );
}

function submitText(found: Preview | undefined, count: number, isOverwriting: boolean): string {
  if (found === undefined) return "Fill";
  if (count === 0) return "Nothing to fill";
  return isOverwriting ? `Replace and fill ${texts(count)}` : `Fill ${texts(count)}`;
}

/** What is missing, and the choice to replace what is not, in the words of what is lost. */
function Found({
  preview,
  language,
  isOverwriting,
  onOverwriting,
}: {
  preview: Preview | undefined;
  language: string;
  isOverwriting: boolean;
  onOverwriting: (isOverwriting: boolean) => void;
}) {
  if (preview === undefined) return <p role="status">Counting texts…</p>;
  const { missing, byPeople, byAi } = preview;
  const lost = [
    ...(byPeople > 0 ? [`${texts(byPeople)} that people wrote`] : []),
    ...(byAi > 0 ? [`${texts(byAi)} that AI wrote`] : []),
  ].join(" and ");
  return (
    <>
      <p role="status">
        {missing === 0
          ? `Nothing is missing in ${language}.`
          : `${texts(missing)} ${missing === 1 ? "is" : "are"} missing in ${language}.`}{" "}
        {lost !== "" && !isOverwriting && "What is there stays."}
      </p>
      {lost !== "" && (
        <Checkbox
          label={`Replace ${lost}`}
          description="Their present wording leaves the draft. Apps keep it until you publish."
          checked={isOverwriting}
          onChange={(event) => onOverwriting(event.currentTarget.checked)}
        />
      )}
    </>
  );
}
