"use client";

/** @livery/react/intl: the texts of the content as messages of react-intl. */

import type { LiveryClient, LiveryContent } from "@livery/client";
import { mapName, toIcuMessage } from "@livery/client/adapters";
import { useMemo } from "react";
import { useLanguage, useLivery, useTexts } from "./hooks.js";

/** What `useIntlMessages` returns. */
export interface IntlMessages {
  /** For `IntlProvider`: the language shown. */
  readonly locale: string;
  /** For `IntlProvider`: a message for each id that has a text. It is a new object when a text or the language has changed. */
  readonly messages: Record<string, string>;
}

/**
 * Returns what an `IntlProvider` of react-intl takes: `<IntlProvider {...useIntlMessages()}>`. An id finds its text by the naming rule of imports, so
 * an app keeps its ids. The id `cart.items-left` is the key `items_left` of the screen `cart`.
 */
export function useIntlMessages(): IntlMessages {
  const client = useLivery();
  const texts = useTexts();
  const { language } = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `texts` are what the client's messages are made of
  const messages = useMemo(() => messagesOf(client), [client, texts, language]);
  return useMemo(() => ({ locale: language || "en", messages }), [language, messages]);
}

/** Looks messages up when they are asked for: the ids are the app's, and nobody knows them before. */
function messagesOf(client: LiveryClient): Record<string, string> {
  const content = client.snapshot;
  const known = new Map<string, string | undefined>();
  const find = (id: string | symbol): string | undefined => {
    if (typeof id === "symbol") return undefined;
    if (!known.has(id)) known.set(id, messageOf(content, id));
    return known.get(id);
  };
  return new Proxy<Record<string, string>>(
    {},
    {
      get: (_, id) => find(id),
      has: (_, id) => find(id) !== undefined,
      getOwnPropertyDescriptor(_, id) {
        const value = find(id);
        return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: false };
      },
    },
  );
}

function messageOf(content: LiveryContent | undefined, id: string): string | undefined {
  const name = mapName(id);
  const screen = content && name && Object.hasOwn(content.texts, name.screen) ? content.texts[name.screen] : undefined;
  const text = screen && name && Object.hasOwn(screen, name.key) ? screen[name.key] : undefined;
  return text === undefined ? undefined : toIcuMessage(text);
}
