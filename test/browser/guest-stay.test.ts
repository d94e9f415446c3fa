import type { Tenant, World } from '@gatehouse-access/testkit'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLogo } from '../../packages/server/src/services/organizations/organization-life.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { looksInTurn } from './faults.ts'
import {
  bookGuest,
  drawPicture,
  type GuestStage,
  inspectIn,
  openGuestStage,
  openPhone,
  type Screen,
  screens,
  servePicture,
} from './guest-house.ts'

let stage: GuestStage
let w: World
let browser: Browser
let tenant: Tenant
let house: GuestStage['house']

beforeAll(async () => {
  stage = await openGuestStage()
  ;({ w, browser, tenant, house } = stage)
  await tenant.client.sites.edit(house.site, {
    check_in: 'The desk closes at 22:00.\nLater, ring at the side door.',
  })
  await tenant.client.organization.edit({ color: '#ffdd00' })
  await giveLogo()
})
afterAll(() => stage[Symbol.asyncDispose]())

async function giveLogo(): Promise<void> {
  const { context } = w.server
  const bytes = await drawPicture(browser)
  const caller = serviceCaller(tenant.organization_id)
  await context.db.transaction(db =>
    setLogo({ context, db, caller, now: context.clock.now() }, { type: 'image/jpeg', bytes }),
  )
}

const inDays = (days: number) =>
  Temporal.Now.instant()
    .add({ hours: 24 * days })
    .toString()
const book = (member: object = {}) => bookGuest(tenant, house.group, undefined, member)

async function openHome(link: string | undefined, options: BrowserContextOptions = {}) {
  const opened = await openPhone(browser, w, options)
  await opened.page.goto(link as string)
  await opened.page.getByRole('heading', { name: 'Miramar Madrid' }).waitFor()
  return opened
}

/** Looks at it on a phone or a desk, in light or dark mode; at all on request. */
async function inspect(page: Page, name: string): Promise<void> {
  const usual = page.viewportSize() ?? screens.phone.viewport
  const all = Object.keys(screens).flatMap(screen => [`${screen}-light`, `${screen}-dark`])
  for (const look of process.env.GATEHOUSE_SCREENSHOTS ? all : looksInTurn(name, all)) {
    const [screen, scheme] = look.split('-') as [Screen, 'light' | 'dark']
    await page.setViewportSize(screens[screen].viewport)
    await inspectIn(page, scheme, `${name}-${screen}`)
  }
  await page.setViewportSize(usual)
}

/** Yellow is read on a dark page as it is; on a light one it is darker. */
async function expectColors(page: Page): Promise<void> {
  const accent = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'))
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(accent).toBe('#ffdd00')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(accent).not.toBe('#ffdd00')
}

test.each([
  ['en-GB', 'Arrival', 'Departure', 'Check-in'],
  ['ar', 'الوصول', 'المغادرة', 'كيفية الدخول'],
])('before the arrival the page has dates, check-in, logo and color, in %s', async (locale, ...words) => {
  const { magic_links } = await book({ starts_at: inDays(2), ends_at: inDays(5) })
  const { context, page, strange } = await openHome(magic_links[0]?.link, { locale })
  for (const word of words) await page.getByText(word, { exact: true }).waitFor()
  await page.getByText('Later, ring at the side door.').waitFor()
  await page.locator('img.logo').evaluate((image: HTMLImageElement) => image.decode())
  await expectColors(page)
  await inspect(page, `before-${locale}`)
  expect(strange).toEqual([])
  await context.close()
})

test('after the day of arrival the check-in is gone; times are as the reader writes them', async () => {
  const { magic_links } = await book({ starts_at: inDays(-2), ends_at: inDays(5) })
  for (const [locale, style] of [
    ['en-GB', /at \d\d:\d\d$/],
    ['en-US', /at \d{1,2}:\d\d\s[AP]M$/],
    // English is what a phone in Dutch gets, in the style of its region.
    ['nl-NL', /at \d\d:\d\d$/],
  ] as const) {
    const { context, page } = await openHome(magic_links[0]?.link, { locale })
    await expect.poll(() => page.locator('.stay dd').first().textContent()).toMatch(style)
    expect(await page.getByText('Check-in').count()).toBe(0)
    await context.close()
  }
})

test.each([
  ['en-GB', 'Your stay at \u2068Miramar Madrid\u2069 ended', 'Call'],
  ['ar', 'انتهت إقامتك في \u2068Miramar Madrid\u2069', 'اتصال'],
])(
  'a stay that has ended says where, when and whom to call, on a phone that kept nothing, in %s',
  async (locale, text, call) => {
    const { id, magic_links } = await book()
    await tenant.client.members.edit(id, { starts_at: null, ends_at: inDays(-2) })
    const { context, page } = await openHome(magic_links[0]?.link, { locale })
    await page.getByText(text).waitFor()
    await page.getByRole('link', { name: call }).waitFor()
    expect(await page.locator('.pin').count()).toBe(0)
    await context.close()

    await tenant.client.members.delete(id)
    const later = await openPhone(browser, w, { locale })
    await later.page.goto(magic_links[0]?.link as string)
    await later.page.getByRole('status').getByText(text).waitFor()
    await later.page.getByText('+34 910 000 000').waitFor()
    await expect
      .poll(() => later.page.getByRole('link', { name: call }).getAttribute('href'))
      .toBe('tel:+34910000000')
    await later.page.locator('img.logo').evaluate((image: HTMLImageElement) => image.decode())
    await expectColors(later.page)
    await inspect(later.page, `ended-${locale}`)
    await later.context.close()
  },
)

test('a stay ends with its last group, too, and check-in is shown to who has only an end', async () => {
  const { id, magic_links } = await book({ ends_at: inDays(5) })
  const { context, page } = await openHome(magic_links[0]?.link)
  await page.getByText('Later, ring at the side door.').waitFor()
  await tenant.client.members.edit(id, { ends_at: null })
  for await (const { id: held } of tenant.client.member_group_associations.all(id))
    await tenant.client.member_group_associations.edit(id, held, { ends_at: inDays(-1) })
  await page.reload()
  await page.getByRole('status').getByText('Your stay at \u2068Miramar Madrid\u2069 ended').waitFor()
  await page.getByRole('link', { name: 'Call' }).waitFor()
  expect(await page.getByText('You have no doors yet').count()).toBe(0)
  expect(await page.locator('.pin').count()).toBe(0)
  await context.close()
})

test('a banner says at once that the network is gone, and goes with its return', async () => {
  const { magic_links } = await book()
  const { context, page } = await openHome(magic_links[0]?.link)
  const banner = page.getByRole('status').getByText(/You are offline/)
  await context.setOffline(true)
  await banner.waitFor()
  await inspect(page, 'network-gone')
  await context.setOffline(false)
  await banner.waitFor({ state: 'detached' })
  // The browser believes to be online, but the service cannot be reached: the first tap tells.
  await page.route('**/member/v1/**', route => route.abort())
  await page.getByRole('button', { name: 'Open: Front door' }).tap()
  await banner.waitFor()
  await context.close()
})

test('a link that could not be opened without the network is opened when it is tried again', async () => {
  const { magic_links } = await book()
  const { context, page } = await openPhone(browser, w, { serviceWorkers: 'block' })
  await page.clock.install()
  await page.route('**/member/v1/**', route => route.abort())
  await page.goto(magic_links[0]?.link as string)
  await page.getByRole('status').getByText('No connection.').waitFor()
  await inspect(page, 'link-offline')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).tap()
  await page.getByRole('heading', { name: 'Miramar Madrid' }).waitFor()
  await context.close()
})

test('a link that cannot be opened without the network leaves the stay that the phone knows, and is opened later', async () => {
  const [known, next] = [await book(), await book()]
  const { context, page } = await openHome(known.magic_links[0]?.link, { serviceWorkers: 'block' })
  await page.clock.install()
  const shown = () => page.evaluate(() => JSON.parse(localStorage['gatehouse-guest']).home.member_id)
  expect(await shown()).toBe(known.id)
  await page.route('**/member/v1/**', route => route.abort())
  await page.goto(next.magic_links[0]?.link as string)
  await page.getByRole('status').getByText('Your link will be opened once your phone is online.').waitFor()
  await page.getByRole('heading', { name: 'Miramar Madrid' }).waitFor()
  expect(await page.getByLabel('Email').count()).toBe(0)
  await inspect(page, 'link-waits')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).tap()
  await expect.poll(shown).toBe(next.id)
  await page.getByRole('status').getByText('Your link').waitFor({ state: 'detached' })
  await context.close()
})

test('where the service sends no email, the page says whom to ask', async () => {
  const { context, page } = await openPhone(browser, w, { serviceWorkers: 'block' })
  await page.route('**/member/v1/email_codes', route => route.fulfill({ json: { delivery: 'none' } }))
  await page.goto(`${w.server.context.config.public_url}/guest`)
  await page.getByLabel('Email').fill('guest@example.com')
  await page.getByRole('button', { name: 'Send me a code' }).tap()
  await page.getByRole('alert').getByText('Ask your host for a link that opens your doors.').waitFor()
  expect(await page.getByLabel('Code').count()).toBe(0)
  await inspect(page, 'no-mail')
  await context.close()
})

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

test.each([
  ['en-GB', 'Add to home screen', 'Choose “Add to Home Screen”.', 'Not now'],
  ['ar', 'أضف إلى الشاشة الرئيسية', 'اختر «إضافة إلى الشاشة الرئيسية».', 'ليس الآن'],
])(
  'how to add the page to the home screen is explained once, in the steps of the phone, in %s',
  async (locale, title, step, no) => {
    const { magic_links } = await book()
    const { context, page } = await openHome(magic_links[0]?.link, { locale, userAgent: iphone })
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByText(step).waitFor()
    await inspect(page, `install-${locale}`)
    // Whoever ignores it does not see it at the next visit.
    await page.reload()
    await page.getByRole('button', { name: title }).waitFor()
    expect(await page.getByText(step).count()).toBe(0)
    await page.getByRole('button', { name: title }).tap()
    await page.getByText(step).waitFor()
    await page.getByRole('button', { name: no }).tap()
    await page.getByText(step).waitFor({ state: 'detached' })
    await context.close()
  },
)

test('the icon on a home screen may know nobody: a pasted link signs in there', async () => {
  const { magic_links } = await book()
  const { context, page } = await openPhone(browser, w, { userAgent: iphone })
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
  await page.goto(`${w.server.context.config.public_url}/guest`)
  await page.getByText('Sign in with your email, or paste the link you were sent.').waitFor()
  const field = page.getByLabel('Email or link')
  await field.fill('https://example.com/')
  await page.getByRole('button', { name: 'Continue' }).tap()
  await page.getByRole('alert').getByText('This link does not work.').waitFor()
  await field.fill(magic_links[0]?.link as string)
  await page.getByRole('button', { name: 'Continue' }).tap()
  await page.getByRole('button', { name: 'Open: Front door' }).waitFor()
  await context.close()
})

test('logo and picture come from the address that the phone reached the service at, whatever its public URL', async () => {
  await using picture = await servePicture(await drawPicture(browser))
  await tenant.client.sites.edit(house.site, { map: { image_url: picture.url } })
  const { magic_links } = await book()
  const link = new URL(magic_links[0]?.link as string)
  expect(link.hostname).toBe('localhost')
  link.hostname = '127.0.0.1'
  const { context, page } = await openHome(link.href)
  for (const image of ['.pictured > img', 'img.logo']) {
    await page.locator(image).evaluate((shown: HTMLImageElement) => shown.decode())
    expect(await page.locator(image).evaluate((shown: HTMLImageElement) => shown.src)).toContain(link.origin)
  }
  await context.close()
})

const android =
  'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

/** As Chrome on Android does when it could install the page. Counts in the document how often it was asked to. */
async function offerInstall(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const asked = document.documentElement.dataset
    const prompt = async () => {
      asked.prompts = String(Number(asked.prompts ?? 0) + 1)
    }
    const offer = new Event('beforeinstallprompt', { cancelable: true })
    return dispatchEvent(Object.assign(offer, { prompt }))
  })
}

test('an Android phone gets the steps of its menu, and a button as soon as its browser can install the page', async () => {
  const { magic_links } = await book()
  const { context, page, strange } = await openHome(magic_links[0]?.link, { userAgent: android })
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Add to home screen' }) })
  const install = page.getByRole('button', { name: 'Add to home screen' })
  const prompts = () => page.evaluate(() => document.documentElement.dataset.prompts)
  await card.getByText('Open your browser’s menu.').waitFor()
  expect(await install.count()).toBe(0)
  // The browser shows no bar of its own: the page has taken the offer.
  expect(await offerInstall(page)).toBe(false)
  await card.getByText('Open your browser’s menu.').waitFor({ state: 'detached' })
  expect((await install.boundingBox())?.height, 'one line').toBeLessThan(70)
  await inspect(page, 'install-android')
  expect(await prompts()).toBeUndefined()
  await install.tap()
  await expect.poll(prompts).toBe('1')
  await card.waitFor({ state: 'detached' })
  // The card is gone for good, and the button at the foot brings it back on request.
  await page.reload()
  await install.waitFor()
  await offerInstall(page)
  await install.tap()
  await card.getByRole('button', { name: 'Not now' }).tap()
  await card.waitFor({ state: 'detached' })
  expect(await prompts()).toBeUndefined()
  expect(strange).toEqual([])
  await context.close()
})

test('a browser at a desk offers the page for the home screen only if it can install it', async () => {
  const { magic_links } = await book()
  const { context, page } = await openHome(magic_links[0]?.link, { ...screens.desktop })
  const install = page.getByRole('button', { name: 'Add to home screen' })
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  expect(await install.count()).toBe(0)
  await offerInstall(page)
  await install.click()
  await page.getByText('Your doors are one tap away').waitFor()
  await context.close()
})
