/** Writes records to the device in slices between other work: a large record would stop a slow device for over 50 ms. */

import { addToHash, checksum, FORMAT } from "./cache.js";
import { isObject } from "./content.js";
import type { Cancel, Platform } from "./platform.js";

/** A page can answer a touch between two slices. */
const SLICE_MS = 8;
/** Values this deep are written entry by entry: a record, its body, texts, a screen. */
const DEPTH = 4;

/** The JSON of `value` in small pieces. */
function* pieces(value: unknown, depth: number): Generator<string> {
  const isList = Array.isArray(value);
  if (depth === 0 || !(isList || isObject(value))) {
    yield JSON.stringify(value);
    return;
  }
  let before = isList ? "[" : "{";
  for (const [key, one] of Object.entries(value)) {
    if (one === undefined) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* pieces(one, depth - 1);
    before = ",";
  }
  yield `${before === "," ? "" : before}${isList ? "]" : "}"}`;
}

/** Ends with the record. May be left at every step. */
function* seal(value: object): Generator<undefined, string> {
  const json: string[] = [];
  let hash: number | undefined;
  for (const piece of pieces(value, DEPTH)) {
    json.push(piece);
    hash = addToHash(piece, hash);
    yield undefined;
  }
  return `${FORMAT} ${checksum(hash ?? 0)} ${json.join("")}`;
}

interface Job {
  readonly value: object;
  readonly sealing: Generator<undefined, string>;
}

export class SlicedWriter {
  readonly #pending = new Map<string, object>();
  #job: Job | undefined;
  #cancel: Cancel | undefined;

  constructor(
    readonly platform: Pick<Platform, "after" | "now">,
    readonly write: (key: string, record: string) => void,
  ) {}

  /** Writes `value` soon. The newest value of a key counts. Nobody may change it afterwards. */
  save(key: string, value: object): void {
    this.#pending.set(key, value);
    this.#plan();
  }

  /** Writes now what is still to be written. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    while (this.#pending.size > 0) this.#step();
  }

  #plan(): void {
    this.#cancel ??= this.platform.after(0, () => {
      this.#cancel = undefined;
      const end = this.platform.now() + SLICE_MS;
      do this.#step();
      while (this.#pending.size > 0 && this.platform.now() < end);
      if (this.#pending.size > 0) this.#plan();
    });
  }

  #step(): void {
    for (const [key, value] of this.#pending) {
      if (this.#job?.value !== value) this.#job = { value, sealing: seal(value) };
      const { done, value: record } = this.#job.sealing.next();
      if (!done) return;
      this.#pending.delete(key);
      this.#job = undefined;
      this.write(key, record);
      return;
    }
  }
}
