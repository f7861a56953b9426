"use client";

/** Hands a client to the components below. */

import type { LiveryClient, LiveryContent, LiveryReader } from "@livery/client";
import { createContext, type ReactNode, useContext, useMemo } from "react";

interface Provided {
  readonly client: LiveryClient;
  /** What the server rendered with; what hydration must read. */
  readonly rendered: { readonly content: LiveryContent; readonly reader: LiveryReader } | undefined;
}

const Context = createContext<Provided | undefined>(undefined);

/** The props of `LiveryProvider`. */
export interface LiveryProviderProps {
  client: LiveryClient;
  /**
   * Server rendering: the `client.snapshot` that the server rendered with, sent along with the page. Hydration reads it, so
   * that the markup matches; right after, the client's own content shows.
   */
  serverContent?: LiveryContent | undefined;
  /**
   * Suspends while there is nothing to show: a `<Suspense>` above shows its fallback in place of keys. It ends with the first content, the first request that
   * fails, or after 5 s; then defaults show. Content of the device, a bundle or `serverContent` shows at once.
   */
  suspense?: boolean | undefined;
  children?: ReactNode;
}

/** Kept outside of components: React discards what a suspended component had. */
const loading = new WeakMap<LiveryClient, Promise<void>>();
const loaded = new WeakSet<LiveryClient>();

/** Throws a promise, as React awaits it, while the client has nothing to show and has not given up either. */
function suspendWhileEmpty(client: LiveryClient): void {
  if (client.state !== "empty" || loaded.has(client)) return;
  const load = loading.get(client) ?? client.ready().then(() => void loaded.add(client));
  loading.set(client, load);
  throw load;
}

/** Hands a client to the components below it. It does not close the client: that is the part of the app. */
export function LiveryProvider({ client, serverContent, suspense, children }: LiveryProviderProps) {
  if (suspense && !serverContent) suspendWhileEmpty(client);
  const provided = useMemo<Provided>(() => {
    const rendered = serverContent && { content: serverContent, reader: client.reader(serverContent) };
    return { client, rendered };
  }, [client, serverContent]);
  return <Context.Provider value={provided}>{children}</Context.Provider>;
}

export function useProvided(): Provided {
  const provided = useContext(Context);
  if (!provided) throw new Error("livery: there is no <LiveryProvider> above this component");
  return provided;
}
