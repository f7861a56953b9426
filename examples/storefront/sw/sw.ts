// The service worker: keeps the app's own files, so that a reload without network still shows the page.
// Texts and colours are not its business: the SDK keeps those itself.

export {};

declare const self: ServiceWorkerGlobalScope;

// Both are filled in at build time (build/service-worker.ts).
const SHELL: readonly string[] = "__SHELL_FILES__".split("|");
const CACHE = "aurora-shell-__SHELL_HASH__";

const scope = new URL(self.registration.scope);
const shellUrls = new Set(SHELL.map((file) => new URL(file, scope).href));
const pageUrl = new URL("./", scope).href;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldShells().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  url.search = "";
  url.hash = "";
  if (request.mode === "navigate") {
    if (url.href === pageUrl || url.href === `${pageUrl}index.html`) {
      event.respondWith(freshPageOrKept(request));
    }
  } else if (shellUrls.has(url.href)) {
    event.respondWith(keptFileOrFresh(request, url.href));
  }
});

async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  // "reload" passes by the HTTP cache: a shell must be of one build.
  await cache.addAll([...shellUrls].map((url) => new Request(url, { cache: "reload" })));
  await self.skipWaiting();
}

async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("aurora-shell-") && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** The page from the network, so that a new build shows at once; the kept one when that fails. */
async function freshPageOrKept(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    if (response.ok) return response;
    return (await keptPage()) ?? response;
  } catch (error) {
    const kept = await keptPage();
    if (kept) return kept;
    throw error;
  }
}

async function keptPage(): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  return cache.match(pageUrl);
}

/** File names carry a content hash, so the kept file is the right file. */
async function keptFileOrFresh(request: Request, url: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(url)) ?? fetch(request);
}
