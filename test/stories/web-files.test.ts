import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World

beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

const browser = { accept: 'text/html,application/xhtml+xml' }

async function openPage(path: string): Promise<{ answer: Response; text: string }> {
  const answer = await fetch(w.url + path, { headers: browser })
  return { answer, text: await answer.text() }
}

test('the console answers at the root and at each of its own paths', async () => {
  for (const path of ['/', '/members', '/members/mem_00000000000000000000?tab=pins', '/sites/new']) {
    const { answer, text } = await openPage(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toMatch(/<script type="module" crossorigin src="\/console\/[\w-]+\.js">/)
  }
})

test('its policy allows scripts of our own and no inline code; the nonce is new each time', async () => {
  const [one, two] = [await openPage('/'), await openPage('/')]
  const policy = one.answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).not.toMatch(/unsafe/)
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] as string
  expect(one.text).toContain(`content="${nonce}"`)
  expect(two.text).not.toContain(nonce)
})

test.each([
  '/v2/nothing',
  '/member/v1/nothing',
  '/account/nothing',
  '/guest/nothing.js',
  '/console/nothing.js',
])('%s stays an error in JSON, also for a browser', async path => {
  const { answer, text } = await openPage(path)
  expect(answer.status).toBe(404)
  expect(JSON.parse(text)).toMatchObject({ type: 'not_found' })
})

test('programs still get an error in JSON for a path that is nothing', async () => {
  const answer = await fetch(`${w.url}/members`)
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ type: 'not_found' })
})

test('hashed files are kept for ever, compressed as the browser likes, and asked for by their tag', async () => {
  const { text } = await openPage('/')
  const script = /src="(\/console\/[\w-]+\.js)"/.exec(text)?.[1] as string
  const plain = await fetch(w.url + script, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('content-encoding')).toBe(null)
  const source = await plain.text()
  for (const encoding of ['br', 'gzip']) {
    const answer = await fetch(w.url + script, { headers: { 'accept-encoding': encoding } })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(await answer.text()).toBe(source)
  }
  const etag = plain.headers.get('etag') as string
  const again = await fetch(w.url + script, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

test.each(['..%2f..%2fpackage.json', '%2e%2e/index.html', '.built', 'index.html', 'assets/../index.html'])(
  'no way leads out of the folder of files: %s',
  async name => {
    const answer = await fetch(`${w.url}/guest/${name}`)
    expect([400, 404]).toContain(answer.status)
  },
)
