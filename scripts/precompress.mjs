/**
 * Writes a brotli and a gzip copy beside each text file of the folder that it gets, at the best level: `node scripts/precompress.mjs FOLDER`.
 * The server sends the copies (livery/core/site.py).
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = /\.(js|mjs|css|svg|json|html|webmanifest|txt|map)$/;
/** Below this, the header of a compressed answer costs more than it saves. */
const SMALLEST_BYTES = 600;

const encodings = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

const folder = process.argv[2];
const names = (await readdir(folder, { recursive: true })).filter((name) => TEXT.test(name));
await Promise.all(
  names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    if (bytes.length < SMALLEST_BYTES) return;
    for (const [suffix, compress] of Object.entries(encodings)) {
      const smaller = await compress(bytes);
      if (smaller.length < bytes.length) await writeFile(join(folder, `${name}.${suffix}`), smaller);
    }
  }),
);
