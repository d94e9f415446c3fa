import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openBrowser } from './browser.ts'
import { findFaults } from './faults.ts'

export const here = { latitude: 40.4168, longitude: -3.7038 }

/** A service with a hotel and its house, and a browser. */
export interface GuestStage extends AsyncDisposable {
  readonly w: World
  readonly browser: Browser
  readonly tenant: Tenant
  readonly house: Awaited<ReturnType<typeof makeHouse>>
}

export async function openGuestStage({ has_picture = false } = {}): Promise<GuestStage> {
  await using owned = new AsyncDisposableStack()
  const w = owned.use(await world({ is_reachable: true }))
  const browser = owned.adopt(await openBrowser(), held => held.close())
  const picture = has_picture ? owned.use(await servePicture(await drawPicture(browser))) : undefined
  const tenant = await w.tenant('Hotel Miramar')
  const house = await makeHouse(tenant, picture?.url ?? null)
  const held = owned.move()
  return { w, browser, tenant, house, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

/**
 * Creates a house with every kind of door: usable now, later, only when near, only by PIN, offline, with two
 * actions.
 */
export async function makeHouse({ client }: Tenant, image_url: string | null) {
  const site = await client.sites.create({
    name: 'Miramar Madrid',
    timezone: 'Europe/Madrid',
    geo: { location: { lat: here.latitude, lng: here.longitude }, radius: 100 },
    map: {
      location: { lat: here.latitude, lng: here.longitude },
      address: 'Calle Mayor 1, Madrid',
      ...(image_url && { image_url }),
    },
    phone: '+34 910 000 000',
    email: 'desk@miramar.example',
    info: 'Breakfast from 7 to 10:30.\nThe pool is on the roof.',
  })
  const make = async (name: string, more: object = {}, hardware_id?: string) => {
    const device = await client.devices.create({
      name,
      site_id: site.id,
      product_id: 'controller',
      ...(hardware_id && { hardware_id }),
    })
    return (await client.gadgets.create({ name, device_id: device.id, ...more })).id
  }
  const doors = {
    front: await make('Front door'),
    room: await make('Room 204'),
    garden: await make('Garden gate'),
    garage: await make('Garage', {}, 'hw_GARAGE-01'),
    lift: await make('Lift', {
      actions: [
        { id: 'up', name: 'Up' },
        { id: 'down', name: 'Down' },
      ],
    }),
    pool: await make('Pool'),
    cellar: await make('Wine cellar'),
  }
  const schedule = await client.schedules.create({ name: 'Pool hours', weekdays: onlyTomorrow() })
  const group = await client.member_groups.create({
    name: 'Guests',
    permissions: [
      ...[doors.front, doors.room, doors.garage, doors.lift].map(gadget_id => ({ gadget_id })),
      { gadget_id: doors.garden, presence: 'gps' },
      { gadget_id: doors.pool, schedule_id: schedule.id },
      { gadget_id: doors.cellar, access_methods: { pin: true, card: true } },
    ],
  })
  return { site: site.id, doors, group: group.id }
}

/**
 * From 15:00 to 18:00 on tomorrow's weekday in Madrid, so that the door is closed now, whenever the test
 * runs.
 */
function onlyTomorrow() {
  const tomorrow = Temporal.Now.zonedDateTimeISO('Europe/Madrid').add({ days: 1 }).dayOfWeek
  return Array.from({ length: 7 }, (_, day) => ({
    ranges: day + 1 === tomorrow ? [{ start: 15 * 3600, end: 18 * 3600 }] : [],
  }))
}

export interface Booked {
  readonly id: string
  readonly magic_links: readonly { readonly id: string; readonly link: string }[]
  readonly pins: readonly { readonly id: string; readonly pin: string }[]
}

export async function bookGuest(
  { client }: Tenant,
  group: string,
  credentials: object = { magic_link: true, pin: {} },
  member: object = {},
): Promise<Booked> {
  const granted = await client.grants.create({
    member: { name: 'Never shown', ...member },
    member_group_ids: [group],
    credentials,
  } as never)
  return granted as never
}

/** Returns a picture of a house by the sea, drawn by the browser. */
export async function drawPicture(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 900, height: 520 } })
  await page.setContent(`<body style="margin:0;height:520px;background:linear-gradient(#9cc7e8,#e9dcc3 58%,#4f86a8 58%,#2d5f80)">
    <div style="position:absolute;left:330px;top:120px;width:250px;height:240px;background:#efe6d6"></div>
    <div style="position:absolute;left:420px;top:240px;width:70px;height:120px;border-radius:35px 35px 0 0;background:#5b4636"></div></body>`)
  const picture = await page.screenshot({ type: 'jpeg', quality: 80 })
  await page.close()
  return picture
}

export async function servePicture(bytes: Buffer): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'image/jpeg').end(bytes),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/house.jpg`,
    [Symbol.asyncDispose]: () => new Promise(resolve => server.close(() => resolve())),
  }
}

export const screens = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, hasTouch: false, isMobile: false },
} satisfies Record<string, BrowserContextOptions>
export type Screen = keyof typeof screens

/** Opens a phone with the page. `strange` collects requests to other hosts and errors. */
export async function openPhone(
  browser: Browser,
  w: World,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; strange: string[] }> {
  const context = await browser.newContext({
    ...screens.phone,
    locale: 'en-GB',
    timezoneId: 'Europe/Madrid',
    ...options,
  })
  const page = await context.newPage()
  const strange: string[] = []
  const own = w.server.context.config.public_url
  page.on('request', request => !request.url().startsWith(own) && strange.push(request.url()))
  page.on('pageerror', error => strange.push(error.message))
  page.on(
    'console',
    message => message.type() === 'error' && isOurs(message.text()) && strange.push(message.text()),
  )
  return { context, page, strange }
}

/** The browser logs every status above 399 as an error. These tests expect such responses. */
function isOurs(text: string): boolean {
  return !/Failed to load resource/.test(text)
}

/** Runs axe in a color scheme, checks that nothing is wider than the screen, and takes a picture on request. */
export async function inspectIn(page: Page, colorScheme: 'light' | 'dark', name: string): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const folder = process.env.GATEHOUSE_SCREENSHOTS
  if (folder) {
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `guest-${name}-${colorScheme}.png`), fullPage: true })
  }
  expect([name, colorScheme, await findFaults(page)]).toEqual([name, colorScheme, []])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
}
