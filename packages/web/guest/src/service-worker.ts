const worker = self as never as {
  addEventListener(name: string, listen: (event: never) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}
interface FetchEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
  waitUntil(work: Promise<unknown>): void
}

const shelf = 'guest-1'
const page = '/guest'
const first = [page, '/guest/manifest.webmanifest', '/guest/icon.svg', '/guest/icon-192.png']

worker.addEventListener('install', (event: FetchEvent) => {
  event.waitUntil(
    caches
      .open(shelf)
      .then(cache => cache.addAll(first))
      .then(() => worker.skipWaiting()),
  )
})

worker.addEventListener('activate', (event: FetchEvent) => {
  event.waitUntil(worker.clients.claim())
})

/**
 * Serves the page and pictures from the cache immediately, and refreshes the cache for the next visit. Never
 * caches the API.
 */
worker.addEventListener('fetch', (event: FetchEvent) => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  const is_page = request.mode === 'navigate' && pathname === page
  const is_file = /^\/(guest|member\/v1\/(pictures|logos))\//.test(pathname)
  if (request.method !== 'GET' || origin !== location.origin || !(is_page || is_file)) return
  event.respondWith(answer(event, is_page ? page : request.url))
})

async function answer(event: FetchEvent, key: string): Promise<Response> {
  const cache = await caches.open(shelf)
  const held = await cache.match(key)
  const fetched = fetch(key, { credentials: 'same-origin' }).then(async response => {
    if (response.ok) await cache.put(key, response.clone())
    return response
  })
  if (!held) return fetched
  event.waitUntil(fetched.catch(() => undefined))
  return held
}
