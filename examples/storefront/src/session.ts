// The Livery client of this page, and the two reasons to replace it: the server names another project, or a language
// is wanted that is neither on the device nor reachable.

import { defaultLanguage, snapshots } from "virtual:fallback";
import { createLivery, type LiveryClient } from "@livery/client";
import { type Connection, knownConnection, sameConnection, servedConnection } from "./connection";
import { recall, remember } from "./storage";

/** How long an offline language switch may look for kept texts before the bundled texts are shown. */
const OFFLINE_SWITCH_MS = 400;

export class Session {
  #connection: Connection | undefined = knownConnection();
  #client: LiveryClient = open(this.#connection, startLanguage());
  readonly #listeners = new Set<() => void>();

  readonly getClient = (): LiveryClient => this.#client;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The first paint happens without this; it follows when the server's answer is here. */
  async followServer(): Promise<void> {
    const served = await servedConnection();
    if (!served || sameConnection(served, this.#connection)) return;
    this.#connection = served;
    this.#replace(this.#client.requestedLanguage || this.#client.language);
  }

  readonly switchLanguage = async (language: string): Promise<void> => {
    remember("language", language);
    const client = this.#client;
    const shown = client.setLanguage(language);
    const done = await (client.state === "live" ? shown : Promise.race([shown, after(OFFLINE_SWITCH_MS)]));
    const stillWanted = this.#client === client && client.requestedLanguage === language;
    if (!done && stillWanted && client.language !== language && language in snapshots) this.#replace(language);
  };

  #replace(language: string): void {
    const previous = this.#client;
    this.#client = open(this.#connection, language);
    for (const listener of this.#listeners) listener();
    previous.close();
  }
}

function open(connection: Connection | undefined, language: string): LiveryClient {
  return createLivery({
    projectId: connection?.projectId ?? "bundled",
    key: connection?.key ?? "bundled",
    baseUrl: connection?.baseUrl ?? "",
    language,
    fallback: snapshots[language] ?? snapshots[defaultLanguage],
    // Before the first answer of the server there is nobody to talk to, only the bundled texts to show.
    connection: connection ? "stream" : "off",
    cache: connection !== undefined,
  });
}

/** As last time, else the first of the reader's languages that the bundle has. */
function startLanguage(): string {
  const chosen = recall("language");
  if (chosen) return chosen;
  for (const preferred of navigator.languages) {
    const [base = ""] = preferred.split("-");
    for (const candidate of [preferred, base]) if (candidate in snapshots) return candidate;
  }
  return defaultLanguage;
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds));
}
