/** The first lines of an app that shows a project's content. */

interface Connection {
  projectId: string;
  key: string;
  baseUrl: string;
  /** A text of the project, as apps name it: its screen, a full stop, its key. */
  text: string;
}

interface Snippet {
  /** Absent where nothing is installed. The server hands out the SDKs that fit it. */
  install?: string;
  code: string;
}

const packages = (baseUrl: string, names: string[]) =>
  `npm install ${names.map((name) => `${baseUrl}/sdk/livery-${name}.tgz`).join(" ")}`;

const start = ({ projectId, key, baseUrl }: Connection) => `const livery = createLivery({
  projectId: "${projectId}",
  key: "${key}",
  baseUrl: "${baseUrl}",
});`;

export const snippets: Record<"react" | "js" | "html", (connection: Connection) => Snippet> = {
  react: (connection) => ({
    install: packages(connection.baseUrl, ["client", "react"]),
    code: `import { createLivery } from "@livery/client";
import { LiveryProvider, useT } from "@livery/react";

${start(connection)}
// around your app: <LiveryProvider client={livery}>…</LiveryProvider>
// in a component:  const t = useT();  …  <h1>{t("${connection.text}")}</h1>`,
  }),
  js: (connection) => ({
    install: packages(connection.baseUrl, ["client"]),
    code: `import { createLivery } from "@livery/client";

${start(connection)}
const show = () => { document.title = livery.t("${connection.text}"); };
livery.subscribe(show);
show();`,
  }),
  html: (connection) => ({
    code: `<h1 data-livery="${connection.text}">Welcome</h1>
<script src="${connection.baseUrl}/sdk/livery.global.js"></script>
<script>
${start(connection).replace("createLivery", "Livery.createLivery").replace(/^/gm, "  ")}
  Livery.bindPage(livery);
</script>`,
  }),
};
