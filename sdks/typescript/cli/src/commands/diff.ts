/** `diff`: locale files against the draft. */

import { type Command, done } from "../command.js";
import { readDraft } from "../content.js";
import { linesOf, sumOf, withPlan } from "../importing.js";
import { findLocales } from "../locales.js";
import { apiOf, configOf } from "../project.js";
import { FORMAT } from "../sending.js";

export const diff: Command = {
  name: "diff",
  summary: "Compare locale files with the draft. Exits with 1 if they differ.",
  takes: "[FILE…]",
  options: { format: FORMAT },
  notes: [
    "+ is only in the files, - only in the draft, ~ and ! differ, x is no valid text. The token needs `write`.",
    "",
  ],
  async run(call) {
    const config = configOf(call);
    const api = apiOf(call, config);
    const files = findLocales(call.terminal.folder, config, call.positionals);
    const draft = await readDraft(api, config.projectId);
    const settings = { projectId: config.projectId, format: call.text("format") ?? config.format };
    return withPlan(api, settings, files, async (plan) => {
      const present = new Set(plan.rows.map((one) => `${one.screen}.${one.key} ${one.language}`));
      const languages = new Set(plan.rows.map((one) => one.language));
      const absent = Object.entries(draft.texts).flatMap(([screen, keys]) =>
        Object.entries(keys).flatMap(([key, values]) =>
          Object.keys(values)
            .filter((one) => values[one] && languages.has(one) && !present.has(`${screen}.${key} ${one}`))
            .map((language) => ({ key: `${screen}.${key}`, language, text: values[language] as string })),
        ),
      );
      const rows = plan.rows.filter((one) => one.state !== "same");
      const lines = [
        ...linesOf(plan, ["new", "changed", "conflict", "invalid"]),
        ...absent.map((one) => `- ${one.key} [${one.language}] ${JSON.stringify(one.text)}`),
        ...sumOf(plan),
        ...(absent.length ? [`${absent.length} only in the draft.`] : []),
      ];
      const json = { counts: plan.counts, rows, onlyInDraft: absent };
      return { applied: false, result: done(lines, json, rows.length + absent.length ? 1 : 0) };
    });
  },
};
