/**
 * Times `livery-cli check` on 2,000 components of 2.9 kB and 10,000 texts: `node tools/corpus.mjs`, after `npm run build`.
 * Every component reads texts, so no file is skipped. Prints the seconds of three runs.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FILES = 2000;
const SCREENS = 200;
const KEYS = 50;
const command = fileURLToPath(new URL("../dist/livery-cli.js", import.meta.url));

function textsOfScreen() {
  const text = (key) =>
    key % 5 === 0 ? "Hello {name}, {count, plural, one {# item} other {# items}}" : `The text of number ${key}`;
  return Object.fromEntries(Array.from({ length: KEYS }, (_, key) => [`key_${key}`, text(key)]));
}

function component(screen, number) {
  return `export function Part${number}({ id, items, onChange }: Props) {
  const t = useT();
  const [open, setOpen] = useState<boolean>(false);
  useEffect(() => { const timer = setTimeout(() => setOpen(true), 100); return () => clearTimeout(timer); }, [id]);
  const sum = items.reduce((total, one) => total + one.price, 0);
  if (!open) return null;
  return (
    <section className="part" id={id} aria-label={t("${screen}.key_${number + 1}")}>
      <h2>{t("${screen}.key_0", { name: id, count: items.length })}</h2>
      <ul>{items.map((one) => <li key={one.name} onClick={() => onChange(one.name)}>{one.price.toFixed(2)}</li>)}</ul>
      <p>{t("${screen}.key_6", "Default")} {sum > 0 ? t("${screen}.key_11") : t("${screen}.key_12")}</p>
      <button type="button" disabled={sum === 0} onClick={() => onChange("all")}>{t("${screen}.key_13")}</button>
    </section>
  );
}
`;
}

const HEAD = `import { useT } from "@livery/react";
import { useEffect, useState } from "react";
interface Props { id: string; items: readonly { name: string; price: number }[]; onChange(value: string): void }
`;

const folder = mkdtempSync(join(tmpdir(), "livery-cli-corpus-"));
try {
  const texts = Object.fromEntries(
    Array.from({ length: SCREENS }, (_, screen) => [`screen${screen}`, textsOfScreen()]),
  );
  const snapshot = { projectId: "prj_a", language: "en", languages: ["en"], texts, colors: {}, images: {}, stores: {} };
  mkdirSync(join(folder, "livery"));
  writeFileSync(join(folder, "livery/en.json"), JSON.stringify(snapshot));
  writeFileSync(join(folder, "livery.json"), JSON.stringify({ server: "https://a.example.com", projectId: "prj_a" }));
  for (let file = 0; file < FILES; file++) {
    const place = join(folder, `src/part${file % 50}`);
    mkdirSync(place, { recursive: true });
    const parts = [0, 1, 2].map((number) => component(`screen${file % SCREENS}`, number));
    writeFileSync(join(place, `part${file}.tsx`), HEAD + parts.join(""));
  }
  for (let run = 0; run < 3; run++) {
    const start = performance.now();
    const { stdout } = spawnSync(process.execPath, [command, "check"], { cwd: folder, encoding: "utf8" });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${seconds} s: ${stdout.trim().split("\n").at(-1)}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
