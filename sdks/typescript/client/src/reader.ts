/** Reading one content over the bundle: synchronous, without exceptions, one warning per missing key. */

import { own } from "./content.js";
import { directionOf } from "./direction.js";
import { formatMessage } from "./message.js";
import type { LiveryContent, LiveryImage, LiveryOptions, LiveryReader, TextParams, WriteArgument } from "./types.js";

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
    readonly options: Pick<LiveryOptions, "format" | "timeZone">,
  ) {}

  of(content: LiveryContent | undefined, bundle: Readable | undefined, requested: string): LiveryReader {
    const { format = formatMessage, timeZone } = this.options;
    const language = content?.language || (content ? "" : bundle?.language) || requested;
    /** What the content has, and what it or the bundle has. */
    const find = <Value>(kind: string, key: string, read: (from: Readable) => Value | undefined) => {
      const here = content && read(content);
      // Before the first content nothing is known to be missing; before release 1 everything is.
      if (content && here === undefined) {
        if (content.version !== undefined && content.release === 0) this.warn("release-0", "nothing is published yet");
        else this.warn(`${kind}:${key}`, `no ${kind} "${key}"`);
      }
      return [here, here ?? (bundle && read(bundle))] as const;
    };
    const text = (key: string, ...[second, third, write]: Rest): string => {
      const isFallback = typeof second === "string";
      const dot = key.indexOf(".");
      const screen = dot < 0 ? GENERAL : key.slice(0, dot);
      const name = key.slice(dot + 1);
      const [here, known] = find("text", key, (from) => {
        const texts = own(from.texts, screen);
        return texts && own(texts, name);
      });
      const found = known ?? (isFallback ? second : typeof third === "string" ? third : third?.default);
      const spoken = (known !== here && bundle?.language) || language;
      return typeof found === "string" ? format(found, isFallback ? undefined : second, spoken, write, timeZone) : key;
    };
    const image = (key: string): LiveryImage | undefined => {
      const [, found] = find("image", key, ({ images }) => own(images, key));
      return found && this.#resolve(found);
    };
    const color = (key: string, fallback?: string) =>
      find("color", key, ({ colors }) => own(colors, key))[1] ?? fallback;
    return {
      t: (key: string, ...rest: Rest) => safely("", () => text(String(key), ...rest)),
      color: ((key: string, fallback?: string) =>
        safely(fallback, () => color(String(key), fallback))) as LiveryReader["color"],
      colors: () => this.#allColors(content, bundle),
      image: (key: string) => safely(undefined, () => image(String(key))),
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

type Rest = [second?: TextParams | string, third?: string | { default?: string }, write?: WriteArgument];

function safely<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
