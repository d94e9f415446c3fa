import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@gatehouse-access/sdk'
import { isSoak, type World, type WorldOptions, world } from '@gatehouse-access/testkit'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, TestRunner } from 'vitest'
import { clientOf } from '../../oauth/client-of.ts'
import { signUp } from '../../oauth/people.ts'
import type { Visitor } from '../../oauth/visitor.ts'
import { openBrowser } from '../browser.ts'
import { findFaults, looksInTurn } from '../faults.ts'

/** A service with one user, an organization from a template, and a browser in which the user is signed in. */
export interface Setting extends AsyncDisposable {
  readonly world: World
  readonly url: string
  readonly browser: Browser
  readonly visitor: Visitor
  readonly organization_id: string
  /** Calls the API as the same user, independently of the browser. */
  readonly client: Client
  /** The width of the windows. Omitted if a file opens both widths. */
  readonly width?: Width | undefined
  /** Opens a window of the signed-in user at a path of the organization. `faultsOf` returns its errors. */
  open(path: string, look?: Look): Promise<Page>
}

/** The console is used on desktops and phones. */
export const widths = ['desktop', 'phone'] as const
export type Width = (typeof widths)[number]

/**
 * Returns the widths at which flows run: the usual one in `npm test`, both in `npm run soak`. Axe checks both
 * widths in either case.
 */
export function widthsFor(usual: Width): readonly Width[] {
  return isSoak ? widths : [usual]
}

export const looks = {
  desktop: { width: 1280, height: 800, scheme: 'light' },
  night: { width: 1280, height: 800, scheme: 'dark' },
  phone: { width: 390, height: 780, scheme: 'light' },
  'phone-night': { width: 390, height: 780, scheme: 'dark' },
} as const
export type Look = keyof typeof looks

export async function openSetting(
  template: 'hotel' | 'office' | 'gym' | null = 'hotel',
  { width, ...options }: WorldOptions & { readonly width?: Width } = {},
): Promise<Setting> {
  const owned = new AsyncDisposableStack()
  const w = owned.use(await world({ is_reachable: true, ...options }))
  const browser = owned.adopt(await openBrowser(), held => held.close())
  const visitor = await signUp(w, 'owner@example.com', 'Olivia Owner')
  const { body } = await visitor.account<{ id: string }>('POST', '/account/organizations', {
    name: 'Hotel Miramar',
    ...(template && { template }),
  })
  const context = await signedIn(browser, visitor)
  return {
    world: w,
    url: visitor.url,
    browser,
    visitor,
    organization_id: body.id,
    client: await clientOf(visitor, body.id),
    width,
    open: (path, look = width ?? 'desktop') => openPage(context, `${visitor.url}/o/${body.id}${path}`, look),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Opens a separate browser context with the visitor's cookies. */
export async function signedIn(
  browser: Browser,
  visitor: Visitor,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', acceptDownloads: true, ...options })
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: visitor.url }))
  await context.addCookies(cookies)
  return context
}

const faults = new WeakMap<Page, readonly string[]>()

/** Returns the page's errors, policy violations and requests to other hosts. None of them may occur. */
export function faultsOf(page: Page): readonly string[] {
  return faults.get(page) ?? []
}

export async function openPage(context: BrowserContext, address: string, look: Look): Promise<Page> {
  const page = closed.get(context)?.pop() ?? (await newPage(context, new URL(address).origin))
  await wear(page, look)
  TestRunner.getCurrentTest()?.context.onTestFailed(() => tell(page))
  // Drops errors that the previous test's page left behind.
  page.once('framenavigated', () => faults.set(page, []))
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  return page
}

/** Logs what the window shows when its test fails. */
async function tell(page: Page): Promise<void> {
  const text = await page.locator('body').innerText().catch(String)
  console.log(
    `${page.url()}\n${text.slice(0, 1000)}\n…\n${text.slice(1000).slice(-1000)}\n${faultsOf(page).join('\n')}`,
  )
}

/** Closed windows, kept for reuse. A new window starts a process, which costs as much as the page itself. */
const closed = new WeakMap<BrowserContext, Page[]>()

async function newPage(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  watch(page, origin)
  const pages = closed.get(context) ?? []
  closed.set(context, pages)
  page.close = async () => {
    await page.unrouteAll()
    pages.push(page)
  }
  return page
}

async function wear(page: Page, look: Look): Promise<void> {
  const { width, height, scheme } = looks[look]
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
}

function watch(page: Page, origin: string): void {
  const report = (fault: string) => faults.set(page, [...faultsOf(page), fault])
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(blob|data):/.test(url)) report(`request to ${url}`)
  })
  page.on('pageerror', error => report(error.message))
  page.on('console', message => {
    if (/Content Security Policy/i.test(message.text())) report(message.text())
  })
}

/**
 * Expects that no content is wider than the window, there is exactly one h1, no error has occurred, and no dialog begins
 * at the button that closes it. In `npm run soak` axe must find nothing either. In `npm test` it looks at what `checkLooks` opens.
 */
export async function checkPage(page: Page, name: string, withAxe = isSoak): Promise<void> {
  await settle(page)
  await photograph(page, name)
  if (withAxe) expect([name, await findFaults(page)]).toEqual([name, []])
  expect([name, await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)]).toEqual(
    [name, expect.toSatisfy(wider => (wider as number) <= 0)],
  )
  expect([name, await page.evaluate(findCrushed)]).toEqual([name, []])
  expect([name, await page.evaluate(findCovered)]).toEqual([name, []])
  expect([name, await page.locator('[role=dialog] header button:focus').count()]).toEqual([name, 0])
  expect([name, await page.locator('h1').count()]).toEqual([name, 1])
  expect([name, await page.getByText('Something went wrong on this page').count()]).toEqual([name, 0])
  expect([name, faultsOf(page)]).toEqual([name, []])
}

/**
 * Runs in the page. Returns what stands on buttons in the heads of sections and in rows, and on badges beside
 * titles, that are too narrow for it.
 */
function findCrushed(): string[] {
  const held = [
    ...document.querySelectorAll<HTMLElement>(
      ':is(.section-head, .row-actions, .hold-row) .mantine-Button-root, .page-title .mantine-Badge-root',
    ),
  ]
  const isCrushed = (part: Element) => part.scrollWidth > part.clientWidth + 1
  return held
    .filter(part => [part, ...part.querySelectorAll('[class*="-label"]')].some(isCrushed))
    .map(({ innerText }) => innerText)
}

/** Returns the texts in a part of the page of which one sees only the beginning. */
export function cutTexts(part: Locator): Promise<string[]> {
  return part.evaluate(root => {
    const isCut = (found: Element) =>
      found.clientWidth > 1 &&
      found.checkVisibility() &&
      getComputedStyle(found).overflowX !== 'visible' &&
      (found.scrollWidth > found.clientWidth + 1 || found.scrollHeight > found.clientHeight + 1)
    return [root, ...root.querySelectorAll('*')]
      .filter(found => !found.closest('.rows-head, thead') && isCut(found))
      .map(({ textContent }) => textContent ?? '')
  })
}

/** Runs in the page. Returns what notices cover on a phone that nobody can scroll away. */
function findCovered(): string[] {
  if (window.innerWidth > 820) return []
  const leftToScroll = (outer: Element | null) =>
    outer ? outer.scrollHeight - outer.clientHeight - outer.scrollTop : 0
  const rectsOf = (selector: string) =>
    [...document.querySelectorAll(selector)].map(found => ({
      selector,
      ...found.getBoundingClientRect().toJSON(),
      // Where it ends once its drawer is scrolled to the end.
      bottom: found.getBoundingClientRect().bottom - leftToScroll(found.parentElement),
    }))
  const fixed = [
    'h1',
    '.mantine-Modal-content',
    '.mantine-Drawer-body',
    '.top',
    '.bottom-bar',
    '.emergency-banners',
  ].flatMap(rectsOf)
  const notices = rectsOf('.mantine-Notification-root')
  return fixed
    .filter(part => notices.some(({ top, bottom }) => part.height && part.top < bottom && part.bottom > top))
    .map(({ selector }) => selector)
}

/**
 * Screens that `npm run soak` alone checks. The lists are drawn by one component, for which those of members and
 * events stand, and these details by the parts of others.
 */
const alike: ReadonlySet<string> = new Set([
  ...['sites', 'devices', 'gadgets', 'triggers', 'groups', 'schedules', 'calendars', 'cards', 'tags'],
  ...['trigger', 'tag', 'site-days', 'applications', 'developers-organizations', 'developers-devices'],
  ...['unlock-rules', 'overview-drill'],
])

/** Checks the page in light and dark mode, wide and narrow, with axe. */
export async function checkLooks(setting: Setting, path: string, name: string): Promise<void> {
  if (!isSoak && alike.has(name)) return
  const page = walkers.get(setting) ?? (await setting.open('/nowhere'))
  walkers.set(setting, page)
  await walk(page, setting, path)
  for (const look of looksInTurn(name, looksOf(setting))) {
    await wear(page, look)
    await checkPage(page, `${name}-${look}`, true)
  }
}

/** If flows run at both widths, each run checks only its own width. */
function looksOf({ width }: Setting): readonly Look[] {
  const all = Object.keys(looks) as Look[]
  return width && isSoak ? all.filter(look => looks[look].width === looks[width].width) : all
}

/** One window for all checked pages, so that the console and axe are loaded once. */
const walkers = new WeakMap<Setting, Page>()

/**
 * Navigates as a link does. Visits an unknown address first, so that the previous screen is certainly gone.
 */
export async function walk(page: Page, setting: Setting, path: string): Promise<void> {
  const nowhere = page.getByRole('heading', { name: 'Page not found' })
  for (const stop of ['/nowhere', path]) {
    await page.evaluate(address => {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/o/${setting.organization_id}${stop}`)
    await nowhere.waitFor({ state: stop === path ? 'detached' : 'visible' })
  }
  await page.locator('h1').first().waitFor()
}

/** Waits until events arrive live. */
export async function waitUntilLive(page: Page): Promise<void> {
  await page.getByRole('img', { name: 'Live', exact: true }).filter({ visible: true }).waitFor()
}

/** Waits until nothing is loading and nothing is animated. */
export async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.evaluate(async () => {
    const isMoving = ({ effect }: Animation) =>
      effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    // After a frame, newly rendered elements have started their animations.
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
    for (let still = 0; still < 3; still++) {
      await frame()
      const moving = document.getAnimations().filter(isMoving)
      await Promise.allSettled(moving.map(({ finished }) => finished))
      if (moving.length > 0) still = 0
    }
  })
}

/** Takes screenshots only on request, because npm test leaves no files. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.GATEHOUSE_SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `console-${name}.png`) })
}
