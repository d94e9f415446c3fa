import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findVapidKeys } from '../../../packages/server/src/push/vapid-keys.ts'
import { openPushService, type PushService } from '../../telling/push-service.ts'
import { raiseAlarm } from '../../telling/raise-alarm.ts'
import { checkPage, openPage, openSetting, type Setting, signedIn } from './setting.ts'

let setting: Setting
let service: PushService

beforeAll(async () => {
  setting = await openSetting(null, { mail_from: 'doors@gatehouse.example' })
  service = await openPushService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await setting[Symbol.asyncDispose]()
})

/** Opens the page in a browser of its own, after `prepare` has changed what the browser can do. */
async function openNotifications(prepare: (context: BrowserContext) => Promise<unknown>): Promise<Page> {
  const context = await signedIn(setting.browser, setting.visitor)
  await prepare(context)
  return openPage(context, `${setting.url}/o/${setting.organization_id}/notifications`, 'desktop')
}

/**
 * The browser of the tests shows no notifications, and the machine has no push service of a vendor. It is allowed
 * to all the same, and subscribes with the push service of the test.
 */
function subscribeHere(context: BrowserContext) {
  const { subscription } = service.browser()
  return context.addInitScript(given => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    let held: { readonly key: string } | undefined
    const made = () =>
      held && {
        options: { applicationServerKey: Uint8Array.fromBase64(held.key, { alphabet: 'base64url' }).buffer },
        toJSON: () => ({ ...given, endpoint: `${given.endpoint}-${held?.key.slice(1, 9)}` }),
        unsubscribe: async () => {
          held = undefined
          localStorage.removeItem('test-key')
        },
      }
    const kept = localStorage.getItem('test-key')
    if (kept) held = { key: kept }
    Object.assign(PushManager.prototype, {
      getSubscription: async () => made() ?? null,
      async subscribe({ applicationServerKey: key }: { applicationServerKey: string }) {
        held = { key }
        localStorage.setItem('test-key', key)
        return made()
      },
    })
  }, subscription)
}

test('push is turned on, tested, renewed when the key has changed, and turned off', async () => {
  const page = await openNotifications(subscribeHere)
  await page.getByRole('button', { name: 'Turn on push' }).click()
  await page.getByText('Push is on in this browser.').waitFor()
  await page.getByText('Sent by email until').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await page.getByText('The push service has taken the test.').waitFor()
  expect(service.received).toHaveLength(1)
  await checkPage(page, 'notifications', true)

  const { context } = setting.world.server
  const listed = async () => {
    const { body } = await setting.visitor.account<{ data: { public_key: string }[] }>(
      'GET',
      '/account/push_subscriptions',
    )
    return body.data.map(({ public_key }) => public_key)
  }
  await context.db.query('DELETE FROM push_keys')
  const { public_key } = await findVapidKeys(context)
  await page.goto(`${setting.url}/o/${setting.organization_id}/`)
  await expect.poll(listed).toEqual([public_key])

  await page.goto(`${setting.url}/o/${setting.organization_id}/notifications`)
  await page.getByText('Push is on in this browser.').waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Turn on push' }).waitFor()
  await expect.poll(listed).toEqual([])
})

test.for([
  [
    'blocked',
    'Notifications are blocked for this page',
    () => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }),
  ],
  [
    'unsupported',
    'This browser cannot receive push messages',
    () => Reflect.deleteProperty(window, 'PushManager'),
  ],
  [
    'not installed on a phone of Apple',
    'First add the console to your home screen',
    () => {
      Reflect.deleteProperty(window, 'PushManager')
      Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (iPhone)' })
    },
  ],
] as const)('where push is %s, the page says so and what to do', async ([, title, spoil]) => {
  const page = await openNotifications(context => context.addInitScript(spoil))
  await page.getByText(title).waitFor()
  expect(await page.getByRole('button', { name: 'Turn on push' }).count()).toBe(0)
})

interface Kept {
  readonly title: string
  readonly body: string
  readonly tag: string
  close(): void
}

/** Stands in for what the browser of the tests lacks. */
function keepNotifications(): void {
  const { registration } = globalThis as never as { registration: object }
  const kept = new Set<Kept>()
  Object.assign(globalThis, { kept })
  Object.assign(registration, {
    async showNotification(title: string, options: Omit<Kept, 'title' | 'close'>) {
      const notification = { title, ...options, close: () => kept.delete(notification) }
      kept.add(notification)
    },
  })
}

function listNotifications(): string[] {
  const { kept } = globalThis as never as { kept: Set<Kept> }
  return [...kept].map(({ title, body }) => `${title}: ${body}`).sort()
}

function clickNotification([wanted, action]: readonly [tag: string, action: string]): void {
  const { kept } = globalThis as never as { kept: Set<Kept> }
  const notification = [...kept].find(({ tag }) => tag === wanted)
  const event = Object.assign(new Event('notificationclick'), { notification, action, waitUntil: () => {} })
  globalThis.dispatchEvent(event)
}

test('the worker shows every message, acknowledges, and says so when it could not', async () => {
  const context = await signedIn(setting.browser, setting.visitor)
  const page = await openPage(context, `${setting.url}/o/${setting.organization_id}/`, 'desktop')
  const cdp = await context.newCDPSession(page)
  const registered = new Promise<string>(resolve =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/console/'))
      if (own) resolve(own.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.enable')
  const started = context.waitForEvent('serviceworker')
  await page.evaluate(() => navigator.serviceWorker.register('/console/sw.js', { scope: '/console/' }))
  const [registrationId, worker] = [await registered, await started]
  const deliver = (data: string) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin: setting.url, registrationId, data })
  await worker.evaluate(keepNotifications)
  const shown = () => worker.evaluate(listNotifications)
  const click = (tag: string, action: string) => worker.evaluate(clickNotification, [tag, action] as const)

  const { user } = (await setting.visitor.account<{ user: { id: string } }>('GET', '/account/session')).body
  const told = { organization_id: setting.organization_id, user_id: user.id }
  const { id, token } = await raiseAlarm(setting.world, told)
  const payload = (tag: string) => ({
    title: 'Door forced open',
    body: 'Front door',
    tag,
    url: `${setting.url}/`,
    severity: 'critical',
    acknowledge: { label: 'Acknowledge', token },
  })
  await deliver(JSON.stringify(payload('first')))
  await deliver('no JSON at all')
  await expect
    .poll(shown)
    .toEqual(['Door forced open: Front door', 'Gatehouse: Open the console to see what happened.'])

  const state = async () => (await setting.client.alarms.get(id)).state
  await click('first', 'acknowledge')
  await expect.poll(state).toBe('acknowledged')
  await expect.poll(shown).toEqual(['Gatehouse: Open the console to see what happened.'])

  await deliver(JSON.stringify(payload('second')))
  await expect.poll(shown).toContain('Door forced open: Front door')
  await click('second', 'acknowledge')
  await expect.poll(shown).toContain('Could not acknowledge: Door forced open: Open the alarm to take it.')
  await context.close()
})

test('where the service cannot push, the page says why', async () => {
  const page = await openNotifications(context =>
    context.route('**/account/push_subscriptions', route =>
      route.fulfill({ json: { data: [], public_key: null, off_reason: 'Nobody could be asked.' } }),
    ),
  )
  await page.getByText('Push is off for this installation', { exact: true }).waitFor()
  await page.getByText('Nobody could be asked.').waitFor()
  await page.getByText('Sent by email, as push is off for this installation').first().waitFor()
})

test('the logo of an organization is uploaded and taken away', async () => {
  const page = await setting.open('/settings')
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
  await page.getByLabel('Logo file').setInputFiles(logo)
  await page.getByRole('button', { name: 'Replace' }).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Upload' }).waitFor()
})

test('choices are kept', async () => {
  const page = await openNotifications(async () => undefined)
  const warnings = page.getByRole('group', { name: 'Warnings' })
  const instead = warnings.getByText('Sent by email until push is on in one of your browsers')
  await instead.waitFor()
  await checkPage(page, 'notifications-no-push')
  await warnings.getByLabel('Push').uncheck()
  await instead.waitFor({ state: 'detached' })
  await warnings.getByLabel('Push').check()
  await warnings.getByLabel('Email').check()
  await page.getByRole('switch', { name: 'Quiet hours' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  const kept = async () =>
    (await setting.visitor.account<object>('GET', '/account/notification_settings')).body
  await expect.poll(kept).toMatchObject({
    channels: { warning: ['push', 'email'] },
    quiet: { from: '22:00', to: '07:00' },
  })
})
