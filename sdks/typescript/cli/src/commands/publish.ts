/** `publish`: the draft becomes the next release. */

import { setTimeout as pause } from "node:timers/promises";
import type { Api } from "../api.js";
import { type Command, done } from "../command.js";
import type { Content } from "../content.js";
import { Failure } from "../failure.js";
import { apiOf, configOf, deliveryOf } from "../project.js";

const SECONDS = 60;
const POLL_MS = 500;

interface Published {
  readonly message: string;
  readonly release: number;
  readonly published: boolean;
}

/** Waits until apps are served the release, or a later release. Throws `Failure` after `seconds`. */
async function waitFor(delivery: Api, projectId: string, release: number, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  while (true) {
    const content = await delivery.get<Content>(`/sdk/v1/${encodeURIComponent(projectId)}/content`);
    if ((content.release ?? 0) >= release) return;
    if (performance.now() > until)
      throw new Failure(`Release ${release} is published, but apps are not served it after ${seconds} s.`);
    await pause(POLL_MS);
  }
}

export const publish: Command = {
  name: "publish",
  summary: "Publish the draft as the next release.",
  options: {
    "dry-run": { type: "boolean", help: "Show how many changes would be published." },
    wait: { type: "boolean", help: "Wait until apps are served the release." },
    timeout: { type: "string", value: "SECONDS", help: `How long to wait; ${SECONDS} without it.` },
  },
  notes: [
    "What is published is the draft at the start. If it changes before the release is made, the server refuses.",
    "",
  ],
  async run(call) {
    const config = configOf(call);
    const api = apiOf(call, config);
    const seconds = Number(call.text("timeout") ?? SECONDS);
    if (!(seconds > 0)) throw new Failure('"--timeout" is a number of seconds.');
    const id = encodeURIComponent(config.projectId);
    const { token, total, release } = await api.get<{ token: string; total: number; release: number }>(
      `/api/projects/${id}/diff`,
    );
    if (call.has("dry-run"))
      return done([`${total} unpublished changes since release ${release}.`], { total, release, published: false });
    const outcome = await api.post<Published>(`/api/translations/${id}/publish`, { expected: token });
    if (call.has("wait")) await waitFor(await deliveryOf(call, config), config.projectId, outcome.release, seconds);
    const served = call.has("wait") ? " Apps are served it." : "";
    const json = { release: outcome.release, published: outcome.published, total };
    return done([`${outcome.message} Release ${outcome.release}, ${total} changes.${served}`], json);
  },
};
