/** `export`: texts, colours or items as files of other tools. */

import { isAbsolute, join } from "node:path";
import { type Command, done } from "../command.js";
import { Failure } from "../failure.js";
import { writeBytes } from "../files.js";
import { apiOf, configOf } from "../project.js";

export const exportFiles: Command = {
  name: "export",
  summary: "Write texts, colours or the items of a store to a file.",
  options: {
    format: { type: "string", value: "FORMAT", help: "Such as i18next, android, xliff2, csv; json without it." },
    language: { type: "string", multiple: true, value: "CODE", help: "Only this language. May come several times." },
    release: { type: "boolean", help: "What apps have, in place of the draft." },
    colors: { type: "boolean", help: "Colours: css, tailwind, design_tokens, android, apple." },
    store: { type: "string", value: "NAME", help: "The items of a store: json, csv, xlsx." },
    output: { type: "string", value: "FILE", help: "The file to write; its usual name without it." },
  },
  notes: ["Several files come as a ZIP archive. A file REMARKS.txt in it has what the format can't keep.", ""],
  async run(call) {
    const config = configOf(call);
    const store = call.text("store");
    if (store !== undefined && call.has("colors")) throw new Failure('Give "--colors" or "--store", not both.');
    if ((store !== undefined || call.has("colors")) && call.texts("language").length)
      throw new Failure('"--language" is for texts only.');
    if (store !== undefined && call.has("release")) throw new Failure('"--release" is for texts and colours only.');
    const what = store !== undefined ? `stores/${encodeURIComponent(store)}` : call.has("colors") ? "colors" : "texts";
    const query = new URLSearchParams(call.texts("language").map((code) => ["language", code]));
    const format = call.text("format");
    if (format !== undefined) query.set("format", format);
    if (call.has("release")) query.set("from", "release");
    const path = `/api/projects/${encodeURIComponent(config.projectId)}/exports/${what}?${query}`;
    const { name, bytes } = await apiOf(call, config).download(path);
    const output = call.text("output") ?? name;
    // An archive under another ending would open in no program.
    const file = name.endsWith(".zip") && !output.endsWith(".zip") ? `${output}.zip` : output;
    writeBytes(isAbsolute(file) ? file : join(call.terminal.folder, file), bytes);
    return done([`${file} is written.`], { file, bytes: bytes.length });
  },
};
