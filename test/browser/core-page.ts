import { join, resolve } from 'node:path'
import type { PreviewDay, ScheduleTimes, SiteTimes } from '@gatehouse-access/core'
import { build } from 'vite'
import { openBrowser } from './browser.ts'

const root = resolve(import.meta.dirname, '../..')

/** Builds like the console, but into one script with a named export. */
export async function bundle(entry: string, name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, target: 'es2022', lib: { entry, name, formats: ['iife'] } },
  })
  const [{ output }] = built as unknown as [{ output: [{ code: string }] }]
  return output[0].code
}

export const bundleCore = () => bundle(join(root, 'packages/core/src/index.ts'), 'core')
export const bundlePolyfill = () => bundle(join(root, 'node_modules/temporal-polyfill/global.js'), 'polyfill')

/** A page in a browser that computes with core. */
export interface CorePage extends AsyncDisposable {
  /** Returns when a schedule is open at a site, as the console computes it before it is saved. */
  openTimes(schedule: ScheduleTimes, site: SiteTimes, from: string, to: string): Promise<PreviewDay['open']>
}

export async function openCorePage(): Promise<CorePage> {
  const browser = await openBrowser()
  const page = await (await browser.newContext()).newPage()
  await page.addScriptTag({ content: await bundleCore() })
  return {
    openTimes: (schedule, site, from, to) =>
      page.evaluate(
        given => {
          const { core } = globalThis as unknown as { core: typeof import('@gatehouse-access/core') }
          return core
            .previewDays(given.schedule, given.site, given.from, given.to)
            .flatMap(({ open }) => open)
        },
        { schedule, site, from, to },
      ),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
