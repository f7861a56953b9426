/** `pull`: the snapshots of the release or of the draft, and the types of the keys. */

import { type Command, done } from "../command.js";
import { readDraft, readRelease, readStores } from "../content.js";
import { apiOf, configOf, deliveryOf, findApi } from "../project.js";
import { linesOf, warnOfDraft, writeSnapshots } from "../snapshots.js";

export const pull: Command = {
  name: "pull",
  summary: "Write a snapshot of the release for each language, and the types of the keys.",
  options: { draft: { type: "boolean", help: "Read the draft, through the project token." } },
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
    const outcome = writeSnapshots(call.terminal.folder, config, contents, stores);
    const release = contents[0]?.release;
    const line = release === undefined ? "The draft" : `Release ${release}`;
    const languages = contents.map((one) => one.language);
    const lines = [`${line} in ${languages.join(", ")}.`, ...linesOf(outcome), ...warnOfDraft(contents)];
    return done(lines, { release, languages, ...outcome });
  },
};
