/** What AI adds to a screen. Its parts come from another feature, and are put in where the page is put together. */
import { type ComponentType, createContext, type KeyboardEvent, type Ref, useContext } from "react";
import type { Project } from "@/lib/api-types";
import type { LanguageName } from "@/lib/languages";
import type { KeyRecord } from "./queries";

export interface CellKeys {
  /** Whether a key that was pressed in the text is a shortcut of these tools, and was followed. */
  take: (event: KeyboardEvent) => boolean;
}

export interface OfferHandle {
  accept: () => void;
}

export interface AiParts {
  /** The buttons of an open cell, and what they lead to. */
  CellTools: ComponentType<{
    projectId: string;
    screen: string;
    language: LanguageName;
    /** The language to translate from; null in its own cells. */
    source: LanguageName | null;
    sourceText: string;
    text: string;
    warningFor: (text: string) => string | null;
    isMultilingual: boolean;
    reason: string | null;
    onUse: (text: string) => void;
    onTranslateKey: () => void;
    handle: Ref<CellKeys>;
  }>;
  /** Below the row that adds keys: the offer to translate them. */
  KeyOffer: ComponentType<{
    project: Project;
    screen: string;
    keys: readonly { name: string; text: string }[];
    language: string;
    isAsked: boolean;
    onTranslated: (record: KeyRecord) => void;
    onAccept: () => void;
    onClose: () => void;
    handle: Ref<OfferHandle>;
  }>;
  FillButton: ComponentType<{
    project: Project;
    screen: string;
    target: string | undefined;
    className?: string | undefined;
  }>;
}

/** AI at the service of a project. */
export interface AiOf {
  parts: AiParts;
  project: Project;
}

export interface CellAi {
  CellTools: AiParts["CellTools"];
  isMultilingual: boolean;
  /** Why AI can't be used, or null. */
  reason: string | null;
  /** Puts a text that has just been saved into the other languages of its key. */
  translateKey: (name: string, text: string) => void;
}

const CellAiContext = createContext<CellAi | null>(null);

export const CellAiProvider = CellAiContext;

/** Null where AI is not at hand. */
export const useCellAi = () => useContext(CellAiContext);
