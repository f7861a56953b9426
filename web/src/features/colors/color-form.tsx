/** One line to add or change a colour. */
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { NICKNAME_CHARACTERS } from "@/lib/limits.gen";
import { useAttempt } from "@/lib/use-attempt";
import { type FormPlace, useKeepTyped, useKeptText } from "@/lib/use-kept-text";
import { type Unsaved, useDirty } from "@/lib/use-leave-guard";
import { KeptNotice } from "@/ui/kept-notice";
import { LockedName } from "@/ui/locked-name";
import { look } from "@/ui/look";
import { Notice } from "@/ui/notice";
import { Box, Grid, Row } from "@/ui/parts";
import { ColorPicker } from "./color-picker";
import classes from "./colors-page.module.css";
import { type Color, type ColorValues, checkColor, withHash } from "./queries";

/** What the device keeps: the fields, and the revision of the colour that their author saw; null for a new colour. */
interface ColorText extends ColorValues {
  readonly seen: number | null;
}

function colorTextIn(stored: unknown, first: ColorValues): ColorText | null {
  const { key, value, nickname, seen } = Object(stored) as Partial<Record<keyof ColorText, unknown>>;
  if (typeof key !== "string" || typeof value !== "string" || typeof nickname !== "string") return null;
  if (key === first.key && value === first.value && nickname === first.nickname) return null;
  return { key, value, nickname, seen: typeof seen === "number" ? seen : null };
}

interface Problems {
  key?: string;
  value?: string;
  form?: string;
}

export function ColorForm({
  label,
  submitText,
  initial,
  place,
  seen = null,
  isLocked = false,
  others,
  autoFocus,
  isPending,
  onDirty,
  onSubmit,
  onCancel,
  onResume,
}: {
  label: string;
  submitText: string;
  initial: ColorValues;
  /** Where the device keeps what is written here. */
  place: FormPlace;
  /** The revision of the colour that is edited. */
  seen?: number | null;
  /** Whether a release has its key. */
  isLocked?: boolean;
  /** The colours whose keys are taken. */
  others: readonly Color[];
  autoFocus: boolean;
  isPending: boolean;
  /** Called with what is not saved here, and with `false` when the form goes. Always the same function. */
  onDirty: (unsaved: Unsaved) => void;
  /** Resolves to what was wrong; empty when all went well. */
  onSubmit: (values: ColorValues) => Promise<Problems>;
  onCancel?: () => void;
  /** The form goes on with kept text, whose author saw this revision. */
  onResume?: (seen: number) => void;
}) {
  const [first] = useState<ColorValues>({ key: initial.key, value: initial.value, nickname: initial.nickname });
  const [values, setValues] = useState(first);
  const [problems, setProblems] = useState<Problems>({});
  const form = useRef<HTMLFormElement>(null);
  const attempt = useAttempt();
  const isDirty = values.key !== first.key || values.value !== first.value || values.nickname !== first.nickname;
  const kept = useKeptText<ColorText>(place, (stored) => colorTextIn(stored, first));
  useKeepTyped(kept, isDirty ? { ...values, seen } : null);
  useDirty(isDirty, kept.forget, onDirty);
  const set = (change: Partial<ColorValues>) => {
    setValues({ ...values, ...change });
    setProblems({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const cleaned = { key: values.key.trim(), value: withHash(values.value.trim()), nickname: values.nickname.trim() };
    const found = checkColor(cleaned, others);
    if (found.key !== undefined || found.value !== undefined) return setProblems(found);
    if (!attempt.begin()) return;
    const refused = await onSubmit(cleaned);
    if (Object.keys(refused).length === 0) return kept.forget(); // another form takes its place
    attempt.failed();
    setProblems(refused);
  };
  const hex = withHash(values.value);
  const isHex = /^#[0-9a-f]{6}$/i.test(hex);
  return (
    <Grid
      as="form"
      ref={form}
      align="start"
      gap={8}
      px={14}
      py={8}
      fill="sunken"
      smallPx={16}
      smallPy={12}
      className={classes["form"]}
      aria-label={label}
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel?.();
      }}
    >
      <KeptNotice
        kept={kept}
        onContinue={({ seen: before, ...text }) => {
          set(text);
          if (before !== null) onResume?.(before);
        }}
      />
      <Grid gap={6} className={classes["value"]}>
        <ColorPicker value={isHex ? hex.toLowerCase() : "#000000"} onChange={(value) => set({ value })} />
        <TextInput
          size="sm"
          aria-label="Hex value"
          className={look({ monoField: true }, classes["mono"])}
          autoFocus={autoFocus}
          value={values.value}
          error={problems.value}
          maxLength={9}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set({ value: event.currentTarget.value })}
        />
      </Grid>
      <LockedName
        name={initial.key}
        isLocked={isLocked}
        isRenamed={values.key !== first.key}
        breaks={
          <>
            With the next publish apps lose <bdi className="mono">{initial.key}</bdi>, and show what they were built
            with.
          </>
        }
      >
        {(isAsked) => (
          <TextInput
            size="sm"
            aria-label="Key"
            placeholder="brand.primary"
            className={look({ monoField: true }, classes["mono"])}
            value={values.key}
            error={problems.key}
            autoFocus={isAsked}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            onChange={(event) => set({ key: event.currentTarget.value })}
          />
        )}
      </LockedName>
      <TextInput
        size="sm"
        aria-label="Nickname"
        placeholder="Nickname, optional"
        value={values.nickname}
        maxLength={NICKNAME_CHARACTERS}
        autoComplete="off"
        onChange={(event) => set({ nickname: event.currentTarget.value })}
      />
      <Row justify="end" gap={6}>
        {onCancel !== undefined && (
          <Button
            variant="subtle"
            onClick={() => {
              kept.forget();
              onCancel();
            }}
          >
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          loading={isPending}
          onClick={(event) => {
            // After a fast answer the second click of a double click would meet the next form.
            if (event.detail > 1) event.preventDefault();
          }}
        >
          {submitText}
        </Button>
      </Row>
      {problems.form !== undefined && (
        <Box whole>
          <Notice tone="bad">{problems.form}</Notice>
        </Box>
      )}
    </Grid>
  );
}
