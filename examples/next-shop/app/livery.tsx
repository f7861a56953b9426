"use client";

import { createLivery, type LiveryContent } from "@livery/client";
import { LiveryProvider } from "@livery/react";
import { type ReactNode, useState } from "react";
import { connection } from "./connection";

/** Gives the components below it the content that the server rendered them with. In a browser they stay live. */
export function Livery(props: { content: LiveryContent | undefined; language: string; children: ReactNode }) {
  const [client] = useState(() =>
    createLivery({
      ...connection,
      connection: typeof window === "undefined" ? "off" : "stream",
      language: props.language,
      fallback: props.content,
    }),
  );
  return (
    <LiveryProvider client={client} serverContent={props.content}>
      {props.children}
    </LiveryProvider>
  );
}
