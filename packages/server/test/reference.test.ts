import { readFileSync } from 'node:fs'
import {
  conventions,
  endpoints,
  errorTypes,
  listOperations,
  listTransfers,
  resources,
} from '@gatehouse-access/api'
import { createClient } from '@gatehouse-access/sdk'
import { world } from '@gatehouse-access/testkit'
import { beforeAll, expect, test } from 'vitest'
import { renderGuide } from '../src/http/reference/guide-page.ts'
import { type Guide, groupGuides, guideGroups, readGuides } from '../src/http/reference/guides.ts'
import { renderMarkdown } from '../src/http/reference/markdown.ts'
import { renderPage } from '../src/http/reference/page.ts'
import { makeIndex } from '../src/http/reference/search-index.ts'
import { readStyle } from '../src/http/reference/style.ts'
import { typescriptExample, typescriptTransfer } from '../src/http/reference/typescript.ts'

const baseUrl = 'http://localhost:8080/v2'
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
  expect(loaded).toEqual(['/assets/icon.svg', '/assets/look.css', '/docs/style.css'])
  for (const path of ['/docs/script.js', '/docs/search.json', '/docs/guides', '/docs/guides/webhooks'])
    expect([path, (await fetch(w.url + path)).status]).toEqual([path, 200])
  expect((await fetch(`${w.url}/docs/guides/nothing`)).status).toBe(404)
})

test('every endpoint, transfer, kind, convention and error has its place', () => {
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const { id } of listOperations()) expect(anchors).toContain(id.replace('.', '-'))
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

test('its script is its own file, and it needs no inline styles and no other host', () => {
  expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/script.js" defer>'])
  expect(page).not.toMatch(/<iframe| style="| on\w+="|javascript:/)
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  expect(readStyle()).not.toMatch(/@import|url\(/)
})

test('every endpoint and transfer has a name of its own', () => {
  const operations = listOperations()
  expect(operations).toHaveLength(endpoints.length + listTransfers().length)
  for (const names of [
    operations.map(({ id }) => id),
    operations.map(({ title }) => title),
    operations.map(({ method, path }) => `${method} ${path}`),
  ])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('every endpoint has an example that the SDK can run, and every transfer that it knows', () => {
  const client = createClient({ base_url: 'http://localhost/v2' }) as unknown as Record<
    string,
    Record<string, unknown>
  >
  const called = listTransfers().filter(({ in_sdk }) => in_sdk !== undefined)
  const examples = [
    ...endpoints.map(typescriptExample),
    ...called.map(transfer => typescriptTransfer(transfer, baseUrl)),
  ]
  const wrong = examples.filter(example => {
    const [, group = '', method = ''] = /(?:await|of) gatehouse\.(\w+)\.(\w+)\(/.exec(example) ?? []
    return typeof client[group]?.[method] !== 'function' || !isTypeScript(example)
  })
  expect(wrong).toEqual([])
})

/** With the variables that it takes as given. */
function isTypeScript(example: string): boolean {
  try {
    new Function(`async () => { ${example} }`)
    return true
  } catch {
    return false
  }
}

test('a transfer shows its route, its scopes, its parameters and both examples', () => {
  for (const { id, method, path, scopes, parameters, body } of listTransfers()) {
    const [, section = ''] = page.split(`<section class="pair" id="${id.replace('.', '-')}"`)
    const [own = ''] = section.split('</section>')
    const text = own.replaceAll(/<[^>]*>/g, '')
    const shown = parameters.map(({ name }) => name).filter(name => !/:(ge|lt|le)$/.test(name))
    for (const part of [`${method} /v2${path}`, `Scope ${scopes.join(' or ')}`, ...shown])
      expect([id, text.includes(part) ? part : text]).toEqual([id, part])
    for (const type of Object.keys(body ?? {})) expect(text).toContain(type)
    for (const language of ['curl', 'typescript'])
      expect(own).toContain(`<figure data-language="${language}"`)
  }
})

const guides = readGuides()

test('the guide of a transfer is there, and its title is found', () => {
  const found = new Map(makeIndex(guides).map(({ title, url }) => [title, url]))
  for (const { id, title, guide } of listTransfers()) {
    expect([...guides.keys()]).toContain(guide)
    expect(page).toContain(`href="/docs/guides/${guide}"`)
    expect(found.get(title)).toBe(`/docs#${id.replace('.', '-')}`)
  }
})

test('every guide is listed once, and all links between guides lead somewhere', () => {
  const grouped = Object.values(guideGroups).flat()
  expect(grouped).toHaveLength(new Set(grouped).size)
  for (const name of grouped) expect([...guides.keys()]).toContain(name)
  expect(grouped).toHaveLength(guides.size)
  expect(groupGuides(guides).flatMap(([, found]) => found)).toHaveLength(guides.size)
  const pages = new Map([...guides.values()].map(guide => [guide.name, renderGuide(guides, guide)]))
  const broken: string[] = []
  for (const [name, text] of pages)
    for (const [, target = ''] of text.matchAll(/href="(#[^"]*|\/docs\/guides\/[^"]*)"/g)) {
      const [path = '', anchor] = target.split('#')
      const there = pages.get(path === '' ? name : path.slice('/docs/guides/'.length))
      const isThere = there !== undefined && (!anchor || there.includes(` id="${anchor}"`))
      if (!isThere) broken.push(`${name}: ${target}`)
    }
  expect(broken).toEqual([])
})

test('what is found by the search is where it says', () => {
  const reference = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `/docs#${id}`))
  for (const { url } of makeIndex(guides)) {
    const [, name, anchor] = /^\/docs\/guides\/([\w-]+)#(.+)$/.exec(url) ?? []
    const guide = name === undefined ? undefined : guides.get(name)
    const isThere = guide ? renderedOnce(guide).includes(` id="${anchor}"`) : reference.has(url)
    expect([url, isThere]).toEqual([url, true])
  }
})

const rendered = new Map<string, string>()
function renderedOnce(guide: Guide): string {
  const text = rendered.get(guide.name) ?? renderGuide(guides, guide)
  rendered.set(guide.name, text)
  return text
}

test('Markdown becomes HTML, and nothing else does', () => {
  const given = [
    '# A <b>title</b>',
    'Text with `code <i>`, **bold *and* more** and [a link](webhooks.md#filter), [none](../README.md).',
    '- one\n  goes on\n    - within\n- two',
    '1. first\n\n   ```sh\n   go\n\n   on\n   ```\n\n   Then wait.\n\n2. second',
    '| A | B \\| C |\n|---|---|\n| `x` | y |',
    '```sh\necho "<script>"\n\ntrue\n```',
  ].join('\n\n')
  const { text } = renderMarkdown(given, target => (target.startsWith('..') ? undefined : `/x/${target}`))
  expect(text).toContain('<h1 id="a-btitleb">A &lt;b&gt;title&lt;/b&gt;</h1>')
  expect(text).toContain('<code>code &lt;i&gt;</code>, <strong>bold <em>and</em> more</strong>')
  expect(text).toContain('<a href="/x/webhooks.md#filter">a link</a>, none.')
  expect(text).toContain('<ul><li>one\ngoes on<ul><li>within</li></ul></li><li>two</li></ul>')
  expect(text).toMatch(
    /<ol><li>first<figure.*<code>go\n\non<\/code>.*<p>Then wait\.<\/p><\/li><li>second<\/li><\/ol>/s,
  )
  expect(text).toContain(
    '<th scope="col">B | C</th></tr></thead><tbody><tr><td><code>x</code></td><td>y</td></tr>',
  )
  expect(text).toContain('echo &quot;&lt;script&gt;&quot;\n\ntrue</code>')
})

test('no page shows the marks of what it renders', () => {
  const shown = [page, ...[...guides.values()].map(renderedOnce)].map(text =>
    text.replaceAll(/<(pre|code)\b.*?<\/\1>/gs, ''),
  )
  expect(shown.flatMap(text => text.match(/(`|\*\*|>\s*(\||\d+\. |- )).{0,60}/g) ?? [])).toEqual([])
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
  const look = readFileSync(new URL('../assets/look.css', import.meta.url), 'utf8')
  const style = `${look}${readStyle()}`.replaceAll(/light-dark\((.+?), (.+?)\)/g, '$1 $2')
  for (const colours of [coloursIn(style, 0), coloursIn(style, 1)])
    for (const ink of ['ink', 'soft', 'accent', 'get', 'post', 'patch', 'delete', 'key', 'text', 'literal'])
      for (const ground of ['ground', 'side'])
        expect([ink, contrast(colours?.[ink], colours?.[ground]) >= 4.5]).toEqual([ink, true])
})

test('borders of inputs keep theirs on all that they stand on, in light and in dark', () => {
  const look = readFileSync(new URL('../assets/look.css', import.meta.url), 'utf8')
  const style = look.replaceAll(/light-dark\((.+?), (.+?)\)/g, '$1 $2')
  for (const colours of [coloursIn(style, 0), coloursIn(style, 1)])
    for (const ground of ['ground', 'paper', 'side', 'raised', 'hover'])
      expect([ground, contrast(colours.edge, colours[ground]) >= 3]).toEqual([ground, true])
})

/** The colours of light mode, or of dark mode. */
function coloursIn(css: string, mode: 0 | 1): Record<string, string> {
  return Object.fromEntries(
    [...css.matchAll(/--([\w-]+): (#\w{6})(?: (#\w{6}))?/g)].map(([, name, light, dark = light]) => [
      name,
      mode === 0 ? light : dark,
    ]),
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
