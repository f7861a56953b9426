/** Chooses the language of the second column; each says how much of the screen it has. */

import type { LanguageName } from "@/lib/languages";
import { IconChevronDown } from "@/ui/icons";
import classes from "./language-picker.module.css";

export function LanguagePicker({
  languages,
  value,
  nameOf,
  percentOf,
  isBusy,
  onChange,
}: {
  languages: readonly string[];
  value: string;
  nameOf: (code: string) => LanguageName;
  percentOf: (code: string) => number;
  isBusy: boolean;
  onChange: (code: string) => void;
}) {
  const { name, nativeName, direction } = nameOf(value);
  return (
    <label className={classes["picker"]} aria-busy={isBusy}>
      <span className={classes["name"]}>{name}</span>
      {nativeName !== name && (
        <bdi className={classes["native"]} lang={value} dir={direction}>
          {nativeName}
        </bdi>
      )}
      <IconChevronDown size={14} stroke={1.8} aria-hidden="true" />
      <select aria-label="Second language" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {languages.map((code) => (
          <option key={code} value={code}>
            {[...new Set([nameOf(code).name, nameOf(code).nativeName]), `${percentOf(code)}%`].join(" · ")}
          </option>
        ))}
      </select>
    </label>
  );
}
