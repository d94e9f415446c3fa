import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../test/browser/browser.ts'
import { judge, median, printTable } from '../figures.ts'
import { startService } from '../service.ts'
import { createTenant } from '../tenant.ts'
import { makeGuest } from './guest.ts'

const rounds = 7
/** 150 ms round trip, 1.6 Mbit/s and a CPU four times slower: a phone in a stairwell. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowdown = 4

interface Figures {
  readonly painted: number
  readonly ready: number
  readonly opened: number
}

/** Measures what a guest waits for, with a fresh browser context each time. */
export async function measureGuest(): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Bench')
  const link = (await makeGuest(service.url, await tenant.headers())).replace(
    /^.*\/guest/,
    `${service.url}/guest`,
  )
  const browser = await openBrowser()
  const taken: Figures[] = []
  try {
    await visit(browser, link)
    for (let round = 0; round < rounds; round++) taken.push(await visit(browser, link))
  } finally {
    await browser.close()
  }
  const of = (name: keyof Figures) => median(taken.map(figures => figures[name]))
  printTable(
    `Guest page at ${network.latency} ms, 1.6 Mbit/s, ${slowdown} × slower processor; median of ${rounds}, milliseconds`,
    ['', 'taken', 'bound', 'holds'],
    [
      ['first paint', ...judge(of('painted'), 1000, 'at most', 0)],
      ['button ready', ...judge(of('ready'), 2000, 'at most', 0)],
      ['tap to "opened"', ...judge(of('opened'), 300, 'at most', 0)],
    ],
  )
}

async function visit(browser: Browser, link: string): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', network)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(watchDoors)
  await page.goto(link, { waitUntil: 'commit' })
  await page.locator('.door .act').first().waitFor()
  const painted = await readPaint(page)
  const ready = await page.evaluate(() => Number(document.documentElement.dataset.ready))
  // The page fetches its PIN and registers its worker. A guest takes longer than that to tap.
  await page.waitForTimeout(2500)
  await page.locator('.door .act').first().click()
  await page.locator('.door .act.done').waitFor()
  const opened = await page.evaluate(() => Number(document.documentElement.dataset.opened))
  await context.close()
  return { painted, ready, opened }
}

/** Runs in the page. Records when the first button appears, and when the first tap is confirmed. */
function watchDoors(): void {
  let tapped = 0
  addEventListener('click', () => (tapped ||= performance.now()), true)
  const note = (name: string, selector: string, value: () => number) => {
    const { dataset } = document.documentElement
    if (dataset[name] || !document.querySelector(selector)) return
    requestAnimationFrame(() => (dataset[name] ||= String(value())))
  }
  new MutationObserver(() => {
    note('ready', '.door .act', () => performance.now())
    note('opened', '.door .act.done', () => performance.now() - tapped)
  }).observe(document, { childList: true, subtree: true, attributes: true })
}

function readPaint(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
}

if (import.meta.main) await measureGuest()
