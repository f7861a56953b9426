/** Hands a client to the components of an app, and notes when it shows something else. */

import type { LiveryClient, LiveryContent, LiveryReader } from "@livery/client";
import { type App, getCurrentInstance, type InjectionKey, inject, onMounted, type Plugin, shallowReactive } from "vue";

export interface LiveryPluginOptions {
  /**
   * Server rendering: the `client.snapshot` that the server rendered with, sent along with the page. Hydration reads it, so
   * that the markup matches; once the app is mounted, the client's own content shows.
   */
  serverContent?: LiveryContent | undefined;
}

/** What components read: a component renders again when a member that it read is another value. */
interface Shown {
  reader: LiveryReader;
  texts: LiveryContent["texts"] | undefined;
  images: LiveryContent["images"] | undefined;
  colors: Readonly<Record<string, string>>;
  language: string;
  requestedLanguage: string;
  languages: readonly string[];
  direction: "ltr" | "rtl";
  state: LiveryClient["state"];
}

interface Provided {
  readonly client: LiveryClient;
  readonly shown: Shown;
  readonly follow: () => void;
}

const KEY: InjectionKey<Provided> = Symbol("livery");

function show(client: LiveryClient, rendered: LiveryContent | undefined): Shown {
  const reader = rendered ? client.reader(rendered) : client;
  const { texts, images } = rendered ?? client.snapshot ?? {};
  const { language, languages, direction } = reader;
  const state = rendered ? "cached" : client.state;
  const { requestedLanguage } = client;
  return { reader, texts, images, colors: reader.colors(), language, requestedLanguage, languages, direction, state };
}

/**
 * Makes `client` available to all components: `app.use(liveryPlugin(livery))`. The app follows the client from its first mounted
 * component until it is unmounted; an app on a server is never mounted. The client stays open: to close it is the caller's part.
 */
export function liveryPlugin(client: LiveryClient, options: LiveryPluginOptions = {}): Plugin<[]> {
  return {
    install(app: App) {
      const shown = shallowReactive(show(client, options.serverContent));
      const update = () => void Object.assign(shown, show(client, undefined));
      let stops: readonly (() => void)[] | undefined;
      const follow = () => {
        if (stops) return;
        stops = [client.subscribe(update), client.subscribeState(update)];
        update();
      };
      app.provide(KEY, { client, shown, follow });
      app.onUnmount(() => {
        for (const stop of stops ?? []) stop();
      });
    },
  };
}

export function useProvided(): Provided {
  const provided = inject(KEY, undefined);
  if (!provided) throw new Error("livery: this app has no client: app.use(liveryPlugin(livery))");
  if (getCurrentInstance()) onMounted(provided.follow);
  return provided;
}
