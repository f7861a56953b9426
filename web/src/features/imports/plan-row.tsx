/** A text, colour or item of a file, and what it would do to the draft. */
import { memo } from "react";
import type { LanguageName } from "@/lib/languages";
import { wordDiff } from "@/lib/word-diff";
import { Badge, type BadgeTone } from "@/ui/badge";
import { ColorValues } from "@/ui/color-change";
import { Words } from "@/ui/key-change";
import lines from "@/ui/key-change.module.css";
import { Row, Stack, Text } from "@/ui/parts";
import { TickBox } from "@/ui/tick-box";
import { canTick, type TickRow } from "./plan-ticks";
import type { RowState } from "./queries";

export const states: Readonly<Record<RowState, { word: string; tone: BadgeTone }>> = {
  new: { word: "New", tone: "ok" },
  changed: { word: "Changed", tone: "warn" },
  conflict: { word: "Conflict", tone: "bad" },
  invalid: { word: "Invalid", tone: "plain" },
  same: { word: "Same", tone: "quiet" },
};

export const PlanRowLine = memo(function PlanRowLine({
  row,
  file,
  isOn,
  isLarge,
  nameOf,
  onTick,
}: {
  row: TickRow;
  /** The name of its file. */
  file: string;
  isOn: boolean;
  isLarge: boolean;
  nameOf: (code: string) => LanguageName;
  onTick: (row: TickRow, isOn: boolean) => void;
}) {
  const { screen, key, name, place, state, note, problem } = row;
  const named = row.language === null ? null : nameOf(row.language);
  const language = named?.name;
  const target = row.kind === "colors" ? key : screen === null || key === null ? null : `${screen}.${key}`;
  return (
    <Row gap={12} px={16} py={10} lineAbove align="start">
      <Row rigid align="center" h={20} w={isLarge ? 16 : 20}>
        {canTick(row) && (
          <TickBox
            state={isOn ? "on" : "off"}
            label={[(target ?? name) || place, language].filter((part) => part !== undefined).join(", ")}
            onTick={(next) => onTick(row, next)}
          />
        )}
      </Row>
      <Stack gap={0} grow shrink>
        <Row wrap align="center" gap={2} gapX={8}>
          <Text as="span" shrink size="note" breaks code>
            {target !== name && (
              <Text as="span" tone="ink-3">
                {name === "" ? place : name}
                {target !== null && " → "}
              </Text>
            )}
            {target}
          </Text>
          <Badge tone={states[state].tone}>{states[state].word}</Badge>
          <Text as="span" ms="auto" size="xs" tone="ink-3" breaks>
            {place === "" ? file : `${place} of ${file}`}
          </Text>
        </Row>
        <Texts row={row} language={named} />
        {note !== null && (
          <Text size="s" pt={4} tone={problem === null ? "warn" : "bad"}>
            {note}
          </Text>
        )}
      </Stack>
    </Row>
  );
});

function Texts({ row: { kind, before, text, state }, language }: { row: TickRow; language: LanguageName | null }) {
  // A plural begins with the words of its form, which would make any text run from left to right.
  const dir = language ? language.direction : "auto";
  const isDifferent = (state === "changed" || state === "conflict") && before !== "";
  const words = isDifferent ? wordDiff(before, text, language?.code ?? "en") : null;
  if (text === "" && before === "") return null;
  if (kind === "colors")
    return (
      <Row wrap align="center" gap={4} gapX={10} pt={6} tone="ink-2">
        <ColorValues old={isDifferent ? before : ""} new={text} />
      </Row>
    );
  return (
    <div className={lines["value"]}>
      {language && <abbr title={language.name}>{language.code}</abbr>}
      <Stack
        gap={2}
        grow
        shrink
        textAlign="start"
        space="pre-wrap"
        breaks
        className={lines["texts"]}
        {...(language && { lang: language.code })}
      >
        {words === null ? (
          state === "new" ? (
            <ins dir={dir}>{text}</ins>
          ) : (
            <Text tone="ink-2" dir={dir}>
              {text}
            </Text>
          )
        ) : (
          <>
            <del dir={dir}>
              <Words pieces={words.before} />
            </del>
            <ins dir={dir}>
              <Words pieces={words.after} />
            </ins>
          </>
        )}
      </Stack>
    </div>
  );
}
