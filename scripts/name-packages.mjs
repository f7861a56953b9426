// Names packed SDKs by their version and a digest, and lists them in packages.json: `node scripts/name-packages.mjs FOLDER`.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
const files = {};
for (const file of readdirSync(folder).sort()) {
  const [, name = file.endsWith(".whl") ? "python" : undefined] = /^livery-([a-z0-9]+)-.+\.tgz$/.exec(file) ?? [];
  if (name === undefined) continue;
  const digest = createHash("sha256")
    .update(readFileSync(join(folder, file)))
    .digest("hex")
    .slice(0, 12);
  // pip reads the name of a wheel: the digest is its build number, which starts with a digit.
  files[name] = file.replace(/\.tgz$/, `-${digest}.tgz`).replace(/-py3-none-any\.whl$/, `-0${digest}$&`);
  renameSync(join(folder, file), join(folder, files[name]));
}
writeFileSync(join(folder, "packages.json"), `${JSON.stringify(files, null, 2)}\n`);
