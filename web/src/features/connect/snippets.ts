/** The first lines of an app that shows a project's content. */
import { addressOf, type Packages } from "./packages";
import type { Sample } from "./sample";

interface Connection {
  projectId: string;
  key: string;
  baseUrl: string;
  text: Sample;
  packages: Packages;
}

interface Snippet {
  /** Absent where nothing is installed. The server hands out the SDKs that fit it. */
  install?: string;
  code: string;
}

const install = ({ baseUrl, packages }: Connection, names: string[]) =>
  `npm install ${names.map((name) => addressOf(baseUrl, name, packages)).join(" ")}`;

const start = ({ projectId, key, baseUrl }: Connection) => `const livery = createLivery({
  projectId: "${projectId}",
  key: "${key}",
  baseUrl: "${baseUrl}",
});`;

/** The key of a text, and its words as the default, so that a first visit shows no key. */
const withDefault = ({ text }: Connection) => `${JSON.stringify(text.key)}, ${JSON.stringify(text.words)}`;

export const snippets: Record<
  "react" | "vue" | "svelte" | "i18next" | "js" | "html" | "python" | "cli",
  (connection: Connection) => Snippet
> = {
  react: (connection) => ({
    install: install(connection, ["client", "react"]),
    code: `import { createLivery } from "@livery/client";
import { LiveryProvider, useT } from "@livery/react";

${start(connection)}
// around your app: <LiveryProvider client={livery}>…</LiveryProvider>
// in a component: const t = useT();
// in its markup:   <h1>{t(${withDefault(connection)})}</h1>`,
  }),
  vue: (connection) => ({
    install: install(connection, ["client", "vue"]),
    code: `import { createLivery } from "@livery/client";
import { liveryPlugin, useT } from "@livery/vue";

${start(connection)}
createApp(App).use(liveryPlugin(livery)).mount("#app");
// in a component:  const t = useT();
// in its template: {{ t(${withDefault(connection)}) }}`,
  }),
  svelte: (connection) => ({
    install: install(connection, ["client", "svelte"]),
    code: `import { createLivery } from "@livery/client";
import { getLivery, setLivery } from "@livery/svelte";

${start(connection)}
setLivery(livery); // in the root component
// in a component:  const livery = getLivery();
// in its markup:   {livery.t(${withDefault(connection)})}`,
  }),
  i18next: (connection) => ({
    install: install(connection, ["client", "i18next"]),
    code: `import { livery } from "@livery/i18next";

// before i18next.init(), in place of the backend that loads your files:
i18next.use(
  livery({
    projectId: "${connection.projectId}",
    key: "${connection.key}",
    baseUrl: "${connection.baseUrl}",
  }),
);
// your code stays: t("${connection.text.key.replace(/^general\./, "")}")`,
  }),
  python: ({ baseUrl, projectId, key, text, packages }) => ({
    install: `pip install ${baseUrl}/sdk/${packages["python"] ?? "livery_client-….whl"}`,
    code: `from livery_client import Livery

livery = Livery(
    project_id="${projectId}",
    key="${key}",
    base_url="${baseUrl}",
)
livery.ready()
print(livery.t(${JSON.stringify(text.key)}, default=${JSON.stringify(text.words)}))`,
  }),
  cli: ({ baseUrl, packages }) => ({
    install: `npm install --save-dev ${addressOf(baseUrl, "cli", packages)}`,
    code: [`login --server ${baseUrl}`, `init --server ${baseUrl}`, "push", "publish", "pull", "check"]
      .map((command) => `npx @livery/cli ${command}`)
      .join("\n"),
  }),
  js: (connection) => ({
    install: install(connection, ["client"]),
    code: `import { createLivery } from "@livery/client";

${start(connection)}
const show = () => { document.title = livery.t(${withDefault(connection)}); };
livery.subscribe(show);
show();`,
  }),
  html: (connection) => ({
    code: `<h1 data-livery="${connection.text.key}">${connection.text.words.replaceAll("&", "&amp;")}</h1>
<script src="${connection.baseUrl}/sdk/livery.global.js"></script>
<script>
${start(connection).replace("createLivery", "Livery.createLivery").replace(/^/gm, "  ")}
  Livery.bindPage(livery);
</script>`,
  }),
};
