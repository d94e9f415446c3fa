import { t } from '../language/t.ts'
/** What this browser can do about push messages. */
export type PushState =
  /** It cannot receive any. */
  | 'unsupported'
  /** It could, if it were installed on the home screen. */
  | 'not_installed'
  /** It could, over https. */
  | 'insecure'
  /** Its user has forbidden notifications. */
  | 'denied'
  | 'off'
  | 'on'

const worker_url = '/console/sw.js'
const scope = '/console/'

export async function findPushState(): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return isApplePhone() ? 'not_installed' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return (await findSubscription()) ? 'on' : 'off'
}

/** Their browsers receive messages only for pages on the home screen. */
function isApplePhone(): boolean {
  return /iPhone|iPad/.test(navigator.userAgent)
}

export async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(scope)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Asks the user for permission, and subscribes. A subscription with another key is replaced. */
export async function subscribe(public_key: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error(t('Notifications were not allowed. Answer the question of the browser with Allow.'))
  const registration = await registerWorker()
  const held = await registration.pushManager.getSubscription()
  if (held && !isFor(held, public_key)) await held.unsubscribe()
  const subscribing = registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: public_key,
  })
  return Promise.race([subscribing, noAnswer()])
}

/** Milliseconds. Where a network blocks the push service of the browser, the browser waits for ever. */
const longestWait = 20_000

async function noAnswer(): Promise<never> {
  await new Promise(resolve => setTimeout(resolve, longestWait))
  throw new Error(
    t(
      'The push service of this browser does not answer. A firewall may block it, or the browser may have it turned off.',
    ),
  )
}

async function registerWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(worker_url, { scope })
  if (registration.active) return registration
  const worker = registration.installing ?? registration.waiting
  await new Promise<void>((resolve, reject) => {
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('the service worker was not installed'))
    })
  })
  return registration
}

/** Whether a subscription was made with this key. With another, nothing arrives any more. */
export function isFor({ options }: PushSubscription, public_key: string): boolean {
  if (!options.applicationServerKey) return false
  const bytes = String.fromCharCode(...new Uint8Array(options.applicationServerKey))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === public_key
}

/** Names the browser for a list of several: "Chrome on Android". */
export function nameBrowser(agent = navigator.userAgent): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(agent))?.[1]
  const browser = find([
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/Firefox\//, 'Firefox'],
    [/Chrom(e|ium)\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ])
  const system = find([
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Windows/, 'Windows'],
    [/Mac OS/, 'Mac'],
    [/Linux/, 'Linux'],
  ])
  return [browser ?? 'Browser', system].filter(Boolean).join(' on ')
}
