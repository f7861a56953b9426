/** Hands a client to the components below. */

import type { LiveryClient, LiveryContent, LiveryReader } from "@livery/client";
import { createContext, type ReactNode, useContext, useMemo } from "react";

interface Provided {
  readonly client: LiveryClient;
  /** What the server rendered with; what hydration must read. */
  readonly rendered: { readonly content: LiveryContent; readonly reader: LiveryReader } | undefined;
}

const Context = createContext<Provided | undefined>(undefined);

export interface LiveryProviderProps {
  client: LiveryClient;
  /**
   * Server rendering: the `client.snapshot` that the server rendered with, sent along with the page. Hydration reads it, so
   * that the markup matches; right after, the client's own content shows.
   */
  serverContent?: LiveryContent | undefined;
  children?: ReactNode;
}

export function LiveryProvider({ client, serverContent, children }: LiveryProviderProps) {
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
