/** A few choices, of which one holds, each with what it means. */
import { useId } from "react";
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
    <fieldset className={classes["choices"]} data-row={isInRow || undefined}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <div key={choice.value} className={classes["choice"]}>
          <input
            type="radio"
            id={`${id}-${choice.value}`}
            name={id}
            checked={choice.value === value}
            aria-describedby={`${id}-${choice.value}-meaning`}
            onChange={() => onChange(choice.value)}
          />
          <div>
            <label htmlFor={`${id}-${choice.value}`}>{choice.label}</label>
            <p id={`${id}-${choice.value}-meaning`}>{choice.meaning}</p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
