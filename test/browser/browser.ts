import { resolve } from 'node:path'
import { slowness } from '@gatehouse/testkit'
import { type Browser, chromium } from 'playwright-core'
// @ts-expect-error: plain JavaScript, since it also runs before anything is installed
import { findBrowser } from '../../scripts/browser.mjs'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Sooner than the test's own time-out, which would not say what was waited for. */
const longestWait = 20_000 * slowness

/** A real Chromium, without a window. */
export async function openBrowser(): Promise<Browser> {
  const executablePath: string = await findBrowser(resolve(import.meta.dirname, '../..'))
  const browser = await chromium.launch({ executablePath, headless: true, args: flags })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async options => {
    const context = await newContext(options)
    context.setDefaultTimeout(longestWait)
    return context
  }
  return browser
}
