// An app on the TypeScript SDK in Node: prints each change with the moment its callback ran (seconds on the machine's monotonic clock).
//
//   node bench/sdk-reader.mjs BASE_URL PROJECT_ID KEY
import { createLivery } from "../sdks/typescript/client/dist/index.js";

const [baseUrl, projectId, key] = process.argv.slice(2);
const livery = createLivery({ projectId, key, baseUrl, language: "en" });
const now = () => Number(process.hrtime.bigint()) / 1e9;
const release = () => Number(livery.version?.split(".")[1] ?? 0);

await livery.ready();
livery.subscribe(() => {
  const time = now();
  console.log(JSON.stringify({ release: release(), times: [time] }));
});
// The stream opens behind the first content: the publisher's first change, which is not counted, waits for it.
setTimeout(() => console.log("ready"), 1500);
