/** 'Auto-fill with AI': fills the texts that an item lacks in a language from its texts in the default language. */
import { Button, Tooltip } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { aiFailureOf, NO_PLAN_FOR_AI } from "@/lib/ai";
import { isUnreachable } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import { typeOf } from "@/lib/field-types/known";
import type { LanguageName } from "@/lib/languages";
import { hasActivePlan } from "@/lib/project";
import { useNow } from "@/lib/use-now";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconSparkles } from "@/ui/icons";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Row, Stack, Text } from "@/ui/parts";
import { PseudoNote } from "@/ui/pseudo-note";
import classes from "./item-dialog.module.css";
import { type Edits, shownIn, typedOf } from "./item-edits";
import type { Fill, Filled } from "./item-writes";
import type { Item, Store, StoreField } from "./queries";

const UNSAVED = "Please save the item before using auto-translate.";
const INVALID = "Invalid reference or target language for auto-fill.";

export function AutoFill({
  project,
  store,
  item,
  language,
  reference,
  edits,
  onSaveFirst,
  fill,
  onFilled,
}: {
  project: Project;
  store: Store;
  /** As it is saved; null for a new item. */
  item: Item | null;
  language: LanguageName;
  reference: LanguageName;
  edits: Edits;
  /** Saves what is written; AI reads what is saved. Null when that failed. */
  onSaveFirst: () => Promise<Item | null>;
  fill: UseMutationResult<Filled, Error, Fill>;
  /** Called with the item after a fill; `isChanged`: AI wrote something into it. */
  onFilled: (item: Item, isChanged: boolean) => void;
}) {
  const [refusal, setRefusal] = useState<{ text: string; language: string } | null>(null);
  const [filled, setFilled] = useState<Outcome | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isSavingFirst, setSavingFirst] = useState(false);
  const isOff = !hasActivePlan(project, useNow());
  const texts = store.fields.filter(isText);
  const isDefault = language.code === reference.code;
  const hint = hintOf({ isOff, item, isDefault, reference, hasTexts: texts.length > 0 });
  const has = (field: StoreField, code: string) => String(shownIn(edits, item, field, code)).trim() !== "";

  const refusalNow = (): string | null => {
    if (isOff) return NO_PLAN_FOR_AI;
    if (item === null) return UNSAVED;
    if (isDefault || !project.languages.includes(language.code)) return INVALID;
    if (texts.length === 0) return "No field of this Data Store holds texts that can be translated.";
    return texts.some((field) => has(field, reference.code))
      ? null
      : `There is no ${reference.name} text to translate yet.`;
  };
  const begin = () => {
    const text = refusalNow();
    setRefusal(text === null ? null : { text, language: language.code });
    setFilled(null);
    if (text !== null) return;
    const isFull = texts.every((field) => has(field, language.code) || !has(field, reference.code));
    if (isFull) setAsking(true);
    else void run(false);
  };
  const run = async (overwrite: boolean) => {
    setSavingFirst(true);
    const saved = edits.size === 0 ? item : await onSaveFirst();
    setSavingFirst(false);
    if (saved === null) return setAsking(false);
    try {
      const outcome = await fill.mutateAsync({
        item: saved,
        target: language.code,
        reference: reference.code,
        overwrite,
      });
      const count = texts.filter(
        (field) => typedOf(outcome.item, field, language.code) !== typedOf(saved, field, language.code),
      ).length;
      onFilled(outcome.item, count > 0);
      setFilled({ ...outcome, count, language });
      if (outcome.failed.length === 0 && count > 0) toast.success("AI auto-fill complete!");
    } catch (error) {
      const fallback = isUnreachable(error) ? "Failed to auto-fill item." : "Failed to auto-translate item.";
      setRefusal({ text: aiFailureOf(error, fallback), language: language.code });
    } finally {
      setAsking(false);
    }
  };
  const isPending = fill.isPending || isSavingFirst;
  return (
    <Stack gap={8}>
      <Row wrap align="center" gap={6} gapX={12}>
        <Tooltip label={hint.text}>
          <Button
            size="xs"
            className={classes["aiButton"] ?? ""}
            leftSection={<IconSparkles size={14} aria-hidden="true" />}
            loading={isPending}
            {...(hint.isOff ? { "data-disabled": true, "aria-disabled": true, "aria-description": hint.text } : {})}
            onClick={begin}
          >
            Auto-fill with AI
          </Button>
        </Tooltip>
        <Text as="span" size="s" tone="ink-3">
          {isPending ? (
            <span role="status">Filling {language.name} …</span>
          ) : edits.size > 0 && !hint.isOff ? (
            "Your changes are saved first."
          ) : null}
        </Text>
      </Row>
      {filled?.provider === "pseudo" && <PseudoNote className={look({ size: "s", tone: "ink-3" })} />}
      {filled !== null && <FillOutcome filled={filled} />}
      {refusal !== null && refusal.language === language.code && <Notice tone="bad">{refusal.text}</Notice>}
      <ConfirmDialog
        opened={isAsking}
        title={`Replace the ${language.name} texts?`}
        confirmText="Replace with AI"
        tone="warning"
        loading={isPending}
        onConfirm={() => void run(true)}
        onClose={() => setAsking(false)}
      >
        This item has all its {language.name} texts. AI replaces them with translations from {reference.name}.
      </ConfirmDialog>
    </Stack>
  );
}

/** What came of it: `count` texts are saved in the item's draft. */
interface Outcome extends Filled {
  count: number;
  language: LanguageName;
}

function FillOutcome({ filled: { count, failed, language } }: { filled: Outcome }) {
  const tone = failed.length === 0 ? "ok" : count === 0 ? "bad" : "warn";
  return (
    <Notice tone={tone}>
      {count === 0
        ? `AI filled no text in ${language.name}.`
        : `AI filled ${counted(count, "text")} in ${language.name}. ${count === 1 ? "It is" : "They are"} saved in the draft.`}
      {failed.length > 0 &&
        ` ${counted(failed.length, "text")} ${failed.length === 1 ? "was" : "were"} left as ${failed.length === 1 ? "it is" : "they are"}:`}
      {failed.map(({ field, reason }) => (
        <p key={field}>
          <bdi>{field}</bdi>: {reason}
        </p>
      ))}
    </Notice>
  );
}

const isText = ({ type, isTranslatable }: StoreField) => isTranslatable && typeOf({ type }).isText;

function hintOf({
  isOff,
  item,
  isDefault,
  reference,
  hasTexts,
}: {
  isOff: boolean;
  item: Item | null;
  isDefault: boolean;
  reference: LanguageName;
  hasTexts: boolean;
}): { text: string; isOff: boolean } {
  if (isOff) return { text: NO_PLAN_FOR_AI, isOff: true };
  if (item === null) return { text: UNSAVED, isOff: true };
  if (!hasTexts) return { text: "No field of this Data Store holds texts that can be translated.", isOff: true };
  if (isDefault) return { text: `Choose another language: its texts are filled from ${reference.name}.`, isOff: true };
  return { text: `Fills the missing texts from ${reference.name}, and saves them in the draft.`, isOff: false };
}
