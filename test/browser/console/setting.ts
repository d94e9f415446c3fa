import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@gatehouse/sdk'
import { createClient } from '@gatehouse/sdk'
import { type World, type WorldOptions, world } from '@gatehouse/testkit'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { signUp } from '../../oauth/people.ts'
import type { Visitor } from '../../oauth/visitor.ts'
import { openBrowser } from '../browser.ts'

// A browser beside a service and a database is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** A service with one user, its organization from a template, and a browser in which that user is signed in. */
export interface Setting extends AsyncDisposable {
  readonly world: World
  readonly url: string
  readonly browser: Browser
  readonly visitor: Visitor
  readonly organization_id: string
  /** Acts for the organization beside the browser, as the same user. */
  readonly client: Client
  /** A new window of the signed-in user at a path of the organization; what is wrong with it is in `faultsOf`. */
  open(path: string, look?: Look): Promise<Page>
}

export const looks = {
  desktop: { width: 1280, height: 800, scheme: 'light' },
  night: { width: 1280, height: 800, scheme: 'dark' },
  phone: { width: 390, height: 780, scheme: 'light' },
  'phone-night': { width: 390, height: 780, scheme: 'dark' },
} as const
export type Look = keyof typeof looks

export async function openSetting(
  template: 'hotel' | 'office' | 'gym' | undefined = 'hotel',
  options: WorldOptions = {},
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
    open: (path, look = 'desktop') => openPage(context, `${visitor.url}/o/${body.id}${path}`, look),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** A browser of its own with the cookies of this visitor. */
export async function signedIn(browser: Browser, visitor: Visitor): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', acceptDownloads: true })
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: visitor.url }))
  await context.addCookies(cookies)
  return context
}

export async function clientOf(visitor: Visitor, organization_id: string): Promise<Client> {
  const { body } = await visitor.account<{ csrf_token: string }>('GET', '/account/session')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'x-csrf-token': body.csrf_token, 'x-organization-id': organization_id }
  return createClient({ base_url: `${visitor.url}/v2`, headers, retries: 0 })
}

const faults = new WeakMap<Page, string[]>()

/** What must never happen on a page: errors, breaches of the policy, requests to other hosts. */
export function faultsOf(page: Page): readonly string[] {
  return faults.get(page) ?? []
}

export async function openPage(context: BrowserContext, address: string, look: Look): Promise<Page> {
  const { width, height, scheme } = looks[look]
  const page = await context.newPage()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: scheme })
  watch(page, new URL(address).origin)
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  return page
}

function watch(page: Page, origin: string): void {
  const found: string[] = []
  faults.set(page, found)
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(blob|data):/.test(url)) found.push(`request to ${url}`)
  })
  page.on('pageerror', error => found.push(error.message))
  page.on('console', message => {
    if (/Content Security Policy/i.test(message.text())) found.push(message.text())
  })
}

/** Axe finds nothing, nothing is wider than the window, there is one h1, and nothing went wrong so far. */
export async function checkPage(page: Page, name: string): Promise<void> {
  await settle(page)
  await photograph(page, name)
  expect([name, await findFaults(page)]).toEqual([name, []])
  expect([name, await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)]).toEqual(
    [name, expect.toSatisfy(wider => (wider as number) <= 0)],
  )
  expect([name, await page.locator('h1').count()]).toEqual([name, 1])
  expect([name, faultsOf(page)]).toEqual([name, []])
}

/** The same page in every look. */
export async function checkLooks(setting: Setting, path: string, name: string): Promise<void> {
  const page = await setting.open(path)
  for (const [look, { width, height, scheme }] of Object.entries(looks)) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme })
    await checkPage(page, `${name}-${look}`)
  }
  await page.close()
}

/** Until nothing is loading and nothing moves. */
export async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(250)
}

async function findFaults(page: Page): Promise<unknown[]> {
  await page.evaluate(`if (!window.axe) { ${axe.source} }`)
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    return (await axe.run()).violations
  })
  return found.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary.slice(0, 300)]),
  }))
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Only when asked for: npm test leaves no files. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.GATEHOUSE_SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `console-${name}.png`) })
}
