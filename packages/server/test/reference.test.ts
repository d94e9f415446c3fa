import { conventions, endpoints, errorTypes, resources } from '@gatehouse-access/api'
import { world } from '@gatehouse-access/testkit'
import { beforeAll, expect, test } from 'vitest'
import { renderPage } from '../src/http/reference/page.ts'
import { readStyle } from '../src/http/reference/style.ts'

let page = ''
beforeAll(() => {
  page = renderPage('http://localhost:8080')
})

test('the page is served with its stylesheet and icon, under a policy without exceptions', async () => {
  await using w = await world()
  const response = await fetch(`${w.url}/docs`)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  const loaded = [...(await response.text()).matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href]) => href)
  for (const href of loaded) expect((await fetch(w.url + href)).status).toBe(200)
  expect(loaded).toEqual(['/docs/icon.svg', '/docs/style.css'])
})

test('every endpoint, kind, convention and error has its place', () => {
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const { id } of endpoints) expect(anchors).toContain(id.replace('.', '-'))
  for (const { kind, verbs } of Object.values(resources))
    if (verbs.length > 0) expect(anchors).toContain(kind)
  for (const { id } of conventions) expect(anchors).toContain(id)
  for (const type of Object.keys(errorTypes)) expect(anchors).toContain(`error-${type}`)
})

test('anchors are unique and every link within the page leads somewhere', () => {
  const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(anchors).toHaveLength(new Set(anchors).size)
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(anchors).toContain(target)
})

test('it needs no scripts, no inline styles and no other host', () => {
  expect(page).not.toMatch(/<script|<iframe| style="| on\w+="|javascript:/)
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  expect(readStyle()).not.toMatch(/@import|url\(/)
})

test('headings descend without gaps, tables have headers, and landmarks are there', () => {
  const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
  const main = levels.slice(levels.indexOf(1))
  for (const [index, level] of main.entries()) expect(level - (main[index - 1] ?? 0)).toBeLessThanOrEqual(1)
  expect(page.match(/<h1/g)).toHaveLength(1)
  expect(page.match(/<table>/g)).toHaveLength((page.match(/<th scope="col">/g)?.length as number) / 2)
  for (const landmark of ['<header>', '<nav ', '<main ', 'class="skip"']) expect(page).toContain(landmark)
})

test('texts keep their contrast, in light and in dark', () => {
  const [light, dark] = readStyle().split('prefers-color-scheme: dark').map(coloursIn)
  for (const colours of [light, { ...light, ...dark }])
    for (const ink of ['ink', 'soft', 'accent', 'get', 'post', 'patch', 'delete', 'key', 'text', 'literal'])
      for (const ground of ['ground', 'raised'])
        expect([ink, contrast(colours?.[ink], colours?.[ground]) >= 4.5]).toEqual([ink, true])
})

function coloursIn(css: string): Record<string, string> {
  return Object.fromEntries(
    [...css.matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name, value]) => [name, value]),
  )
}

/** Contrast ratio from relative luminance, as defined in WCAG 2.2. */
function contrast(a = '', b = ''): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
