/** QR codes (ISO/IEC 18004): a text as bytes, with error correction L, in the smallest of versions 1 to 20 that holds it. */

type Modules = boolean[][];

/** Correction codewords of a block, and the number of blocks, by version; for level L. */
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The dark modules row by row, without the quiet zone; null for a text of more than 858 bytes. `mask` is chosen as the standard says. */
export function qrCode(text: string, mask?: number): readonly (readonly boolean[])[] | null {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, at) => bitsOf(bytes.length, at + 1) <= dataLength(at + 1) * 8) + 1;
  if (version === 0) return null;
  const codewords = corrected(packed(bytes, version), version);
  const wanted = mask === undefined ? MASKS.map((_, number) => number) : [mask];
  const drawn = wanted.map((number) => drawCode(version, codewords, number));
  return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

const countBits = (version: number) => (version < 10 ? 8 : 16);
const bitsOf = (length: number, version: number) => 4 + countBits(version) + length * 8;
const at = (list: readonly number[], version: number) => list[version - 1] ?? 0;
const dataLength = (version: number) => allCodewords(version) - at(CORRECTION, version) * at(BLOCKS, version);

function allCodewords(version: number): number {
  const places = alignment(version).length;
  const aligned = places === 0 ? 0 : (25 * places - 10) * places - 55;
  return Math.floor(((16 * version + 128) * version + 64 - aligned - (version >= 7 ? 36 : 0)) / 8);
}

/** Where the middles of alignment patterns are, in both directions. */
function alignment(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const last = 4 * version + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, place) => last - (count - 2 - place) * step)];
}

// --- data --------------------------------------------------------------------------------------------------------

function packed(bytes: Uint8Array, version: number): number[] {
  const bits = [
    ...binary(4, 4),
    ...binary(bytes.length, countBits(version)),
    ...[...bytes].flatMap((one) => binary(one, 8)),
  ];
  const room = dataLength(version) * 8;
  bits.push(...binary(0, Math.min(4, room - bits.length)));
  bits.push(...binary(0, -bits.length & 7));
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) bits.push(...binary(pad, 8));
  return Array.from({ length: room / 8 }, (_, byte) => Number.parseInt(bits.slice(byte * 8, byte * 8 + 8).join(""), 2));
}

const binary = (value: number, length: number): number[] =>
  Array.from({ length }, (_, bit) => (value >> (length - 1 - bit)) & 1);

/** Data and correction of all blocks, interleaved. */
function corrected(data: readonly number[], version: number): number[] {
  const count = at(BLOCKS, version);
  const short = Math.floor(data.length / count);
  const divisor = generator(at(CORRECTION, version));
  let start = 0;
  const blocks = Array.from({ length: count }, (_, block) => {
    const length = short + (block >= count - (data.length % count) ? 1 : 0);
    const part = data.slice(start, start + length);
    start += length;
    return { part, rest: remainder(part, divisor) };
  });
  const woven = (rows: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, place) => rows.flatMap((row) => row[place] ?? [])).flat();
  return [
    ...woven(
      blocks.map((block) => block.part),
      short + 1,
    ),
    ...woven(
      blocks.map((block) => block.rest),
      divisor.length,
    ),
  ];
}

/** In the field of 256 elements modulo x⁸ + x⁴ + x³ + x² + 1. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((other >> bit) & 1) * one);
  return product;
}

/** The Reed-Solomon generator of a degree, without its leading 1. */
function generator(degree: number): number[] {
  const found = [...Array<number>(degree - 1).fill(0), 1];
  for (let turn = 0, root = 1; turn < degree; turn++, root = multiply(root, 2)) {
    for (const place of found.keys()) found[place] = multiply(found[place] ?? 0, root) ^ (found[place + 1] ?? 0);
  }
  return found;
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const one of data) {
    const factor = one ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [place, term] of divisor.entries()) rest[place] = (rest[place] ?? 0) ^ multiply(term, factor);
  }
  return rest;
}

// --- picture -----------------------------------------------------------------------------------------------------

function drawCode(version: number, codewords: readonly number[], mask: number): Modules {
  const size = 17 + 4 * version;
  const modules: Modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const isFixed: Modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, isDark: boolean) => {
    const [row, fixed] = [modules[y], isFixed[y]];
    if (row === undefined || fixed === undefined || x < 0 || x >= size) return;
    row[x] = isDark;
    fixed[x] = true;
  };
  for (let place = 0; place < size; place++) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  drawPatterns(version, size, set);
  drawFormat(mask, size, set);
  if (version >= 7) drawVersion(version, size, set);
  fill(modules, isFixed, codewords, MASKS[mask] ?? (() => false));
  return modules;
}

type SetModule = (x: number, y: number, isDark: boolean) => void;

function drawPatterns(version: number, size: number, set: SetModule): void {
  const square = (x: number, y: number, reach: number, isDark: (ring: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const places = alignment(version);
  const last = places.at(-1);
  for (const x of places)
    for (const y of places) {
      const isCorner = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6);
      if (!isCorner) square(x, y, 2, (ring) => ring !== 1);
    }
}

function drawFormat(mask: number, size: number, set: SetModule): void {
  const data = (1 << 3) | mask;
  let rest = data;
  for (let turn = 0; turn < 10; turn++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const bit = (number: number) => ((bits >> number) & 1) === 1;
  for (let number = 0; number < 15; number++) {
    // Past the timing pattern the line goes on one further.
    if (number < 8) set(8, number < 6 ? number : number + 1, bit(number));
    else set(number === 8 ? 7 : 14 - number, 8, bit(number));
    if (number < 8) set(size - 1 - number, 8, bit(number));
    else set(8, size - 15 + number, bit(number));
  }
  set(8, size - 8, true);
}

function drawVersion(version: number, size: number, set: SetModule): void {
  let rest = version;
  for (let turn = 0; turn < 12; turn++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let number = 0; number < 18; number++) {
    const isDark = ((bits >> number) & 1) === 1;
    const [far, near] = [size - 11 + (number % 3), Math.floor(number / 3)];
    set(far, near, isDark);
    set(near, far, isDark);
  }
}

/** Two columns at a time, up and down from the right, around what is fixed. */
function fill(
  modules: Modules,
  isFixed: Modules,
  codewords: readonly number[],
  mask: (x: number, y: number) => boolean,
): void {
  const size = modules.length;
  let place = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = modules[y];
        if (row === undefined || isFixed[y]?.[x] === true) continue;
        const isDark = (((codewords[place >> 3] ?? 0) >> (7 - (place & 7))) & 1) === 1;
        row[x] = isDark !== mask(x, y);
        place++;
      }
    }
  }
}

/** How hard the picture is to read: long runs, blocks, what looks like a corner, and too much of one kind. */
function penalty(modules: Modules): number {
  const rows = modules.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
  const columns = modules.map((_, x) => rows.map((row) => row[x]).join(""));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (const [y, row] of rows.slice(1).entries())
    for (let x = 1; x < row.length; x++)
      if (new Set([row[x], row[x - 1], rows[y]?.[x], rows[y]?.[x - 1]]).size === 1) sum += 3;
  const dark = rows.join("").replaceAll("0", "").length;
  return sum + 10 * Math.floor(Math.abs((dark * 20) / modules.length ** 2 - 10));
}
