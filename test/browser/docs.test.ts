import { isSoak, within } from '@gatehouse-access/testkit'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAssets } from '../../packages/server/src/http/pages/assets.ts'
import { readGuides } from '../../packages/server/src/http/reference/guides.ts'
import { addReference } from '../../packages/server/src/http/reference/route.ts'
import { openBrowser } from './browser.ts'
import { looks } from './console/setting.ts'
import { findFaults, looksInTurn } from './faults.ts'

let app: FastifyInstance
let browser: Browser
let url: string

beforeAll(async () => {
  app = Fastify()
  addAssets(app)
  addReference(app, 'http://localhost:8080')
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** A page without errors, whose width is that of the window. */
async function visit(path: string, width: number): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: 'dark' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => void (message.type() === 'error' && errors.push(message.text())))
  await page.goto(url + path)
  return { page, errors }
}

/** Those of other resources are drawn alike. Only events and jobs have more: streams and files. */
const resources = isSoak ? ['tag', 'event', 'job'] : ['tag']

test.each(resources)(
  'axe finds no fault in the reference with its part %s, in any look',
  within(90),
  async kept => {
    const { page, errors } = await visit('/docs', 1280)
    expect(await page.evaluate(findRepeatedIds)).toEqual([])
    await page.evaluate(leaveResource, kept)
    for (const part of ['authentication', `${kept}-list`]) await page.locator(`#${part}`).waitFor()
    await expectNoFaults(page, `reference-${kept}`)
    expect(errors).toEqual([])
  },
)

/** Expects nothing of axe, and no content wider than the window, in light and dark mode, wide and narrow. */
async function expectNoFaults(page: Page, name: string): Promise<void> {
  for (const [look, { width, height, scheme }] of looksInTurn(name, Object.entries(looks))) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme })
    expect([look, await findFaults(page)]).toEqual([look, []])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect([look, overflow <= 0]).toEqual([look, true])
  }
}

function findRepeatedIds(): string[] {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  const seen = new Set<string>()
  return ids.filter(id => seen.size === seen.add(id).size)
}

/** Removes the parts of the other resources: for 60,000 elements, axe takes minutes. */
function leaveResource(kept: string): void {
  for (const { id, parentElement: part } of document.querySelectorAll('main > section > h2.part'))
    if (id !== `${kept}-title`) part?.remove()
}

/** Lists all guides in `npm run soak`; in `npm test` one with all that they have. */
const guides = isSoak ? [...readGuides().keys()] : ['command']

test.each(['', ...guides.map(name => `/${name}`)])(
  'axe finds no fault in the guide “%s”, in any look',
  within(60),
  async path => {
    const { page, errors } = await visit(`/docs/guides${path}`, 1280)
    await page.locator('h1').waitFor()
    await expectNoFaults(page, `guides${path}`)
    expect(errors).toEqual([])
    await page.context().close()
  },
)

test('a phone finds an endpoint and a guide by words', async () => {
  const { page, errors } = await visit('/docs/guides/webhooks', 390)
  expect(await findFaults(page)).toEqual([])
  const search = page.getByRole('combobox', { name: 'Search the documentation' })
  await search.fill('grant access')
  const first = page.getByRole('option').first()
  await expect.poll(() => first.textContent()).toContain('Grant access in one call')
  const box = await page.getByRole('listbox').boundingBox()
  expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 390]).toEqual([true, true])
  await search.press('ArrowDown')
  await search.press('Enter')
  await expect.poll(() => page.url()).toBe(`${url}/docs#grant-create`)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  expect(errors).toEqual([])
})

test('the stream is found by words, and its examples are copied', async () => {
  const { page, errors } = await visit('/docs', 390)
  const search = page.getByRole('combobox', { name: 'Search the documentation' })
  await search.fill('stream events')
  const first = page.getByRole('option').first()
  await expect.poll(() => first.textContent()).toContain('Stream eventsGET /v2/events/stream')
  await search.press('Enter')
  await expect.poll(() => page.url()).toBe(`${url}/docs#event-stream`)
  const example = page.locator('#event-stream figure[data-language=curl]')
  await example.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => example.getByRole('button', { name: 'Copied' }).count()).toBe(1)
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^curl -N "http:\/\/localhost:8080\/v2\/events\/stream" \\\n/)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  expect(errors).toEqual([])
})

test('examples are shown in the language that was chosen, and copied', async () => {
  const { page, errors } = await visit('/docs#member-create', 1280)
  const endpoint = page.locator('#member-create')
  await endpoint.getByRole('button', { name: 'TypeScript' }).first().click()
  const example = endpoint.locator('figure[data-language=typescript]')
  expect(await endpoint.locator('figure[data-language=curl]').isVisible()).toBe(false)
  await example.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => example.getByRole('button', { name: 'Copied' }).count()).toBe(1)
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^const answer = await gatehouse\.members\.create\(\{\n {2}name: "/)
  await page.reload()
  expect(await page.locator('#member-get figure[data-language=curl]').isVisible()).toBe(false)
  expect(errors).toEqual([])
})
