/** One's own text and what AI proposes, side by side. Neither takes the other's place by itself. */
import { Button, Loader } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { LanguageName } from "@/lib/languages";
import { PseudoNote } from "@/ui/pseudo-note";
import { Shortcut } from "@/ui/shortcut";
import classes from "./cell-tools.module.css";
import type { Proposal } from "./use-proposal";

const asking = { rephrase: "Rephrasing…", translate: "Translating…" } as const;

export function ProposalPanel({
  proposal,
  mine,
  language,
  warning,
  keepFocus,
  onUse,
  onClose,
  onAgain,
}: {
  proposal: Proposal;
  mine: string;
  language: LanguageName;
  /** What is to be said about the proposed text, or null. */
  warning: string | null;
  keepFocus: object;
  onUse: () => void;
  onClose: () => void;
  onAgain: () => void;
}) {
  const panel = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each phase has another height.
  useLayoutEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [proposal.phase]);
  const again = (
    <Button size="xs" variant="subtle" {...keepFocus} onClick={onAgain}>
      Try again
    </Button>
  );
  return (
    <section ref={panel} className={classes["panel"]} aria-label="What AI proposes">
      {proposal.phase === "asking" && (
        <div className={classes["line"]}>
          <Loader size={14} aria-hidden="true" />
          <span role="status">{asking[proposal.kind]}</span>
          <Button size="xs" variant="subtle" {...keepFocus} onClick={onClose}>
            Stop
          </Button>
        </div>
      )}
      {proposal.phase === "failed" && (
        <div className={classes["line"]}>
          <span role="alert" className={classes["failure"]}>
            {proposal.message}
          </span>
          {again}
          <Button size="xs" variant="subtle" {...keepFocus} onClick={onClose}>
            Close
          </Button>
        </div>
      )}
      {proposal.phase === "used" && (
        <>
          <p role="status">Written by AI. Enter saves it as yours, Esc reverts.</p>
          {proposal.isPseudo && <PseudoNote className={classes["note"]} />}
        </>
      )}
      {proposal.phase === "ready" && (
        <>
          <div className={classes["texts"]}>
            <Version title="Yours" text={mine} language={language} />
            <Version title="From AI" text={proposal.text} language={language} isNew>
              {warning !== null && <p className={classes["warning"]}>{warning}</p>}
            </Version>
          </div>
          {proposal.text === mine && <p className={classes["note"]}>AI would leave this text as it is.</p>}
          {proposal.isPseudo && <PseudoNote className={classes["note"]} />}
          <div className={classes["line"]}>
            <Button size="xs" variant="filled" aria-keyshortcuts="Alt+Enter" {...keepFocus} onClick={onUse}>
              Use this
              <Shortcut alt keys="Enter" />
            </Button>
            <Button size="xs" aria-keyshortcuts="Escape" {...keepFocus} onClick={onClose}>
              Keep mine
              <Shortcut keys="Esc" />
            </Button>
            {again}
          </div>
        </>
      )}
    </section>
  );
}

function Version({
  title,
  text,
  language,
  isNew = false,
  children,
}: {
  title: string;
  text: string;
  language: LanguageName;
  isNew?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={classes["version"]} data-new={isNew || undefined} role={isNew ? "status" : undefined}>
      <span>{title}</span>
      <div dir={language.direction} lang={language.code}>
        {text === "" ? <em>no text</em> : text}
      </div>
      {children}
    </div>
  );
}
