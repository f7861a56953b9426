/** `pull`: the snapshots of the release or of the draft, and the types of the keys. */

import { type Command, done } from "../command.js";
import { readDraft, readRelease, readStores } from "../content.js";
import { writeIfChanged } from "../files.js";
import { apiOf, configOf, deliveryOf, findApi } from "../project.js";
import { compare, linesOf, warnOfDraft, writeSnapshots } from "../snapshots.js";

export const pull: Command = {
  name: "pull",
  summary: "Write a snapshot of the release for each language, and the types of the keys.",
  options: {
    draft: { type: "boolean", help: "Read the draft, through the project token." },
    check: { type: "boolean", help: "Write nothing. Exit with 1 if a file would change." },
  },
  notes: [
    'The release is read with the publishable key ("key" in livery.json), else with the project token.',
    "The fields of stores need the token; without it they stay as the last pull with a token wrote them.",
    "",
  ],
  async run(call) {
    const config = configOf(call);
    const api = call.has("draft") ? apiOf(call, config) : findApi(call, config);
    const contents = call.has("draft")
      ? (await readDraft(apiOf(call, config), config.projectId)).contents
      : await readRelease(await deliveryOf(call, config), config.projectId);
    const stores = api && (await readStores(api, config.projectId));
    const write = call.has("check") ? compare : writeIfChanged;
    const outcome = writeSnapshots(call.terminal.folder, config, contents, stores, write);
    const release = contents[0]?.release;
    const line = release === undefined ? "The draft" : `Release ${release}`;
    const languages = contents.map((one) => one.language);
    const lines = [`${line} in ${languages.join(", ")}.`, ...linesOf(outcome, write), ...warnOfDraft(contents)];
    const isStale = outcome.written.length > 0 || (outcome.stale ?? []).length > 0;
    return done(lines, { release, languages, ...outcome }, call.has("check") && isStale ? 1 : 0);
  },
};
