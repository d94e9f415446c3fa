import { resolve } from 'node:path'
import { slowness } from '@gatehouse-access/testkit'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
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
  // Pages live for seconds: compiling their code for speed costs more than it gains.
  '--js-flags=--no-opt,--no-maglev',
]

/** Milliseconds, on an idle machine. Shorter than the test timeout, which would not say what the test was waiting for. */
const longestWait = 20_000

/** One browser for each test process, because a launch takes as long as a test. It ends with the process. */
let running: Promise<Browser> | undefined

/** Opens headless Chromium. Closing it closes only the contexts that were opened through it. */
export async function openBrowser(): Promise<Browser> {
  running ??= launch()
  const browser = await running
  const contexts: BrowserContext[] = []
  const newContext: Browser['newContext'] = async options => {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(longestWait * slowness())
    contexts.push(context)
    return context
  }
  const close = async () => void (await Promise.all(contexts.map(context => context.close())))
  return Object.assign(Object.create(browser), { newContext, close })
}

async function launch(): Promise<Browser> {
  const executablePath: string = await findBrowser(resolve(import.meta.dirname, '../..'))
  const browser = await chromium.launch({ executablePath, headless: true, args: flags })
  browser.once('disconnected', () => {
    running = undefined
  })
  return browser
}
