/** `<T>` where an app has named its keys, in typed-keys.test-d.ts. `npm run typecheck` compiles it, and nothing runs it. */

import { T } from "../../src/index.js";

export const accepted = [
  <T key="1" id="home.title" />,
  <T key="2" id="home.greeting" params={{ name: <b>Ada</b>, count: 2 }} />,
];

// @ts-expect-error: the screen has no such key
export const wrongKey = <T id="home.titel" />;
// @ts-expect-error: the text needs its parameters
export const withoutParams = <T id="home.greeting" />;
// @ts-expect-error: a parameter is missing
export const withoutOne = <T id="home.greeting" params={{ name: "Ada" }} />;
