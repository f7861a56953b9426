// An app on the TypeScript SDK in Node: prints its content and the items of a store, one line of JSON for each state it is in.
//
//   node sdk-reader.mjs BASE_URL PROJECT_ID KEY LANGUAGE STORE
import { createLivery } from "../../sdks/typescript/client/dist/index.js";

const [baseUrl, projectId, key, language, name] = process.argv.slice(2);
const livery = createLivery({ projectId, key, baseUrl, language, cache: false });
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const show = () => {
  if (livery.snapshot?.version) {
    say({ content: livery.snapshot });
  }
};

livery.subscribe(show);
const store = livery.store(name);
store.subscribe(() => say({ items: store.current ?? [] }));
await livery.ready();
show();
