/** The input for one value of an item, by the type of its field. */
import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useId } from "react";
import type { Typed } from "@/lib/field-types/field-type";
import { typeOf } from "@/lib/field-types/known";
import type { LanguageName } from "@/lib/languages";
import { TEXT_CHARACTERS } from "@/lib/limits.gen";
import { Badge } from "@/ui/badge";
import { look } from "@/ui/look";
import { Box, Row, Text } from "@/ui/parts";
import { MediaInput } from "./media-input";
import type { StoreField } from "./queries";

// A formatting editor is large, and most items do not need it.
const RichTextInput = lazy(async () => ({ default: (await import("./rich-text-input")).RichTextInput }));

export interface FieldProps {
  slot: string;
  projectId: string;
  field: StoreField;
  language: LanguageName;
  value: Typed;
  /** What apps show while the value is missing. */
  fallback: Typed;
  isRequired: boolean;
  /** In a language in which the field has no value of its own. */
  isOff: boolean;
  isReadOnly: boolean;
  isByAi: boolean;
  problem: string | undefined;
  onChange: (value: Typed) => void;
}

export function ItemField(props: FieldProps) {
  const { slot, field, isOff, isRequired, isByAi, problem } = props;
  const id = useId();
  return (
    <Box shrink data-slot={slot} data-off={isOff || undefined}>
      <Row align="center" gap={8} mb={6} size="s" weight={500}>
        <label className={look({ shrink: true, breaks: true })} htmlFor={id} id={`${id}-label`}>
          <bdi>{field.name}</bdi>
          {isRequired && (
            <Text as="span" tone="bad" aria-hidden="true">
              {" "}
              *
            </Text>
          )}
        </label>
        {isByAi && <Badge tone="ai">AI</Badge>}
      </Row>
      {isOff ? <NotTranslatable id={id} {...props} /> : <Value id={id} {...props} />}
      {problem !== undefined && (
        <Text id={`${id}-problem`} mt={5} size="note" leading={140} tone="bad">
          {problem}
        </Text>
      )}
    </Box>
  );
}

function NotTranslatable({ id }: FieldProps & { id: string }) {
  return <TextInput id={id} size="sm" value="(Not translatable)" disabled />;
}

function Value({ id, ...props }: FieldProps & { id: string }): ReactNode {
  const { projectId, field, language, value, fallback, isRequired, isReadOnly, problem, onChange } = props;
  const isTranslated = field.isTranslatable;
  const shared = {
    id,
    size: "sm" as const,
    required: isRequired,
    error: problem !== undefined,
    readOnly: isReadOnly,
    ...(problem === undefined ? {} : { "aria-describedby": `${id}-problem` }),
  };
  const text = String(value);
  // The text and its placeholder have the direction of the language.
  const direction = isTranslated ? { dir: language.direction, lang: language.code } : {};
  const placeholder = typeof fallback === "string" && fallback !== "" ? { placeholder: fallback } : {};
  switch (typeOf(field).input) {
    case "switch":
      return (
        <Checkbox
          id={id}
          size="sm"
          label={value === true ? "Yes" : "No"}
          aria-labelledby={`${id}-label`}
          checked={value === true}
          disabled={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "number":
      return (
        <TextInput
          {...shared}
          {...placeholder}
          type="number"
          step="any"
          inputMode="decimal"
          className={look({ maxW: 220 })}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "date":
      return (
        <TextInput
          {...shared}
          type="date"
          min="0001-01-01"
          max="9999-12-31"
          className={look({ maxW: 220 })}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "media":
      return (
        <MediaInput
          {...shared}
          {...placeholder}
          projectId={projectId}
          name={field.name}
          value={text}
          onChange={onChange}
        />
      );
    case "editor":
      return (
        <Suspense fallback={<Box border="strong" radius="s" minH={131} />}>
          <RichTextInput
            id={id}
            value={text}
            {...(typeof fallback === "string" ? { fallback } : {})}
            {...direction}
            isRequired={isRequired}
            isReadOnly={isReadOnly}
            isWrong={problem !== undefined}
            onChange={onChange}
          />
        </Suspense>
      );
    case "text":
      return (
        // Mantine keeps the direction from its input.
        <div {...direction}>
          <Textarea
            {...shared}
            {...placeholder}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={TEXT_CHARACTERS}
            value={text}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </div>
      );
  }
}
