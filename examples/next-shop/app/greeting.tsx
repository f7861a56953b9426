"use client";

import { useText } from "@livery/react";

/** A text that changes while the page is open. */
export function Greeting({ name }: { name: string }) {
  return <p>{useText("home.welcome_title", { name }, "Welcome")}</p>;
}
