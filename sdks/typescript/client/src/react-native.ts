/** React Native: content is kept in AsyncStorage, and the client rests while the app is in the background. */

import { attempt } from "./attempt.js";
import { createPlatform } from "./browser.js";
import { createNetwork, type FetchAnswer } from "./browser-network.js";
import { PREFIX } from "./cache.js";
import type { KeyValueStore, Lifecycle, Platform } from "./platform.js";

/** What the client uses of `@react-native-async-storage/async-storage`. */
export interface AsyncStorageLike {
  getAllKeys(): Promise<readonly string[]>;
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<unknown>;
  removeItem(key: string): Promise<unknown>;
}

/** What the client uses of `AppState` of `react-native`. */
export interface AppStateLike {
  readonly currentState: string | null;
  addEventListener(event: "change", listener: (state: string) => void): { remove(): void };
}

/** What the client uses of `@react-native-community/netinfo`. */
export interface NetInfoLike {
  addEventListener(listener: (state: { readonly isConnected: boolean | null }) => void): () => void;
}

/** What `openPlatform` takes: libraries of the app. */
export interface ReactNativeOptions {
  /** Keeps content over a restart of the app. Absent: nothing is kept. */
  readonly storage?: AsyncStorageLike | undefined;
  /** Closes the stream while the app is in the background for a minute. */
  readonly appState?: AppStateLike | undefined;
  /** Connects at once when the device has a network again. */
  readonly netInfo?: NetInfoLike | undefined;
  /** The `fetch` of `expo/fetch`, which streams. Absent: `globalThis.fetch`. */
  readonly fetch?:
    | ((
        url: string,
        init: { headers: Record<string, string>; signal: AbortSignal; credentials: "omit" },
      ) => Promise<FetchAnswer>)
    | undefined;
}

const NEEDED = ["AbortController", "TextDecoder", "TextEncoder", "URL", "URLSearchParams"] as const;

/** The records of the client, read ahead: reading a value waits for nothing. Changes follow in the order in which they were made. */
async function readAhead(storage: AsyncStorageLike): Promise<KeyValueStore> {
  const names = (await storage.getAllKeys()).filter((name) => name.startsWith(PREFIX));
  const records = new Map<string, string>();
  await Promise.all(
    names.map(async (name) => {
      const record = await storage.getItem(name);
      if (record !== null) records.set(name, record);
    }),
  );
  let changes: Promise<unknown> = Promise.resolve();
  // A full storage keeps less over a restart. What is shown does not depend on it.
  const follow = (change: () => Promise<unknown>) => {
    changes = changes.then(change).catch(() => {});
  };
  return {
    get: (key) => records.get(key) ?? null,
    set(key, value) {
      records.set(key, value);
      follow(() => storage.setItem(key, value));
    },
    remove(key) {
      records.delete(key);
      follow(() => storage.removeItem(key));
    },
    keys: () => [...records.keys()],
  };
}

function lifecycleOf({ appState, netInfo }: ReactNativeOptions) {
  return (listener: (event: Lifecycle) => void): (() => void) => {
    const watched = appState?.addEventListener("change", (state) => {
      // `inactive` is a moment between the two, such as a look at the notifications.
      if (state === "active") listener("visible");
      else if (state === "background") listener("hidden");
    });
    const stop = netInfo?.addEventListener(({ isConnected }) => {
      if (isConnected !== null) listener(isConnected ? "online" : "offline");
    });
    return () => {
      watched?.remove();
      stop?.();
    };
  };
}

/**
 * Returns the surroundings of an app with React Native, for the second argument of `createLivery`. What the device has is read before the promise
 * resolves, so the first screen shows it. A storage that can't be read is not used, and `console.warn` names the reason.
 *
 * Rejects with a TypeError, which names what to import, where the JavaScript engine lacks something that the client needs.
 */
export async function openPlatform(options: ReactNativeOptions = {}): Promise<Platform> {
  const missing = NEEDED.filter((name) => typeof globalThis[name] === "undefined");
  if (missing.length)
    throw new TypeError(`livery: this engine lacks ${missing.join(", ")}. Import a polyfill before Livery.`);
  const { storage, appState, fetch } = options;
  const platform = createPlatform();
  let kept: KeyValueStore | undefined;
  try {
    kept = storage && (await readAhead(storage));
  } catch (error) {
    attempt(() => platform.warn(`[livery] the device's storage can't be read (${(error as Error).message})`));
  }
  return {
    ...createNetwork(fetch),
    ...platform,
    storage: kept,
    onLifecycle: lifecycleOf(options),
    visible: () => appState?.currentState !== "background",
  };
}
