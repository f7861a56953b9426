/** Hands a client to the components of an app, and notes when it shows something else. */

import type { LiveryClient, LiveryContent, LiveryReader } from "@livery/client";
import { computed, getCurrentInstance, type InjectionKey, inject, onMounted, type Plugin, shallowRef } from "vue";

/** What `liveryPlugin` takes. */
export interface LiveryPluginOptions {
  /**
   * Server rendering: the `client.snapshot` that the server rendered with, sent along with the page. Hydration reads it, so
   * that the markup matches; once the app is mounted, the client's own content shows.
   */
  serverContent?: LiveryContent | undefined;
}

/** `reader` is the client itself once the app follows it. What calls `changed` is computed again when the reader may show something else. */
type Provided = { readonly client: LiveryClient; reader: LiveryReader; follow(): void; changed(): object };

const KEY: InjectionKey<Provided> = Symbol("livery");

/**
 * Makes `client` available to all components: `app.use(liveryPlugin(livery))`. The app follows the client from its first mounted
 * component until it is unmounted; an app on a server is never mounted. The client stays open: to close it is the caller's part.
 */
export function liveryPlugin(client: LiveryClient, { serverContent }: LiveryPluginOptions = {}): Plugin<[]> {
  return (app) => {
    const changed = shallowRef({});
    const stops: (() => void)[] = [];
    const update = () => {
      provided.reader = client;
      changed.value = {};
    };
    const follow = () => {
      if (stops.length > 0) return;
      stops.push(client.subscribe(update), client.subscribeState(update));
      update();
    };
    const reader = serverContent ? client.reader(serverContent) : client;
    const provided = { client, reader, follow, changed: () => changed.value };
    app.provide(KEY, provided);
    app.onUnmount(() => stops.map((stop) => stop()));
  };
}

export function useProvided(): Provided {
  const provided = inject(KEY, undefined);
  if (!provided) throw new Error("livery: this app has no client: app.use(liveryPlugin(livery))");
  if (getCurrentInstance()) onMounted(provided.follow);
  return provided;
}

/** A ref of what `read` returns: its readers render again when that is another value. */
export function useShown<Value>(read: (provided: Provided) => Value) {
  const provided = useProvided();
  return computed(() => provided.changed() && read(provided));
}
