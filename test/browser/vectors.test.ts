import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { bundleCore, bundlePolyfill } from './core-page.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'packages/core/vectors')
const files = readdirSync(folder).map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')))

let browser: Browser
let core: string
let polyfill: string

beforeAll(async () => {
  browser = await openBrowser()
  core = await bundleCore()
  polyfill = await bundlePolyfill()
})
afterAll(() => browser.close())

interface Case {
  readonly name: string
  readonly question: { readonly at: string }
  readonly expect: object
}

test.each([
  ['its own Temporal', false],
  ['the polyfill', true],
])('the golden vectors hold in Chromium with %s', async (_with, is_polyfilled) => {
  const page = await browser.newPage()
  if (is_polyfilled) {
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'Temporal'))
    await page.addScriptTag({ content: polyfill })
  }
  expect(await page.evaluate(() => String(Temporal.Instant.from).includes('[native code]'))).toBe(
    !is_polyfilled,
  )
  await page.addScriptTag({ content: core })
  const wrong = await page.evaluate(given => {
    const { compilePolicy, decide, explain, toMicroseconds } = (globalThis as unknown as { core: Core }).core
    return (given as VectorFile[]).flatMap(({ policy: rows, zones = {}, cases }) => {
      const policy = compilePolicy(rows, { zoneTable: name => zones[name] ?? null })
      return cases.map(({ name, question, expect }) => {
        const asked = { ...question, at: toMicroseconds(question.at) }
        const { rules: _, ...explained } = explain(policy, asked)
        return { name, expect, explained, decided: decide(policy, asked) }
      })
    })
  }, files)
  expect(wrong.length).toBeGreaterThanOrEqual(300)
  for (const { name, expect: expected, explained, decided } of wrong) {
    const { allowed, reason } = expected as { allowed: boolean; reason: string | null }
    expect([name, explained]).toEqual([name, expected])
    expect([name, decided]).toEqual([name, { allowed, reason }])
  }
  await page.close()
})

interface VectorFile {
  readonly policy: object
  readonly zones?: Record<string, object>
  readonly cases: Case[]
}

interface Core {
  compilePolicy(rows: object, options: { zoneTable(name: string): object | null }): object
  toMicroseconds(at: string): unknown
  explain(policy: object, question: object): { rules: unknown }
  decide(policy: object, question: object): object
}
