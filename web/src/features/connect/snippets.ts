/** The first lines of an app that shows a project's content. */

interface Connection {
  projectId: string;
  key: string;
  baseUrl: string;
}

interface Snippet {
  install: string;
  code: string;
}

const start = ({ projectId, key, baseUrl }: Connection) => `const livery = createLivery({
  projectId: "${projectId}",
  key: "${key}",
  baseUrl: "${baseUrl}",
});`;

export const snippets: Record<"react" | "js", (connection: Connection) => Snippet> = {
  react: (connection) => ({
    install: "npm install @livery/client @livery/react",
    code: `import { createLivery } from "@livery/client";
import { LiveryProvider, useT } from "@livery/react";

${start(connection)}
// around your app: <LiveryProvider client={livery}>…</LiveryProvider>
// in a component:  const t = useT();  …  <h1>{t("general.title")}</h1>`,
  }),
  js: (connection) => ({
    install: "npm install @livery/client",
    code: `import { createLivery } from "@livery/client";

${start(connection)}
const show = () => { document.title = livery.t("general.title"); };
livery.subscribe(show);
show();`,
  }),
};
