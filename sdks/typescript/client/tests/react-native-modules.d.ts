/** What the test of React Native uses of packages without types. */

declare module "jsdom" {
  export class JSDOM {
    constructor(html: string, options: { url: string });
    readonly window: { readonly XMLHttpRequest: unknown; close(): void };
  }
}

declare module "whatwg-fetch" {
  export const fetch: typeof globalThis.fetch;
}
