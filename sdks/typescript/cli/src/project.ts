/** The project of a call: its configuration, and the API with the token. */

import { Api } from "./api.js";
import type { Call } from "./command.js";
import { type Config, readConfig } from "./config.js";
import { findToken } from "./credentials.js";
import { Failure } from "./failure.js";

export interface ProjectView {
  readonly name: string;
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
  readonly tabs: readonly string[];
  readonly release: number;
  readonly publishableKey: string | null;
}

/** Returns the API with the token of the project. Throws `Failure` without a token. */
export function apiOf(call: Call, config: Config): Api {
  const api = findApi(call, config);
  if (!api) throw new Failure('This needs a project token. Run "npx @livery/cli login", or set LIVERY_TOKEN.');
  return api;
}

/** Returns the API with the token of the project; undefined without a token. */
export function findApi(call: Call, config: Config): Api | undefined {
  const token = findToken(call.terminal, config.server, config.projectId);
  return token === undefined ? undefined : new Api(config.server, token);
}

export function readProject(api: Api, projectId: string): Promise<ProjectView> {
  return api.get(`/api/projects/${encodeURIComponent(projectId)}`);
}

/** Returns the API of apps. It takes the publishable key of `livery.json`, else asks for it with the token. */
export async function deliveryOf(call: Call, config: Config): Promise<Api> {
  if (config.key) return new Api(config.server, config.key);
  const { publishableKey } = await readProject(apiOf(call, config), config.projectId);
  if (!publishableKey) throw new Failure("The project has no publishable key. Make a key in its settings.");
  return new Api(config.server, publishableKey);
}

export function configOf(call: Call): Config {
  return readConfig(call.terminal.folder);
}
