/** What `push`, `import` and `extract --push` share: files are sent, shown, and written into the draft. */

import type { Api } from "./api.js";
import { done, type Option, type Outcome } from "./command.js";
import { apply, linesOf, type Settings, type State, sumOf, withPlan } from "./importing.js";
import type { LocaleFile } from "./locales.js";

export interface Sending {
  readonly isDryRun: boolean;
  readonly isStrict: boolean;
  /** The states that are written. */
  readonly take: readonly State[];
}

export const SENDING: Readonly<Record<string, Option>> = {
  overwrite: { type: "boolean", help: "Write over what a person wrote." },
  "dry-run": { type: "boolean", help: "Show what would change, and write nothing." },
  strict: { type: "boolean", help: "Exit with 1 on conflicts, too, not only on invalid texts." },
};

export const FORMAT: Option = { type: "string", value: "ID", help: "The format. Else the server finds it." };

/** Sends the files as an import. Conflicts are texts of the draft that a person wrote. */
export function send(api: Api, settings: Settings, files: readonly LocaleFile[], sending: Sending): Promise<Outcome> {
  const { isDryRun, isStrict, take } = sending;
  return withPlan(api, settings, files, async (plan, importId) => {
    const isOpen = (state: State) => !take.includes(state) && plan.counts[state] > 0;
    const status = isOpen("invalid") || (isStrict && isOpen("conflict")) ? 1 : 0;
    const isNeeded = take.some((state) => plan.counts[state] > 0);
    const applied = isDryRun || !isNeeded ? undefined : await apply(api, settings.projectId, importId, plan, take);
    const end = applied
      ? `${applied.message} Take it back with "npx @livery/cli import --undo ${importId}".`
      : isDryRun
        ? "Nothing was written: this is a dry run."
        : "Nothing was written: there is nothing new.";
    const lines = [...linesOf(plan, ["new", "changed", "conflict", "invalid"]), ...sumOf(plan), end];
    const hint = isOpen("conflict") ? ['Conflicts (!) stay as they are in the draft. "--overwrite" writes them.'] : [];
    const rows = plan.rows.filter((one) => one.state !== "same");
    const { counts, newScreens, unknownLanguages } = plan;
    const json = {
      ...(applied && { importId }),
      texts: applied?.texts ?? 0,
      colors: applied?.colors ?? 0,
      items: applied?.items ?? 0,
      counts,
      newScreens,
      unknownLanguages,
      rows,
      remarks: plan.remarks,
    };
    return { applied: applied !== undefined, result: done([...lines, ...hint], json, status) };
  });
}
