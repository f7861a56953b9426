/** Under the row that adds keys: the quiet offer to translate what was added, how far it is, and what could not be translated. */
import { Button, Loader } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { aiFailureOf } from "@/lib/ai";
import { ApiError, api, take } from "@/lib/api";
import type { Answer, Project } from "@/lib/api-types";
import { noteFilled, useStartFill } from "@/lib/jobs";
import { useLanguageNames } from "@/lib/languages";
import { trackWrite, writesSettled } from "@/lib/project";
import type { KeyRecord } from "@/lib/queries";
import { look } from "@/ui/look";
import { Box, Row } from "@/ui/parts";
import { PseudoNote } from "@/ui/pseudo-note";
import { Shortcut } from "@/ui/shortcut";
import classes from "./key-offer.module.css";

type Translated = Answer<"/api/translations/{projectId}/{tabName}/translate-key", "post">;

type State =
  | { phase: "offered" }
  | { phase: "asking" }
  | { phase: "started"; message: string }
  | { phase: "translated"; answer: Translated }
  | { phase: "failed"; message: string };

export interface OfferHandle {
  accept: () => void;
}

export function KeyOffer({
  project,
  screen,
  keys,
  language,
  isAsked,
  onTranslated,
  onAccept,
  onClose,
  handle,
}: {
  project: Project;
  screen: string;
  /** What to translate: the names and texts of new keys, or one key that somebody wants translated. */
  keys: readonly { name: string; text: string }[];
  /** The language of these texts. */
  language: string;
  /** It was asked for already: there is nothing to offer. */
  isAsked: boolean;
  onTranslated: (record: KeyRecord) => void;
  onAccept: () => void;
  onClose: () => void;
  handle: Ref<OfferHandle>;
}) {
  const nameOf = useLanguageNames();
  const [state, setState] = useState<State>({ phase: "offered" });
  const translate = useTranslate(project, screen, language, keys);
  const others = project.languages.filter((code) => code !== language);
  const into = others.length === 1 ? nameOf(others[0] ?? "").name : `${others.length} languages`;
  const [first] = keys;
  const subject = keys.length === 1 ? first?.name : `${keys.length.toLocaleString("en")} keys`;

  const run = async () => {
    setState({ phase: "asking" });
    const next = await translate();
    if (next.phase === "translated") onTranslated(next.answer.updatedKey);
    setState(next);
  };
  const accept = () => {
    if (state.phase === "asking") return;
    onAccept();
    void run();
  };
  useImperativeHandle(handle, () => ({ accept }));
  const wasAsked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for is done once.
  useEffect(() => {
    if (!isAsked || wasAsked.current) return;
    wasAsked.current = true;
    void run();
  }, []);

  const close = (word: string) => (
    <Button size="xs" variant="subtle" onClick={onClose}>
      {word}
    </Button>
  );
  if (state.phase === "offered") {
    if (isAsked) return null;
    return (
      <Bar>
        <span role="status">
          {keys.length === 1 ? (
            <>
              <code className="mono">{subject}</code> is only in {nameOf(language).name}.
            </>
          ) : (
            `${subject} were added, only in ${nameOf(language).name}. Translating fills what is missing on this screen.`
          )}
        </span>
        <Button size="xs" aria-keyshortcuts="Alt+T" onClick={accept}>
          Translate into {into}
          <Shortcut alt keys="T" />
        </Button>
        {close("Not now")}
      </Bar>
    );
  }
  return (
    <Bar>
      {state.phase === "asking" && (
        <>
          <Loader size={14} aria-hidden="true" />
          <span role="status">
            Translating {subject} into {into}…
          </span>
        </>
      )}
      {state.phase === "started" && (
        <>
          <span role="status">{state.message}</span>
          {close("Close")}
        </>
      )}
      {state.phase === "failed" && (
        <>
          <span role="alert" className={classes["failure"]}>
            {state.message}
          </span>
          <Button size="xs" onClick={accept}>
            Try again
          </Button>
          {close("Close")}
        </>
      )}
      {state.phase === "translated" && (
        <>
          <Outcome
            answer={state.answer}
            name={subject ?? ""}
            source={language}
            others={others}
            nameOf={(code) => nameOf(code).name}
          />
          {state.answer.failed.length > 0 && (
            <Button size="xs" onClick={accept}>
              Try again
            </Button>
          )}
          {close("Close")}
        </>
      )}
    </Bar>
  );
}

function Bar({ children }: { children: ReactNode }) {
  return (
    <Row
      as="section"
      wrap
      align="center"
      gap={6}
      gapX={10}
      px={14}
      py={8}
      lineAbove
      size="s"
      tone="ink-2"
      smallPx={16}
      className={classes["offer"]}
      aria-label="Translation of new keys"
    >
      {children}
    </Row>
  );
}

const list = new Intl.ListFormat("en", { type: "conjunction" });

function Outcome({
  answer,
  name,
  source,
  others,
  nameOf,
}: {
  answer: Translated;
  name: string;
  source: string;
  others: readonly string[];
  nameOf: (code: string) => string;
}) {
  const { failed, provider, updatedKey } = answer;
  const count = others.length;
  const done = count - failed.length;
  // What a person wrote before the text was changed stays as it was.
  const writtenAt = (code: string) => Date.parse(updatedKey.meta[code]?.at ?? "");
  const kept = others.filter(
    (code) =>
      Boolean(updatedKey.values[code]) && updatedKey.meta[code]?.by === "person" && writtenAt(code) < writtenAt(source),
  );
  return (
    <>
      <span role="status">
        {failed.length === 0 ? (
          <>
            <code className="mono">{name}</code> is in all languages now.
          </>
        ) : (
          <>
            <code className="mono">{name}</code> is in {done} of {count} other languages now. Not translated:
          </>
        )}
        {kept.length > 0 &&
          ` ${list.format(kept.map(nameOf))} ${kept.length === 1 ? "keeps" : "keep"} what a person wrote before this text was changed.`}
      </span>
      {failed.length > 0 && (
        <Box as="ul" scroll maxH={140} className={classes["failures"]}>
          {failed.map(({ language, reason }) => (
            <li key={language}>
              {nameOf(language)}: {reason}
            </li>
          ))}
        </Box>
      )}
      {provider === "pseudo" && <PseudoNote className={look({ size: "xs", tone: "ink-3" }, classes["note"])} />}
    </>
  );
}

/** One key is translated at once, of many the screen's languages are filled by jobs. Never throws. */
function useTranslate(
  project: Project,
  screen: string,
  language: string,
  keys: readonly { name: string; text: string }[],
): () => Promise<State> {
  const client = useQueryClient();
  const startFill = useStartFill(project);
  const { projectId } = project;
  const [first] = keys;

  const one = async (name: string, text: string): Promise<State> => {
    // A text that is still on its way to the server is not the key's yet.
    await writesSettled(projectId);
    try {
      return await translateOne(name, text);
    } catch (error) {
      // The text was edited since the key was added: other languages need the present text.
      const present = error instanceof ApiError ? presentText(error, language) : "";
      if (present === "") throw error;
      return translateOne(name, present);
    }
  };
  const translateOne = async (name: string, text: string): Promise<State> => {
    const call = take(
      api.POST("/api/translations/{projectId}/{tabName}/translate-key", {
        params: { path: { projectId, tabName: screen } },
        body: { key: name, value: text, sourceLang: language },
      }),
    );
    const answer = await trackWrite(projectId, call);
    noteFilled(client, projectId);
    return { phase: "translated", answer };
  };
  const many = async (): Promise<State> => {
    const messages: string[] = [];
    for (const target of project.languages) {
      if (target === language) continue;
      const fill = { screen, language: target, reference: language, isOverwriting: false };
      messages.push((await startFill(fill)).message);
    }
    return { phase: "started", message: messages.join(" ") };
  };
  return async () => {
    try {
      return keys.length === 1 && first !== undefined ? await one(first.name, first.text) : await many();
    } catch (error) {
      const fallback = keys.length === 1 ? "Failed to auto-translate key" : "Auto-translation failed";
      return { phase: "failed", message: aiFailureOf(error, fallback) };
    }
  };
}

/** The text that a refusal for a stale one carries. */
function presentText({ code, body }: ApiError, language: string): string {
  if (code !== "stale_revision") return "";
  const { values } = (body as { current?: KeyRecord }).current ?? {};
  return values?.[language] ?? "";
}
