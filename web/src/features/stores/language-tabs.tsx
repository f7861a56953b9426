/** A tab per language of the project, with its flag and name. The arrow keys go through them. */
import type { KeyboardEvent } from "react";
import type { LanguageName } from "@/lib/languages";
import { Flag } from "@/ui/flag";
import { focusIn } from "@/ui/focus";
import { look } from "@/ui/look";
import classes from "./item-dialog.module.css";

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export function LanguageTabs({
  languages,
  chosen,
  edited,
  onChoose,
}: {
  languages: readonly LanguageName[];
  chosen: string;
  /** The languages with unsaved values. */
  edited: ReadonlySet<string>;
  onChoose: (code: string) => void;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = languages.findIndex(({ code }) => code === chosen);
    const ends: Readonly<Record<string, number>> = { Home: 0, End: languages.length - 1 };
    const step = STEPS[event.key];
    const to = step === undefined ? ends[event.key] : (at + step + languages.length) % languages.length;
    const next = to === undefined ? undefined : languages[to];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.code);
    focusIn(event.currentTarget, `[data-code="${next.code}"]`);
  };
  return (
    <div
      className={look({ layout: "row", gap: 4, rigid: true, px: 20, lineBelow: true }, classes["tabs"])}
      role="tablist"
      aria-label="Languages"
      onKeyDown={onKeyDown}
    >
      {languages.map(({ code, name, flag }) => (
        <button
          className={look({
            layout: "inline",
            align: "center",
            gap: 6,
            rigid: true,
            place: "relative",
            px: 10,
            py: 0,
            minH: 40,
            fill: "none",
            border: "none",
            size: "s",
            weight: 500,
            leading: 140,
            tone: "ink-2",
            pointer: true,
            darkens: true,
            tab: true,
          })}
          key={code}
          type="button"
          role="tab"
          data-code={code}
          aria-selected={code === chosen}
          {...(code === chosen ? { "aria-controls": `item-${code}` } : {})}
          tabIndex={code === chosen ? 0 : -1}
          onClick={() => onChoose(code)}
        >
          <Flag language={{ flag, code }} /> {name}
          {edited.has(code) && <i className={look({ dot: true })} role="img" aria-label="not saved" />}
        </button>
      ))}
    </div>
  );
}
