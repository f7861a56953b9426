/** @livery/client: live text, colours and images for running apps. */

import { createPlatform } from "./browser.js";
import { Client } from "./client.js";
import type { Platform } from "./platform.js";
import type { LiveryClient, LiveryOptions } from "./types.js";

export { applyColors, colorVariables } from "./css.js";
export { directionOf } from "./direction.js";
export { formatMessage } from "./message.js";
export type { Platform } from "./platform.js";
export type {
  AnyItem,
  ColorKey,
  FormatMessage,
  ImageKey,
  LiveryChange,
  LiveryClient,
  LiveryContent,
  LiveryFallback,
  LiveryImage,
  LiveryItems,
  LiveryKeys,
  LiveryListener,
  LiveryOptions,
  LiveryReader,
  LiveryState,
  LiveryStore,
  ParamsOf,
  PlainTextKey,
  StoreItem,
  StoreKey,
  TextKey,
  TextKeys,
  TextKeyWithParams,
  TextParam,
  TextParams,
  WriteArgument,
} from "./types.js";

/**
 * Starts a client: what the device or the bundle has can be read on the next line, the network follows. Throws a
 * TypeError for missing options, and never afterwards. `platform` replaces the surroundings (tests, other runtimes).
 */
export function createLivery(options: LiveryOptions, platform?: Platform): LiveryClient {
  return new Client(options, platform ?? createPlatform());
}
