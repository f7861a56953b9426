/** `check`: the code against the texts of the project. */

import * as checking from "../checking.js";
import { KINDS, type Kind } from "../checking.js";
import { type Call, type Command, done } from "../command.js";
import { readDraft } from "../content.js";
import { Failure } from "../failure.js";
import { apiOf, configOf } from "../project.js";
import { scan } from "../scanning.js";
import { readSnapshots, warnOfDraft } from "../snapshots.js";

function skipped(call: Call): readonly string[] {
  const given = call.texts("skip");
  const odd = given.find((one) => !KINDS.includes(one as Kind));
  if (odd !== undefined) throw new Failure(`"--skip ${odd}" is no kind of finding. Kinds: ${KINDS.join(", ")}.`);
  return given;
}

export const check: Command = {
  name: "check",
  summary: "Find unknown and unused keys, missing parameters and missing translations.",
  options: {
    draft: { type: "boolean", help: "Compare with the draft, through the token; finds missing translations." },
    ignore: { type: "string", multiple: true, value: "PATTERN", help: 'Leave out keys, as in "legacy.*". Repeatable.' },
    skip: { type: "string", multiple: true, value: "KIND", help: "Leave out a kind of finding. Repeatable." },
  },
  notes: [
    `Kinds: ${KINDS.join(", ")}.`,
    "Without --draft the snapshots of pull are read. In them a missing translation has the text of the default language,",
    "so missing translations are found with --draft only.",
    "",
  ],
  async run(call) {
    const config = configOf(call);
    const skip = skipped(call);
    const { files, uses } = scan(call.terminal.folder, config);
    const draft = call.has("draft") ? await readDraft(apiOf(call, config), config.projectId) : undefined;
    const contents = draft?.contents ?? readSnapshots(call.terminal.folder, config);
    const texts = checking.textsByKey(contents);
    const all = [
      ...checking.checkUses(uses, texts),
      ...checking.findUnused(uses, texts),
      ...checking.findMissingLanguages(contents),
      ...(draft ? checking.findUntranslated(draft) : []),
    ].filter((one) => !skip.includes(one.kind));
    const findings = checking.leaveOut(all, [...config.ignore, ...call.texts("ignore")]);
    const rows = findings.map((one) => `${one.file ? `${one.file}:${one.line}: ` : ""}${one.message} (${one.kind})`);
    const computed = uses.filter((one) => one.prefix !== undefined && one.key === undefined).length;
    const note = computed ? ` ${computed} computed names were not checked.` : "";
    const sum = `${findings.length} ${findings.length === 1 ? "finding" : "findings"} in ${files} files and ${texts.size} texts.`;
    const hints = draft ? [] : warnOfDraft(contents);
    return done(
      [...rows, ...hints, sum + note],
      { files, keys: texts.size, computed, findings },
      findings.length ? 1 : 0,
    );
  },
};
