/** Reads content from a CDN in place of the server. `parts.ts` loads it for clients with a `contentUrl`. */

import { isObject } from "./content.js";
import { type ContentAnswer, type Endpoint, request } from "./requests.js";
import { order } from "./version.js";

const FORMAT = 1;
const MAX_CONTENT_BYTES = 10 * 1024 * 1024;
const POINTER_PATIENCE_MS = 3_000;
const CONTENT_PATIENCE_MS = 10_000;
const MAX_POINTER_BYTES = 4_096;
/** `content` of a pointer: a file of a release's folder beside the pointers. */
const CONTENT_PATH = /^\.\.\/releases\/[\w.-]+\/[\w.-]+$/;

interface Pointer {
  readonly version: string;
  readonly language: unknown;
  readonly sha256: unknown;
  readonly sizeBytes: unknown;
  /** The address of the content. */
  readonly url: string;
}

/** What a client has. `wanted` is the version that the stream named, if any. */
interface Known {
  readonly version: string | undefined;
  readonly wanted: string | undefined;
}

/**
 * Returns the content behind the pointer of the language. The status is 304 if the client has it or a newer release. Undefined if the server must be
 * asked, since only the server knows which epoch is present. Rejects if the CDN can't be read, or has anything but a whole content of this project.
 */
export async function getCopy(to: Endpoint, known: Known, signal: AbortSignal): Promise<ContentAnswer | undefined> {
  const { digest } = to.platform;
  if (!digest) return undefined;
  const pointer = await findPointer(to, signal);
  if (known.wanted && order(known.wanted, pointer.version) !== "newer" && known.wanted !== pointer.version)
    return undefined;
  if (known.version !== undefined) {
    const standing = order(known.version, pointer.version);
    if (standing === "foreign") return undefined;
    if (standing !== "newer") return { ...NO_HEADERS, status: 304, body: undefined };
  }
  const { bytes } = await getBytes(to, pointer.url, MAX_CONTENT_BYTES, CONTENT_PATIENCE_MS, signal);
  if (!bytes || bytes.length !== pointer.sizeBytes || (await digest(bytes)) !== pointer.sha256)
    throw new Error("a content is damaged");
  const body: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  const isRight = isObject(body) && body.version === pointer.version && body.language === pointer.language;
  if (!isRight || body.projectId !== to.projectId) throw new Error("a content is not what its pointer names");
  return { ...NO_HEADERS, status: 200, body };
}

const NO_HEADERS = { etag: undefined, retryAfter: null, maxAgeMs: 0, isCopy: true };

/** Returns the pointer of the language, of its nearest parent, or of the default language. */
async function findPointer(to: Endpoint, signal: AbortSignal): Promise<Pointer> {
  const subtags = to.language.toLowerCase().split("-").filter(Boolean);
  const names = [...subtags.map((_, count) => subtags.slice(0, subtags.length - count).join("-")), "_default"];
  for (const name of names) {
    const address = `${to.contentUrl}/${encodeURIComponent(name)}.json`;
    const { status, bytes } = await getBytes(to, address, MAX_POINTER_BYTES, POINTER_PATIENCE_MS, signal);
    if (bytes) return readPointer(JSON.parse(new TextDecoder().decode(bytes)), to.projectId, address);
    // A bucket answers 403 for an object that it does not have.
    if (status !== 403 && status !== 404) throw new Error(`status ${status}`);
  }
  throw new Error("it has no content of this project");
}

function readPointer(pointer: unknown, projectId: string, address: string): Pointer {
  if (!isObject(pointer) || typeof pointer.format !== "number" || pointer.format > FORMAT)
    throw new Error("no pointer");
  const { content, version, language, sha256, sizeBytes } = pointer;
  const isRight = pointer.projectId === projectId && typeof version === "string";
  if (!isRight || typeof content !== "string" || !CONTENT_PATH.test(content))
    throw new Error("no pointer of this project");
  return { version, language, sha256, sizeBytes, url: new URL(content, new URL(address, "http://localhost")).href };
}

/** The bytes of a public file, after decompression, where it answers 200. Rejects as `request` does, and above `most` bytes. */
async function getBytes(
  to: Endpoint,
  address: string,
  most: number,
  patienceMs: number,
  signal: AbortSignal,
): Promise<{ status: number; bytes: Uint8Array<ArrayBuffer> | undefined }> {
  const patience = { answerMs: patienceMs, silenceMs: patienceMs };
  return await request(to.platform, address, {}, patience, signal, async ({ status, body }) => {
    if (status !== 200) return { status, bytes: undefined };
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of body) {
      size += piece.length;
      if (size > most) throw new Error("body too large");
      pieces.push(piece);
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return { status, bytes };
  });
}
