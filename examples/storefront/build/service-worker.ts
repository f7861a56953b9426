// Vite plugin: gives the built service worker the files that make up the app, and names its cache after them.

import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "vite";

const WORKER = "sw.js";

export function serviceWorkerShell(): Plugin {
  return {
    name: "storefront-service-worker-shell",
    apply: "build",
    async writeBundle(options) {
      const outDir = options.dir;
      if (!outDir) throw new Error("The service worker needs an output folder.");

      const files = await listFiles(outDir);
      const shell = files.filter((file) => file !== WORKER).sort();
      const hash = createHash("sha256");
      for (const file of shell) hash.update(file).update(await readFile(path.join(outDir, file)));
      // The page is kept under the address people open, not under its file name.
      const urls = shell.map((file) => (file === "index.html" ? "./" : `./${file}`));

      const workerPath = path.join(outDir, WORKER);
      const source = await readFile(workerPath, "utf8");
      const filled = source
        .replace("__SHELL_FILES__", urls.join("|"))
        .replace("__SHELL_HASH__", hash.digest("hex").slice(0, 12));
      if (filled.includes("__SHELL_")) throw new Error("The service worker lost a placeholder.");
      await writeFile(workerPath, filled);
    },
  };
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));
}
