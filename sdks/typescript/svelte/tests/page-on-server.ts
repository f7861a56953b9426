/** The page as a server sends it. */

import { render as renderComponent } from "svelte/server";
import { first, setUp } from "../../client/tests/bindings.js";
import App from "./App.svelte";
import Page from "./Page.svelte";

export function render(): string {
  const { client } = setUp({ connection: "off" });
  return renderComponent(App, { props: { client, serverContent: first, Shown: Page } }).body;
}
