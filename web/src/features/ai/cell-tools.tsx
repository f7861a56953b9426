/** In an open cell: 'Rephrase' and 'Translate', and what AI proposes, beside one's own text to choose from. */
import { Button } from "@mantine/core";
import { type KeyboardEvent, type Ref, useImperativeHandle } from "react";
import { isMac } from "@/lib/keyboard";
import type { LanguageName } from "@/lib/languages";
import { placeholderWarning } from "@/lib/message-checks";
import { later } from "@/ui/later";
import { Shortcut } from "@/ui/shortcut";
import { type Kind, useProposal } from "./use-proposal";

const panel = later(async () => (await import("./proposal-panel")).ProposalPanel, null);

export interface CellKeys {
  /** Whether a key that was pressed in the text is a shortcut of these tools, and was followed. */
  take: (event: KeyboardEvent) => boolean;
}

/** With Alt alone: Ctrl and Alt together write characters on many keyboards. By place too, since ⌥ makes other letters. */
const isAlt = (event: KeyboardEvent, letter: "R" | "T") =>
  event.altKey &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.nativeEvent.getModifierState("AltGraph") &&
  (event.key.toUpperCase() === letter || (isMac && event.code === `Key${letter}`));

export function CellTools({
  projectId,
  screen,
  language,
  source,
  sourceText,
  text,
  warningFor,
  isMultilingual,
  reason,
  onUse,
  onTranslateKey,
  handle,
}: {
  projectId: string;
  screen: string;
  language: LanguageName;
  /** The language to translate from; null in its own cells, whose texts go into all others. */
  source: LanguageName | null;
  sourceText: string;
  /** As it is being written. */
  text: string;
  warningFor: (text: string) => string | null;
  isMultilingual: boolean;
  /** Why AI can't be used, or null. */
  reason: string | null;
  onUse: (text: string) => void;
  /** Saves the text, and has the key translated. */
  onTranslateKey: () => void;
  handle: Ref<CellKeys>;
}) {
  panel.useFetched();
  const { proposal, start, refuse, close } = useProposal((found) => {
    if (text !== "") return false;
    onUse(found);
    return true;
  });
  const ask = (kind: Kind) => {
    if (reason !== null) return refuse(kind, reason);
    if (kind === "translate" && source === null && text.trim() !== "") return onTranslateKey();
    const subject = kind === "translate" && source !== null ? sourceText : text;
    void start(kind, { projectId, screen, text: subject, language: language.code, source: source?.code ?? "" });
  };
  const use = () => {
    if (proposal?.phase !== "ready") return;
    onUse(proposal.text);
    close();
  };
  useImperativeHandle(handle, () => ({
    take: (event) => {
      const isUsing = event.key === "Enter" && event.altKey && proposal?.phase === "ready";
      const isClosing = event.key === "Escape" && proposal !== null && proposal.phase !== "used";
      if (isAlt(event, "R")) ask("rephrase");
      else if (isAlt(event, "T") && isMultilingual) ask("translate");
      else if (isUsing) use();
      else if (isClosing) close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  }));

  // Buttons that take the focus would save the text by blurring it.
  const keepFocus = { tabIndex: -1, onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault() };
  const off = reason === null ? {} : { "data-disabled": true, "aria-disabled": true, "aria-description": reason };
  const button = (kind: Kind, word: string, letter: string) => (
    <Button size="xs" aria-keyshortcuts={`Alt+${letter}`} {...keepFocus} {...off} onClick={() => ask(kind)}>
      {word}
      <Shortcut alt keys={letter} />
    </Button>
  );
  return (
    <>
      {button("rephrase", "Rephrase", "R")}
      {isMultilingual && button("translate", source === null ? "Translate into all" : "Translate", "T")}
      {proposal !== null && (
        <panel.Part
          proposal={proposal}
          mine={text}
          language={language}
          warning={proposal.phase === "ready" ? warningAbout(proposal.kind, text, proposal.text, warningFor) : null}
          keepFocus={keepFocus}
          onUse={use}
          onClose={close}
          onAgain={() => ask(proposal.kind)}
        />
      )}
    </>
  );
}

/** Other words for a text keep its placeholders; a translation keeps those of its source. */
function warningAbout(kind: Kind, mine: string, proposed: string, warningFor: (text: string) => string | null) {
  return warningFor(proposed) ?? (kind === "rephrase" ? placeholderWarning(mine, proposed, "earlier") : null);
}
