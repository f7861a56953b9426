/** `extract`: the keys of the code with their default texts. */

import { resolve } from "node:path";
import { type Command, done, type Outcome } from "../command.js";
import { toJson, writeIfChanged } from "../files.js";
import { apiOf, configOf, readProject } from "../project.js";
import { scan } from "../scanning.js";
import { SENDING, send } from "../sending.js";
import type { Use } from "../uses.js";

interface Extracted {
  /** Default texts by key; empty without a default text. */
  readonly texts: Readonly<Record<string, string>>;
  /** The keys with several default texts. The first is taken. */
  readonly differing: readonly string[];
}

function collect(uses: readonly Use[]): Extracted {
  const found = new Map<string, string>();
  const differing = new Set<string>();
  for (const { key, fallback = "" } of uses) {
    if (key === undefined) continue;
    const known = found.get(key);
    if (!known) found.set(key, fallback);
    else if (fallback && fallback !== known) differing.add(key);
  }
  return { texts: Object.fromEntries(found), differing: [...differing].sort() };
}

export const extract: Command = {
  name: "extract",
  summary: "Find the keys of the code with their default texts.",
  options: {
    output: { type: "string", value: "FILE", help: "Write the keys into this JSON file." },
    push: { type: "boolean", help: "Write new keys with a default text into the draft." },
    language: { type: "string", value: "CODE", help: "The language of the default texts. Else the project's default." },
    "dry-run": SENDING["dry-run"] as NonNullable<(typeof SENDING)[string]>,
  },
  notes: ["A push writes texts of keys that have no text; it never changes a text.", ""],
  async run(call) {
    const config = configOf(call);
    const { uses, files } = scan(call.terminal.folder, config);
    const { texts, differing } = collect(uses);
    const warnings = differing.map((key) => `${key} has several default texts; the first is taken.`);
    const sum = `${Object.keys(texts).length} keys in ${files} files.`;
    const output = call.text("output");
    if (output) writeIfChanged(resolve(call.terminal.folder, output), toJson(texts));
    if (call.has("push")) {
      const api = apiOf(call, config);
      const language = call.text("language") ?? (await readProject(api, config.projectId)).defaultLanguage;
      const known = Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
      const file = { name: "extracted.json", bytes: Buffer.from(toJson(known)), language, namespace: "" };
      const settings = { projectId: config.projectId, format: "json_flat" };
      const sending = { isDryRun: call.has("dry-run"), isStrict: false, take: ["new"] as const };
      const sent: Outcome = await send(api, settings, [file], sending);
      return done([...warnings, sum, ...sent.lines], { texts, differing, push: sent.json }, sent.status);
    }
    const rows = output ? [`Wrote ${output}`] : [toJson(texts).trimEnd()];
    return done([...warnings, ...rows, ...(output ? [sum] : [])], { texts, differing });
  },
};
