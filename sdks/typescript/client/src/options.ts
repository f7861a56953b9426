/** Reads the options of a client: a mistake throws at once, and a broken bundle is left out with a warning. */

import { readBody, readContent } from "./content.js";
import type { LiveryContent, LiveryOptions } from "./types.js";

/** A mistake in the set-up is the one thing that throws: at once, where it was made. */
export function checkOptions(options: LiveryOptions): void {
  if (!options.projectId) throw new TypeError("livery: projectId is missing");
  if (!options.key) throw new TypeError("livery: key is missing");
  if (options.key.startsWith("lvs_")) throw new TypeError("livery: the project secret must not be used in an app");
  const { baseUrl, contentUrl } = options;
  if (typeof baseUrl !== "string") throw new TypeError("livery: baseUrl is missing");
  if (contentUrl && !/^(https?:\/)?\//.test(contentUrl)) throw new TypeError("livery: contentUrl is no web address");
}

/** Leaves out a bundle that is no snapshot. A bundle that can't be compared with the server's content loses its version. */
export function readBundles(options: LiveryOptions, warn: (id: string, message: string) => void): LiveryContent[] {
  const { fallback, projectId } = options;
  const bundles: LiveryContent[] = [];
  for (const one of Array.isArray(fallback) ? fallback : [fallback ?? undefined]) {
    const whole = readBody(one, projectId);
    const content = whole ?? readContent(one);
    if (!content) {
      if (one !== undefined) warn("bundle", "the fallback is no snapshot");
    } else if (whole || content.version === undefined) bundles.push(content);
    else {
      warn("bundle", "the fallback is of another project or not whole; used without its version");
      bundles.push({ ...content, version: undefined, release: 0 });
    }
  }
  return bundles;
}
