import { resolve } from 'node:path'
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

/** A real Chromium, without a window. */
export async function openBrowser(): Promise<Browser> {
  const executablePath: string = await findBrowser(resolve(import.meta.dirname, '../..'))
  return chromium.launch({ executablePath, headless: true, args: flags })
}
