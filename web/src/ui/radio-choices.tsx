/** A few choices, of which one holds, each with what it means. */
import { useId } from "react";
import { look } from "./look";
import { Row, Stack, Text } from "./parts";
import classes from "./radio-choices.module.css";

export interface RadioChoice<Value extends string> {
  value: Value;
  label: string;
  meaning: string;
}

export function RadioChoices<Value extends string>({
  legend,
  choices,
  value,
  isInRow = false,
  onChange,
}: {
  legend: string;
  choices: readonly RadioChoice<Value>[];
  value: Value;
  /** Whether they are side by side where there is room. */
  isInRow?: boolean;
  onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <Stack as="fieldset" p={0} m={0} border="none" className={classes["choices"]} data-row={isInRow || undefined}>
      <Text as="legend" p={0} mb={4} size="s" weight={500}>
        {legend}
      </Text>
      {choices.map((choice) => (
        <Row key={choice.value} gap={10} place="relative" py={8} className={classes["choice"]}>
          <input
            className={look({ rigid: true, place: "relative", m: 0, mt: 2, mb: 0, h: 16 })}
            type="radio"
            id={`${id}-${choice.value}`}
            name={id}
            checked={choice.value === value}
            aria-describedby={`${id}-${choice.value}-meaning`}
            onChange={() => onChange(choice.value)}
          />
          <div>
            <label className={look({ weight: 500 })} htmlFor={`${id}-${choice.value}`}>
              {choice.label}
            </label>
            <Text size="s" tone="ink-2" id={`${id}-${choice.value}-meaning`}>
              {choice.meaning}
            </Text>
          </div>
        </Row>
      ))}
    </Stack>
  );
}
