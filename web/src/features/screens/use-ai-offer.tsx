/** Which keys of a screen AI is offered for, or was asked to translate, and what its cells need to ask. */
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { NO_PLAN_FOR_AI } from "@/lib/ai";
import type { Project } from "@/lib/api-types";
import { hasActivePlan } from "@/lib/project";
import { useNow } from "@/lib/use-now";
import type { AiParts, CellAi, OfferHandle } from "./ai-parts";
import { type KeyRecord, putRecord } from "./queries";

interface Offer {
  /** The number of the offer. An offer with a new number starts from the beginning. */
  round: number;
  keys: readonly { name: string; text: string }[];
  isAsked: boolean;
  /** The offer was accepted: keys that are added now make a new offer. */
  isTaken: boolean;
}

export function useAiOffer({
  ai,
  screen,
  onFocusReturn,
}: {
  ai: { parts: AiParts; project: Project } | null;
  screen: string;
  onFocusReturn: () => void;
}) {
  const client = useQueryClient();
  const [offer, setOffer] = useState<Offer | null>(null);
  const handle = useRef<OfferHandle>(null);
  const now = useNow();
  const reason = ai === null || hasActivePlan(ai.project, now) ? null : NO_PLAN_FOR_AI;
  const isMultilingual = ai !== null && ai.project.languages.length > 1;

  const translateKey = useCallback((name: string, text: string) => {
    const keys = [{ name, text }];
    setOffer((present) => ({ round: (present?.round ?? 0) + 1, keys, isAsked: true, isTaken: true }));
  }, []);
  const noteAdded = (record: KeyRecord) => {
    const text = record.values[ai?.project.defaultLanguage ?? ""] ?? "";
    if (!isMultilingual || reason !== null || text.trim() === "") return;
    const key = { name: record.key, text };
    setOffer((present) =>
      present === null || present.isTaken
        ? { round: (present?.round ?? 0) + 1, keys: [key], isAsked: false, isTaken: false }
        : { ...present, keys: [...present.keys, key] },
    );
  };
  const shown: ReactNode = ai !== null && offer !== null && (
    <ai.parts.KeyOffer
      key={offer.round}
      project={ai.project}
      screen={screen}
      keys={offer.keys}
      language={ai.project.defaultLanguage}
      isAsked={offer.isAsked}
      handle={handle}
      onTranslated={(record) => putRecord(client, ai.project.projectId, screen, record)}
      onAccept={() => {
        setOffer({ ...offer, isTaken: true });
        onFocusReturn();
      }}
      onClose={() => {
        setOffer(null);
        onFocusReturn();
      }}
    />
  );
  const CellTools = ai?.parts.CellTools;
  const cell = useMemo<CellAi | null>(
    () => (CellTools === undefined ? null : { CellTools, isMultilingual, reason, translateKey }),
    [CellTools, isMultilingual, reason, translateKey],
  );
  return { cell, shown, noteAdded, accept: () => handle.current?.accept() };
}
