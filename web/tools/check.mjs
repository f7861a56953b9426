// Fails when openapi.json is not what the server says now, or a generated file is not what openapi.json says.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const now = execFileSync(path("../../.venv/bin/livery"), ["openapi"], { encoding: "utf8" });
if (now !== readFileSync(path("../openapi.json"), "utf8")) {
  console.error("web/openapi.json is not what the server publishes: run `npm run api` in web/.");
  process.exit(1);
}
execFileSync(process.execPath, [path("generate.mjs"), "--check"], { stdio: "inherit" });
