/** Reading one content over the bundle: synchronous, without exceptions, one warning per missing key. */

import { own } from "./content.js";
import { directionOf } from "./direction.js";
import { formatMessage } from "./message.js";
import type { LiveryContent, LiveryImage, LiveryReader, TextParams } from "./types.js";

type Warn = (id: string, message: string) => void;
type Readable = Pick<LiveryContent, "language" | "texts" | "colors" | "images">;

/** Texts of this screen can be named without their screen. */
const GENERAL = "general";

/** Makes the readers of one client; what they hand out as objects stays the same object while it stays equal. */
export class Readers {
  readonly #colors = new WeakMap<object, { under: object | undefined; all: Readonly<Record<string, string>> }>();
  readonly #images = new WeakMap<LiveryImage, LiveryImage | { url: undefined }>();
  readonly #noColors = {};

  constructor(
    readonly baseUrl: string,
    readonly warn: Warn,
  ) {}

  of(content: LiveryContent | undefined, bundle: Readable | undefined, requested: string): LiveryReader {
    const language = content?.language || (content ? "" : bundle?.language) || requested;
    const missing = (kind: string, key: string) => {
      // Before the first content nothing is known to be missing; before release 1 everything is.
      if (!content) return;
      if (content.version !== undefined && content.release === 0) this.warn("release-0", "nothing is published yet");
      else this.warn(`${kind}:${key}`, `no ${kind} "${key}"`);
    };
    const image = (key: string): LiveryImage | undefined => {
      const name = String(key);
      const here = content && own(content.images, name);
      if (!here) missing("image", name);
      const found = here ?? (bundle && own(bundle.images, name));
      return found && this.#resolve(found);
    };
    return {
      t: (key: string, second?: TextParams | string, third?: string | { default?: string }) =>
        safely("", () => text({ content, bundle, language, missing }, String(key), second, third)),
      color: ((key: string, fallback?: string) =>
        safely(fallback, () => {
          const name = String(key);
          const here = content && own(content.colors, name);
          if (here === undefined) missing("color", name);
          return here ?? (bundle && own(bundle.colors, name)) ?? fallback;
        })) as LiveryReader["color"],
      colors: () => this.#allColors(content, bundle),
      image: (key: string) => safely(undefined, () => image(key)),
      language,
      languages: content?.languages ?? [],
      get direction() {
        return directionOf(language);
      },
      version: content?.version,
    };
  }

  #allColors(content: LiveryContent | undefined, bundle: Readable | undefined): Readonly<Record<string, string>> {
    const over = content?.colors ?? this.#noColors;
    let known = this.#colors.get(over);
    if (!known || known.under !== bundle?.colors) {
      const all = Object.freeze({ ...bundle?.colors, ...content?.colors });
      known = { under: bundle?.colors, all };
      this.#colors.set(over, known);
    }
    return known.all;
  }

  /** Paths become addresses of the server; anything but http(s) is no image. */
  #resolve(image: LiveryImage): LiveryImage | undefined {
    let resolved = this.#images.get(image);
    if (!resolved) {
      const url = resolveUrl(image.url, this.baseUrl);
      resolved = url === undefined ? { url } : { ...image, url };
      this.#images.set(image, resolved);
    }
    return resolved.url === undefined ? undefined : (resolved as LiveryImage);
  }
}

/** A path of the server is below the path of the base URL, too. */
function resolveUrl(path: string, baseUrl: string): string | undefined {
  const isPath = /^\/(?![/\\])/.test(path);
  const address = isPath ? baseUrl + path : path;
  try {
    const url = new URL(address, baseUrl || undefined);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
  } catch {
    return isPath ? address : undefined;
  }
}

interface Place {
  readonly content: LiveryContent | undefined;
  readonly bundle: Readable | undefined;
  readonly language: string;
  readonly missing: (kind: string, key: string) => void;
}

function text(
  place: Place,
  key: string,
  second: TextParams | string | undefined,
  third: string | { default?: string } | undefined,
): string {
  const params = typeof second === "object" && second !== null ? second : undefined;
  const dot = key.indexOf(".");
  const screen = dot < 0 ? GENERAL : key.slice(0, dot);
  const name = key.slice(dot + 1);
  const here = look(place.content, screen, name);
  if (here !== undefined) return formatMessage(here, params, place.language);
  place.missing("text", key);
  const bundled = look(place.bundle, screen, name);
  if (bundled !== undefined) return formatMessage(bundled, params, place.bundle?.language || place.language);
  const fallback = typeof second === "string" ? second : typeof third === "string" ? third : third?.default;
  return typeof fallback === "string" ? formatMessage(fallback, params, place.language) : key;
}

function look(content: Readable | undefined, screen: string, name: string): string | undefined {
  const texts = content && own(content.texts, screen);
  return texts && own(texts, name);
}

function safely<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
