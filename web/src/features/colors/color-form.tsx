/** One line to add or change a colour. */
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useAttempt } from "@/lib/use-attempt";
import { LockedName } from "@/ui/locked-name";
import { Notice } from "@/ui/notice";
import { ColorPicker } from "./color-picker";
import classes from "./colors-page.module.css";
import { type Color, type ColorValues, checkColor, withHash } from "./queries";

interface Problems {
  key?: string;
  value?: string;
  form?: string;
}

export function ColorForm({
  label,
  submitText,
  initial,
  isLocked = false,
  others,
  autoFocus,
  isPending,
  onDirty,
  onSubmit,
  onCancel,
}: {
  label: string;
  submitText: string;
  initial: ColorValues;
  /** Whether a release has its key. */
  isLocked?: boolean;
  /** The colours whose keys are taken. */
  others: readonly Color[];
  autoFocus: boolean;
  isPending: boolean;
  /** Told whether something is written here that is not saved, and on going that nothing is. Always the same function. */
  onDirty: (isDirty: boolean) => void;
  /** Resolves to what was wrong; empty when all went well. */
  onSubmit: (values: ColorValues) => Promise<Problems>;
  onCancel?: () => void;
}) {
  const [first] = useState<ColorValues>({ key: initial.key, value: initial.value, nickname: initial.nickname });
  const [values, setValues] = useState(first);
  const [problems, setProblems] = useState<Problems>({});
  const form = useRef<HTMLFormElement>(null);
  const attempt = useAttempt();
  const isDirty = values.key !== first.key || values.value !== first.value || values.nickname !== first.nickname;
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
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
    if (Object.keys(refused).length === 0) return; // another form takes its place
    attempt.failed();
    setProblems(refused);
  };
  const hex = withHash(values.value);
  const isHex = /^#[0-9a-f]{6}$/i.test(hex);
  return (
    <form
      ref={form}
      className={classes["form"]}
      aria-label={label}
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel?.();
      }}
    >
      <div className={classes["value"]}>
        <ColorPicker value={isHex ? hex.toLowerCase() : "#000000"} onChange={(value) => set({ value })} />
        <TextInput
          size="sm"
          aria-label="Hex value"
          className={classes["mono"]}
          autoFocus={autoFocus}
          value={values.value}
          error={problems.value}
          maxLength={9}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set({ value: event.currentTarget.value })}
        />
      </div>
      <LockedName
        name={initial.key}
        isLocked={isLocked}
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
            className={classes["mono"]}
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
        maxLength={100}
        autoComplete="off"
        onChange={(event) => set({ nickname: event.currentTarget.value })}
      />
      <div className={classes["formActions"]}>
        {onCancel !== undefined && (
          <Button variant="subtle" onClick={onCancel}>
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
      </div>
      {problems.form !== undefined && (
        <div className={classes["problem"]}>
          <Notice tone="bad">{problems.form}</Notice>
        </div>
      )}
    </form>
  );
}
