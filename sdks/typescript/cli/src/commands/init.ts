/** `init`: writes `livery.json`. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Api } from "../api.js";
import { type Call, type Command, done } from "../command.js";
import { FILE, OUTPUT, SOURCES, serverOf } from "../config.js";
import { findOnlyToken, findToken } from "../credentials.js";
import { Failure } from "../failure.js";
import { writeIfChanged } from "../files.js";
import { detectPattern } from "../locales.js";
import { readProject } from "../project.js";
import { usesI18next } from "../scanning.js";

/** Returns the option, else the answer of a person, else `usual`. Throws `Failure` without any of them. */
async function answer(call: Call, name: string, question: string, usual: string | undefined): Promise<string> {
  const given = call.text(name);
  if (given !== undefined) return given;
  if (!call.terminal.isInteractive || call.has("yes")) {
    if (usual === undefined) throw new Failure(`Give "--${name}". See "npx @livery/cli init --help".`);
    return usual;
  }
  const answered = await call.terminal.ask(usual ? `${question} [${usual}]:` : `${question}:`);
  if (!answered && usual === undefined) throw new Failure(`${question} is needed.`);
  return answered || (usual as string);
}

async function keyOf(call: Call, server: string, projectId: string): Promise<string | undefined> {
  const given = call.text("key");
  const token = findToken(call.terminal, server, projectId);
  if (given !== undefined || !token) return given;
  return (await readProject(new Api(server, token), projectId)).publishableKey ?? undefined;
}

async function projectOfToken(call: Call, server: string): Promise<string | undefined> {
  const token = call.text("project") === undefined ? findOnlyToken(call.terminal, server) : undefined;
  return token && (await new Api(server, token).get<{ projectId: string }>("/api/token")).projectId;
}

export const init: Command = {
  name: "init",
  summary: `Write ${FILE}, from options or answers.`,
  options: {
    server: { type: "string", value: "URL", help: "The address of the Livery server." },
    project: { type: "string", value: "ID", help: "The project (prj_…). Else that of the token." },
    key: { type: "string", value: "KEY", help: "The publishable key (lvp_…). Else that of the project, by the token." },
    locales: { type: "string", value: "PATTERN", help: 'As in "locales/{language}/{namespace}.json". Else detected.' },
    sources: { type: "string", multiple: true, value: "PATTERN", help: `The source files; ${SOURCES[0]}` },
    output: { type: "string", value: "FOLDER", help: `The folder of snapshots and types; ${OUTPUT} without it.` },
    yes: { type: "boolean", help: "Ask nothing." },
    force: { type: "boolean", help: `Write over a ${FILE} that is there.` },
  },
  async run(call) {
    const { folder } = call.terminal;
    const path = join(folder, FILE);
    if (existsSync(path) && !call.has("force")) throw new Failure(`${FILE} is there. "--force" writes over it.`);
    const server = serverOf(await answer(call, "server", "Address of the Livery server", undefined));
    const projectId = await answer(call, "project", "Project (prj_…)", await projectOfToken(call, server));
    const locales = await answer(call, "locales", "Locale files", detectPattern(folder) ?? "");
    const output = await answer(call, "output", "Folder of snapshots and types", OUTPUT);
    const key = await keyOf(call, server, projectId);
    const sources = call.texts("sources");
    const config = {
      server,
      projectId,
      ...(key && { key }),
      sources: sources.length ? sources : SOURCES,
      ...(locales && { locales }),
      output,
      ...(usesI18next(folder) && { i18next: `${output}/i18next.d.ts` }),
    };
    writeIfChanged(path, `${JSON.stringify(config, undefined, 2)}\n`);
    const found = locales ? `Locale files: ${locales}.` : "No locale files were found.";
    const next = locales ? '"npx @livery/cli push", then "publish --wait" and "pull"' : '"npx @livery/cli pull"';
    return done([`Wrote ${FILE}.`, found, `Next: ${next}.`], config);
  },
};
