/** What AI proposes for one text: asked for, refused, or there to be looked at. Nothing is stored by it. */
import { useEffect, useRef, useState } from "react";
import { aiFailureOf } from "@/lib/ai";
import { api, take } from "@/lib/api";

export type Kind = "rephrase" | "translate";

export type Proposal =
  | { phase: "asking"; kind: Kind }
  | { phase: "failed"; kind: Kind; message: string }
  | { phase: "ready"; kind: Kind; text: string; isPseudo: boolean }
  /** Put into a cell that had no text. */
  | { phase: "used"; kind: Kind; isPseudo: boolean };

export interface Question {
  projectId: string;
  screen: string;
  text: string;
  language: string;
  /** The language of `text` when it is to be translated. */
  source: string;
}

const NOTHING: Record<Kind, string> = {
  rephrase: "There is no text to rephrase.",
  translate: "There is no text to translate.",
};

const FAILED: Record<Kind, string> = {
  rephrase: "Failed to rephrase text",
  translate: "Failed to auto-translate key",
};

async function ask(kind: Kind, { projectId, screen, text, language, source }: Question, signal: AbortSignal) {
  if (kind === "rephrase") {
    const answer = await take(api.POST("/api/translations/rephrase", { body: { text, language, projectId }, signal }));
    return { text: answer.rephrasedText, isPseudo: answer.provider === "pseudo" };
  }
  const body = { text, sourceLang: source, language, projectId, tabName: screen };
  const answer = await take(api.POST("/api/translations/translate", { body, signal }));
  return { text: answer.translatedText, isPseudo: answer.provider === "pseudo" };
}

/** `onReady` may take the text at once: it returns whether it did. */
export function useProposal(onReady: (text: string) => boolean) {
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const underWay = useRef<AbortController | null>(null);
  const latest = useRef(onReady);
  latest.current = onReady;
  useEffect(() => () => underWay.current?.abort(), []);

  const close = () => {
    underWay.current?.abort();
    setProposal(null);
  };
  const refuse = (kind: Kind, message: string) => {
    underWay.current?.abort();
    setProposal({ phase: "failed", kind, message });
  };
  const start = async (kind: Kind, question: Question) => {
    if (question.text.trim() === "") return refuse(kind, NOTHING[kind]);
    underWay.current?.abort();
    const mine = new AbortController();
    underWay.current = mine;
    setProposal({ phase: "asking", kind });
    try {
      const { text, isPseudo } = await ask(kind, question, mine.signal);
      if (mine.signal.aborted) return;
      const isUsed = latest.current(text);
      setProposal(isUsed ? { phase: "used", kind, isPseudo } : { phase: "ready", kind, text, isPseudo });
    } catch (error) {
      // A call that was given up is nobody's any more.
      if (!mine.signal.aborted) setProposal({ phase: "failed", kind, message: aiFailureOf(error, FAILED[kind]) });
    }
  };
  return { proposal, start, refuse, close };
}
