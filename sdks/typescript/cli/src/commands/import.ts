/** `import`: files of any format into the draft, and the way back. */

import { type Command, done } from "../command.js";
import { Failure } from "../failure.js";
import { undo } from "../importing.js";
import { findLocales } from "../locales.js";
import { apiOf, configOf } from "../project.js";
import { FORMAT, SENDING, send } from "../sending.js";

export const importFiles: Command = {
  name: "import",
  summary: "Import files of any format that the server reads, or undo an import.",
  takes: "FILE…",
  options: {
    ...SENDING,
    format: FORMAT,
    language: { type: "string", value: "CODE", help: "The language of the files. Else their paths show it." },
    namespace: { type: "string", value: "NAME", help: 'The namespace of the files. "" is the default namespace.' },
    screen: { type: "string", value: "NAME", help: "Put all texts into this screen." },
    store: { type: "string", value: "NAME", help: "The files have items of the Data Store with this API identifier." },
    match: { type: "string", value: "FIELD", help: 'The field that finds the item of a row. Else its "_id" does.' },
    undo: { type: "string", value: "ID", help: "Take what an import wrote out of the draft again." },
  },
  async run(call) {
    const config = configOf(call);
    const api = apiOf(call, config);
    const id = call.text("undo");
    if (id !== undefined) {
      if (call.positionals.length) throw new Failure('"--undo" takes no files.');
      const { message, kept } = await undo(api, config.projectId, id);
      return done([message], { importId: id, message, kept });
    }
    if (!call.positionals.length) throw new Failure('Name the files to import. See "livery-cli import --help".');
    const files = findLocales(call.terminal.folder, config, call.positionals).map((one) => ({
      ...one,
      language: call.text("language") ?? one.language,
      namespace: call.text("namespace") ?? one.namespace,
    }));
    const settings = {
      projectId: config.projectId,
      format: call.text("format"),
      screen: call.text("screen"),
      store: call.text("store"),
      match: call.text("match"),
    };
    return send(api, settings, files, {
      isDryRun: call.has("dry-run"),
      isStrict: call.has("strict"),
      take: call.has("overwrite") ? ["new", "changed", "conflict"] : ["new", "changed"],
    });
  },
};
