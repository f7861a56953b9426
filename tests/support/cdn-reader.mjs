// An app on the TypeScript SDK in Node that reads a CDN while its server is away: prints one line of JSON with what it shows.
//
//   node cdn-reader.mjs CONTENT_URL PROJECT_ID LANGUAGE
import { createLivery } from "../../sdks/typescript/client/dist/index.js";

const [contentUrl, projectId, language] = process.argv.slice(2);
const warnings = [];
const livery = createLivery({
  projectId,
  key: "lvp_unused",
  baseUrl: "http://127.0.0.1:9",
  contentUrl,
  language,
  connection: "once",
  onWarning: (message) => warnings.push(message),
});
await livery.ready();
process.stdout.write(`${JSON.stringify({ content: livery.snapshot ?? null, warnings })}\n`);
livery.close();
