/** One's own text and what AI proposes, side by side. Neither takes the other's place by itself. */
import { Button, Loader } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { LanguageName } from "@/lib/languages";
import { look } from "@/ui/look";
import { Box, Grid, Row, Stack, Text } from "@/ui/parts";
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
  /** The warning about the proposed text, or null. */
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
    <Stack
      as="section"
      ref={panel}
      gap={8}
      shrink
      mt={4}
      lineAbove
      size="s"
      leading={145}
      px={4}
      pt={10}
      pb={6}
      className={classes["panel"]}
      aria-label="What AI proposes"
    >
      {proposal.phase === "asking" && (
        <Row wrap align="center" gap={6}>
          <Loader size={14} aria-hidden="true" />
          <span className={look({ grow: true, shrink: true })} role="status">
            {asking[proposal.kind]}
          </span>
          <Button size="xs" variant="subtle" {...keepFocus} onClick={onClose}>
            Stop
          </Button>
        </Row>
      )}
      {proposal.phase === "failed" && (
        <Row wrap align="center" gap={6}>
          <span className={look({ grow: true, shrink: true, tone: "bad" })} role="alert">
            {proposal.message}
          </span>
          {again}
          <Button size="xs" variant="subtle" {...keepFocus} onClick={onClose}>
            Close
          </Button>
        </Row>
      )}
      {proposal.phase === "used" && (
        <>
          <p role="status">Written by AI. Enter saves it as yours, Esc reverts.</p>
          {proposal.isPseudo && <PseudoNote className={look({ size: "xs", tone: "ink-3" })} />}
        </>
      )}
      {proposal.phase === "ready" && (
        <>
          <Grid gap={8} className={classes["texts"]}>
            <Version title="Yours" text={mine} language={language} />
            <Version title="From AI" text={proposal.text} language={language} isNew>
              {warning !== null && (
                <Text mt={4} size="note" tone="warn">
                  {warning}
                </Text>
              )}
            </Version>
          </Grid>
          {proposal.text === mine && (
            <p className={look({ size: "xs", tone: "ink-3" })}>AI would leave this text as it is.</p>
          )}
          {proposal.isPseudo && <PseudoNote className={look({ size: "xs", tone: "ink-3" })} />}
          <Row wrap align="center" gap={6}>
            <Button size="xs" variant="filled" aria-keyshortcuts="Alt+Enter" {...keepFocus} onClick={onUse}>
              Use this
              <Shortcut alt keys="Enter" />
            </Button>
            <Button size="xs" aria-keyshortcuts="Escape" {...keepFocus} onClick={onClose}>
              Keep mine
              <Shortcut keys="Esc" />
            </Button>
            {again}
          </Row>
        </>
      )}
    </Stack>
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
    <div
      className={look({ shrink: true, px: 10, pt: 6, pb: 8, border: "line", radius: "s" }, classes["version"])}
      data-new={isNew || undefined}
      role={isNew ? "status" : undefined}
    >
      <Text as="span" size="xs" weight={600} tone={isNew ? "ai" : "ink-3"}>
        {title}
      </Text>
      <Box
        scroll
        size="m"
        lineH={22}
        tone="ink"
        textAlign="start"
        space="pre-wrap"
        breaks
        dir={language.direction}
        lang={language.code}
      >
        {text === "" ? <em>no text</em> : text}
      </Box>
      {children}
    </div>
  );
}
