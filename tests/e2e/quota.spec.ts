/** A live app over its project's month, over its plan's end, and healed: it slows down and keeps its texts, whatever happens. */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createLivery } from "@livery/client";
import { expect, type LiveryServer, test } from "./support/server.js";

const ROOT = resolve(import.meta.dirname, "../..");
const BIN = join(ROOT, ".venv/bin");
const CALLS_OF_STARTER = 75_000;
const run = promisify(execFile);

test.use({ freshServer: "quota", settings: { LIVERY_EXPIRED_GRACE_DAYS: "30" } });

async function admin(server: LiveryServer, ...words: string[]): Promise<void> {
  await run(join(BIN, "livery"), ["admin", ...words], { env: { ...process.env, LIVERY_DATA_DIR: server.dataDir } });
}

/** As if apps had made so many calls today; a server learns of it within ten seconds. */
async function setCalls(server: LiveryServer, projectId: string, calls: number): Promise<void> {
  const script = `
import sqlite3, sys
from datetime import datetime, timezone
with sqlite3.connect(sys.argv[1], timeout=10) as db:
    db.execute(
        "INSERT INTO usage_days (project_id, day, api_calls, bytes) VALUES (?, ?, ?, 0)"
        " ON CONFLICT (project_id, day) DO UPDATE SET api_calls = excluded.api_calls",
        (sys.argv[2], datetime.now(timezone.utc).date().isoformat(), int(sys.argv[3])),
    )
`;
  await run(join(BIN, "python"), ["-c", script, join(server.dataDir, "livery.db"), projectId, String(calls)]);
}

test("over its limits an app slows down and keeps its texts, and a larger plan heals it", async ({
  request,
  server,
  greeting,
}) => {
  expect(greeting).toContain(server.url);
  const { projectId, key } = (await (await request.get(`${server.url}/storefront/config.json`)).json()) as {
    projectId: string;
    key: string;
  };
  await admin(server, "projects", "set-tier", projectId, "starter");
  const content = `${server.url}/sdk/v1/${projectId}/content`;
  const headers = { Authorization: `Bearer ${key}` };
  const answer = async () => {
    const response = await request.get(content, { headers });
    return `${response.status()} ${response.headers()["cache-control"] ?? ""}`;
  };
  const open = () => createLivery({ projectId, key, baseUrl: server.url, language: "en" });
  const app = open();
  await expect.poll(() => app.waitForLatest()).toBe(true);
  await expect.poll(() => app.state).toBe("live");
  const title = app.t("home.welcome_title", { name: "Mira" });
  expect(title).toBe("Where to next, Mira?");

  await setCalls(server, projectId, CALLS_OF_STARTER);
  await expect.poll(answer, { timeout: 40_000 }).toBe("200 max-age=300");
  await expect.poll(() => app.state, { timeout: 40_000 }).not.toBe("live");
  expect(app.t("home.welcome_title", { name: "Mira" })).toBe(title);

  await setCalls(server, projectId, CALLS_OF_STARTER * 2);
  await expect.poll(answer, { timeout: 40_000 }).toMatch(/^429 /);
  expect(app.t("home.welcome_title", { name: "Mira" })).toBe(title);

  await admin(server, "projects", "set-tier", projectId, "growth");
  await expect.poll(answer, { timeout: 40_000 }).toBe("200 no-cache");
  const healed = open();
  await expect.poll(() => healed.waitForLatest()).toBe(true);
  await expect.poll(() => healed.state).toBe("live");

  const longAgo = new Date(Date.now() - 40 * 86_400_000).toISOString();
  await admin(server, "projects", "set-tier", projectId, "growth", "--until", longAgo);
  await expect.poll(answer, { timeout: 40_000 }).toMatch(/^402 /);
  await expect.poll(() => healed.state, { timeout: 60_000 }).not.toBe("live");
  expect(healed.t("home.welcome_title", { name: "Mira" })).toBe(title);
  app.close();
  healed.close();
});
