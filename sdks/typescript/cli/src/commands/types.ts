/** `types`: the types of the keys, from the snapshots of `pull`. */

import { type Command, done } from "../command.js";
import { configOf } from "../project.js";
import { linesOf, writeTypesFile } from "../snapshots.js";

export const types: Command = {
  name: "types",
  summary: "Write the types of the keys from the snapshots of pull. Needs no network.",
  options: {},
  async run(call) {
    const outcome = writeTypesFile(call.terminal.folder, configOf(call));
    return done(linesOf(outcome), outcome);
  },
};
