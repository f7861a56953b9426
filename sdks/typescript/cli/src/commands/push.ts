/** `push`: the texts of locale files into the draft. */

import type { Command } from "../command.js";
import { findLocales } from "../locales.js";
import { apiOf, configOf } from "../project.js";
import { FORMAT, SENDING, send } from "../sending.js";

export const push: Command = {
  name: "push",
  summary: "Write new keys and texts of locale files into the draft.",
  takes: "[FILE…]",
  options: { ...SENDING, format: FORMAT },
  notes: [
    'Without files, the pattern "locales" of livery.json finds them. A text that a person wrote is a conflict and stays;',
    "a text that an earlier push or import wrote is replaced.",
    "",
  ],
  async run(call) {
    const config = configOf(call);
    const api = apiOf(call, config);
    const files = findLocales(call.terminal.folder, config, call.positionals);
    const settings = { projectId: config.projectId, format: call.text("format") ?? config.format };
    return send(api, settings, files, {
      isDryRun: call.has("dry-run"),
      isStrict: call.has("strict"),
      take: call.has("overwrite") ? ["new", "changed", "conflict"] : ["new", "changed"],
    });
  },
};
