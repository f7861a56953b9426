/**
 * Writes a brotli and a gzip copy beside each text file of the folder that it gets, at the best level: `node scripts/precompress.mjs FOLDER`.
 * The server sends the copies (livery/core/site.py). `web/scripts/check-size.mjs` measures what a copy has.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = /\.(js|mjs|css|svg|json|html|webmanifest|txt|map)$/;
/** Below this, the header of a compressed answer costs more than it saves. */
const SMALLEST_BYTES = 600;

const encodings = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** What the server sends of a text file with the encoding `br` or `gz`: the compressed copy, or the file if no copy is smaller. */
export async function sent(bytes, encoding) {
  if (bytes.length < SMALLEST_BYTES) return bytes;
  const smaller = await encodings[encoding](bytes);
  return smaller.length < bytes.length ? smaller : bytes;
}

async function compress(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => TEXT.test(name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      for (const suffix of Object.keys(encodings)) {
        const copy = await sent(bytes, suffix);
        if (copy !== bytes) await writeFile(join(folder, `${name}.${suffix}`), copy);
      }
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compress(process.argv[2]);
