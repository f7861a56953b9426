/** `login` and `logout`: the project token of a person on this machine. */

import { Api } from "../api.js";
import { type Call, type Command, done } from "../command.js";
import { readConfig, serverOf } from "../config.js";
import { checkToken, forgetTokens, keepToken } from "../credentials.js";
import { Failure } from "../failure.js";

interface OwnToken {
  readonly projectId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
}

const SERVER = { type: "string", value: "URL", help: "The server. Else that of livery.json." } as const;

async function serverOfCall(call: Call): Promise<string> {
  const given = call.text("server");
  if (given) return serverOf(given);
  try {
    return readConfig(call.terminal.folder).server;
  } catch (error) {
    if (!call.terminal.isInteractive) throw new Failure('Name the server with "--server URL".', { cause: error });
    return serverOf(await call.terminal.ask("Address of the Livery server:"));
  }
}

/** Whether a call to the server crosses a network without encryption. */
function isOpen(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

async function tokenOfCall(call: Call): Promise<string> {
  const given = call.text("token");
  if (given === "-") return checkToken(await call.terminal.input());
  if (given !== undefined)
    throw new Failure('The token of "--token" would stay in the history of your shell. Use "--token -" and stdin.');
  if (!call.terminal.isInteractive)
    throw new Failure('Give the token with "--token -" and stdin, or set LIVERY_TOKEN.');
  return checkToken(await call.terminal.ask("Project token (lvt_…):", { hidden: true }));
}

export const login: Command = {
  name: "login",
  summary: "Keep a project token for this machine.",
  options: {
    server: SERVER,
    token: { type: "string", value: "-", help: '"-" reads the token from the standard input.' },
  },
  notes: ["The token is kept in your config folder; only you can read the file. LIVERY_TOKEN comes before it.", ""],
  async run(call) {
    const server = await serverOfCall(call);
    const token = await tokenOfCall(call);
    if (isOpen(server))
      call.terminal.err(`Warning: ${server} is not encrypted. Others in the network can read the token.`);
    const own = await new Api(server, token).get<OwnToken>("/api/token");
    const path = keepToken(call.terminal, server, own.projectId, token);
    const line = `Logged in to ${server}: token "${own.name}" of ${own.projectId}, scopes ${own.scopes.join(", ")}.`;
    const { projectId, name, scopes, expiresAt } = own;
    return done([line, `The token is kept in ${path}.`], { server, projectId, name, scopes, expiresAt });
  },
};

export const logout: Command = {
  name: "logout",
  summary: "Forget the project tokens of a server.",
  options: { server: SERVER, project: { type: "string", value: "ID", help: "Forget the token of this project only." } },
  async run(call) {
    const server = await serverOfCall(call);
    const count = forgetTokens(call.terminal, server, call.text("project"));
    const line = `Forgot ${count} ${count === 1 ? "token" : "tokens"} of ${server}. A token works until an admin ends it.`;
    return done([line], { server, forgotten: count });
  },
};
