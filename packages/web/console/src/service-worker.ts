/** What the service sends. Every part may be missing: what arrives is shown, whatever it is. */
interface Payload {
  readonly title?: string
  readonly body?: string
  readonly tag?: string
  readonly url?: string
  readonly is_silent?: boolean
  readonly severity?: string
  readonly acknowledge?: { readonly label: string; readonly token: string } | null
}

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface PushEvent extends Waiting {
  readonly data: { json(): Payload } | null
}
interface ClickEvent extends Waiting {
  readonly action: string
  readonly notification: Notification
}
interface Page {
  readonly url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}

const worker = self as never as {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    matchAll(options: object): Promise<readonly Page[]>
    openWindow(url: string): Promise<unknown>
  }
  addEventListener(name: string, listen: (event: never) => void): void
  skipWaiting(): Promise<void>
}

worker.addEventListener('install', (event: Waiting) => event.waitUntil(worker.skipWaiting()))

/** Shows every message: browsers withdraw the permission of a page that receives one and shows nothing. */
worker.addEventListener('push', (event: PushEvent) => event.waitUntil(show(read(event))))

worker.addEventListener('notificationclick', (event: ClickEvent) => {
  event.notification.close()
  const { acknowledge, url = '/' }: Payload = event.notification.data ?? {}
  const is_taken = event.action === 'acknowledge' && acknowledge
  event.waitUntil(is_taken ? acknowledgeWith(acknowledge.token, event.notification) : open(url))
})

/** The browser has given up its subscription. The next visit of the console subscribes anew too. */
worker.addEventListener('pushsubscriptionchange', (event: Waiting) => event.waitUntil(subscribeAnew()))

function read({ data }: PushEvent): Payload {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

function show(payload: Payload): Promise<void> {
  const { title, body, tag, is_silent = false, severity, acknowledge } = payload
  return worker.registration.showNotification(title || 'Gatehouse', {
    body: body || 'Open the console to see what happened.',
    icon: '/assets/icon.svg',
    data: payload,
    silent: is_silent,
    requireInteraction: severity === 'critical' && !is_silent,
    ...(tag && { tag, renotify: !is_silent }),
    ...(acknowledge && { actions: [{ action: 'acknowledge', title: acknowledge.label }] }),
  } as NotificationOptions)
}

/** Failing silently would leave somebody believing that the alarm is taken. */
async function acknowledgeWith(token: string, { title, data, tag }: Notification): Promise<void> {
  const answer = await fetch('/push/acknowledge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    credentials: 'omit',
  }).catch(() => undefined)
  if (answer?.ok) return
  const { url }: Payload = data ?? {}
  await show({
    title: `Could not acknowledge: ${title}`,
    body: 'Open the alarm to take it.',
    tag,
    ...(url && { url }),
  })
}

async function open(url: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url: shown }) => shown === url)
  if (page) await page.focus()
  else await worker.clients.openWindow(url)
}

/** Works while somebody is signed in. */
async function subscribeAnew(): Promise<void> {
  const session = await fetch('/account/session')
  const known = await fetch('/account/push_subscriptions')
  if (!session.ok || !known.ok) return
  const { csrf_token } = (await session.json()) as { csrf_token: string }
  const { public_key } = (await known.json()) as { public_key: string | null }
  if (!public_key) return
  const made = await worker.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: public_key,
  })
  const { endpoint, keys } = made.toJSON()
  await fetch('/account/push_subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrf_token },
    body: JSON.stringify({ endpoint, keys, name: 'Browser' }),
  })
}
