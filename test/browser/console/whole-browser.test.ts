import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { closeVirtualDoors } from '@gatehouse-access/server'
import { soak } from '@gatehouse-access/testkit'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { tellPeople } from '../../../packages/server/src/telling/sending/tell-people.ts'
// @ts-expect-error: plain JavaScript, since it also runs before anything is installed
import { findWholeBrowser } from '../../../scripts/browser.mjs'
import { gate } from '../../alarms/guarded-doors.ts'
import { type Browser, openPushService, type PushService } from '../../telling/push-service.ts'
import { openSetting, type Setting } from './setting.ts'

/** Whole Chromium, which shows notifications. Only the push service of its vendor is stood in for. */
const owned = new AsyncDisposableStack()
let setting: Setting
let service: PushService
let page_url: string

beforeAll(async () => {
  service = owned.use(await openPushService())
  setting = owned.use(await openSetting(null, { mail_from: 'doors@gatehouse.example' }))
  page_url = `${setting.url}/o/${setting.organization_id}/notifications`
})
afterAll(() => owned.disposeAsync())

async function launch(stack: AsyncDisposableStack, ...flags: string[]): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), 'gatehouse-chromium-'))
  stack.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
  const executablePath: string = await findWholeBrowser(resolve(import.meta.dirname, '../../..'))
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', ...flags]
  const context = await chromium.launchPersistentContext(profile, { executablePath, headless: false, args })
  stack.defer(() => context.close())
  const { cookies, url } = setting.visitor
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
  return context
}

/** Chromium would ask a server of its vendor for a subscription. */
function subscribeWith(context: BrowserContext, { subscription }: Browser) {
  return context.addInitScript(given => {
    let key: string | undefined
    const made = () => ({
      options: { applicationServerKey: Uint8Array.fromBase64(key ?? '', { alphabet: 'base64url' }).buffer },
      toJSON: () => given,
      unsubscribe: async () => true,
    })
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (key ? made() : null),
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        key = applicationServerKey
        return made()
      },
    })
  }, subscription)
}

/** Opens a door without a release, and lets people be told of it. Returns what was pushed. */
async function force(name: string): Promise<Buffer> {
  const { client, world } = setting
  const { context } = world.server
  const site = await client.sites.create({ name: 'Madrid', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const { id: gadget_id } = await client.gadgets.create({ name, device_id: device.id, ...gate })
  const { user } = (await setting.visitor.account<{ user: { id: string } }>('GET', '/account/session')).body
  await client.alarm_rules.create({ name, types: ['door_forced'], notify: [{ user_id: user.id }] })
  const move = (state_id: string) => client.devices.simulate(device.id, { state: { gadget_id, state_id } })
  await move('closed')
  world.clock.advance(10)
  await move('open')
  world.clock.advance(2)
  await closeVirtualDoors(context)
  await tellPeople(context)
  world.clock.advance(2)
  await tellPeople(context)
  return service.received.at(-1)?.body ?? Buffer.alloc(0)
}

const shownIn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/console/')
    const shown = (await registration?.getNotifications()) ?? []
    return shown.map(({ title, body }) => `${title} | ${body}`)
  })

soak(
  'a push arrives in Chromium, is shown, and is acknowledged; a GET of its link changes nothing',
  async () => {
    await using stack = new AsyncDisposableStack()
    const context = await launch(stack)
    const browser = service.browser()
    await subscribeWith(context, browser)
    await context.grantPermissions(['notifications'], { origin: setting.url })
    const page = await context.newPage()
    await page.goto(page_url)
    await page.getByRole('button', { name: 'Turn on push' }).click()
    await page.getByText('Push is on in this browser.').waitFor()

    const payload = browser.read(await force('Front door'))
    const cdp = await context.newCDPSession(page)
    const registered = new Promise<string>(found =>
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/console/'))
        if (own) found(own.registrationId)
      }),
    )
    await cdp.send('ServiceWorker.enable')
    const deliver = async (data: string) =>
      cdp.send('ServiceWorker.deliverPushMessage', {
        origin: setting.url,
        registrationId: await registered,
        data,
      })
    await deliver(JSON.stringify(payload))
    await expect.poll(() => shownIn(page)).toHaveLength(1)
    const [shown = ''] = await shownIn(page)
    console.log(shown)
    expect(shown).toContain('Front door')
    // What cannot be read is shown too.
    await deliver('no JSON at all')
    await expect.poll(() => shownIn(page)).toHaveLength(2)

    const states = async () => (await setting.client.alarms.list({})).data.map(({ state }) => state)
    const { token } = payload.acknowledge as { token: string }
    await fetch(`${setting.url}/push/acknowledge?token=${token}`)
    await fetch(String(payload.url))
    expect(await states()).toEqual(['open'])
    const [worker] = context.serviceWorkers()
    await worker?.evaluate(async () => {
      const { registration } = globalThis as never as { registration: ServiceWorkerRegistration }
      const notification = (await registration.getNotifications()).find(({ title }) =>
        title.includes('forced'),
      )
      const made = Reflect.get(globalThis, 'NotificationEvent')
      globalThis.dispatchEvent(new made('notificationclick', { notification, action: 'acknowledge' }))
    })
    await expect.poll(states).toEqual(['acknowledged'])
    await expect.poll(() => shownIn(page)).toHaveLength(1)
  },
)

soak('where notifications are denied, or the question is left open, Chromium’s user is told so', async () => {
  await using stack = new AsyncDisposableStack()
  const context = await launch(stack)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const decide = (setting_of: 'denied' | 'prompt') =>
    cdp.send('Browser.setPermission', {
      permission: { name: 'notifications' },
      setting: setting_of,
      origin: setting.url,
    })
  // Nobody answers the question of a browser without a window: that is a no.
  await decide('prompt')
  await page.goto(page_url)
  await page.getByRole('button', { name: 'Turn on push' }).click()
  await page.getByText('Notifications were not allowed').waitFor()
  await decide('denied')
  await page.goto(page_url)
  await page.getByText('Notifications are blocked for this page').waitFor()
  expect(await page.getByRole('button', { name: 'Turn on push' }).count()).toBe(0)
})

soak('where Chromium has no notifications or no way to a push service, the page says so', async () => {
  await using stack = new AsyncDisposableStack()
  const without = await launch(stack, '--disable-notifications')
  const page = await without.newPage()
  await page.goto(page_url)
  await page.getByText('This browser cannot receive push messages').waitFor()

  const cut = await launch(stack)
  await cut.grantPermissions(['notifications'], { origin: setting.url })
  const other = await cut.newPage()
  await other.goto(page_url)
  await other.getByRole('button', { name: 'Turn on push' }).click()
  await other.getByText('does not answer').waitFor({ timeout: 60_000 })
})
