/** Chooses the language of the second column; each language shows how much of the screen it has. */

import type { LanguageName } from "@/lib/languages";
import { IconChevronDown } from "@/ui/icons";
import { look } from "@/ui/look";
import { Text } from "@/ui/parts";
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
    <label
      className={look(
        {
          layout: "inline",
          align: "center",
          shrink: true,
          place: "relative",
          px: 8,
          h: 28,
          radius: "s",
          size: "xs",
          weight: 600,
          leading: 140,
          tone: "ink-2",
          hover: true,
          gap: 7,
          smallPx: 12,
          smallPy: 0,
          smallH: 40,
        },
        classes["picker"],
      )}
      aria-busy={isBusy}
    >
      <Text as="span" truncate className={classes["name"]}>
        {name}
      </Text>
      {nativeName !== name && (
        <Text
          as="bdi"
          weight={500}
          tone="ink-3"
          truncate
          hide="phone"
          className={classes["native"]}
          lang={value}
          dir={direction}
        >
          {nativeName}
        </Text>
      )}
      <IconChevronDown className={look({ rigid: true })} size={14} stroke={1.8} aria-hidden="true" />
      <select
        className={look({ full: true, place: "absolute", border: "none", size: "l", pointer: true })}
        aria-label="Second language"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {languages.map((code) => (
          <option className={look({ fill: "raised", tone: "ink" })} key={code} value={code}>
            {[...new Set([nameOf(code).name, nameOf(code).nativeName]), `${percentOf(code)}%`].join(" · ")}
          </option>
        ))}
      </select>
    </label>
  );
}
