import { listInstanceAlarms } from '@gatehouse-access/server'
import { findFreePort, soak, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Authority, startAuthority } from './authority.ts'
import { ask, dial, name, shown, startTls } from './stage.ts'

let authority: Authority
beforeAll(async () => {
  authority = await startAuthority()
}, within(60).timeout)
afterAll(() => authority[Symbol.asyncDispose]())

const day = 86_400

function acme(http_port?: number) {
  const { directory } = authority
  return { mode: 'acme' as const, name, directory, email: 'me@example.com', ...(http_port && { http_port }) }
}

soak('two processes share one certificate, which is renewed while connections stay open', async () => {
  await using w = await world()
  await using first = await startTls(w, acme(authority.http_port))
  await using second = await startTls(w, acme(await findFreePort()))
  await expect(shown(first.url, authority.root)).rejects.toThrow()

  await Promise.all([first, second].map(({ context }) => context.certificates?.refresh()))
  const before = await shown(first.url, authority.root)
  await expect
    .poll(async () => (await shown(second.url, authority.root)).fingerprint256)
    .toBe(before.fingerprint256)
  const stored = await w.server.context.db.query<{ text: string }>(
    'SELECT c::text AS text FROM certificates c UNION ALL SELECT a::text FROM acme_accounts a UNION ALL SELECT d::text FROM acme_challenges d',
  )
  expect(stored).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toContain(Buffer.from('PRIVATE KEY').toString('hex'))

  const held = await dial(first.url, authority.root)
  expect(await ask(held, '/healthz')).toContain('strict-transport-security: max-age=')
  w.clock.advance(59 * day)
  await second.context.certificates?.refresh()
  expect((await shown(second.url, authority.root)).fingerprint256).toBe(before.fingerprint256)
  w.clock.advance(4 * day)
  await first.context.certificates?.refresh()
  const after = await shown(first.url, authority.root)
  expect(after.fingerprint256).not.toBe(before.fingerprint256)
  await expect
    .poll(async () => (await shown(second.url, authority.root)).fingerprint256)
    .toBe(after.fingerprint256)
  expect(await ask(held, '/healthz')).toContain('"ok"')
  held.destroy()
})

test('without plain HTTP the name is proved over TLS, while others are served', async () => {
  await using w = await world()
  await using server = await startTls(w, acme(), { port: authority.tls_port })
  await server.context.certificates?.refresh()
  const socket = await dial(server.url, authority.root)
  expect(await ask(socket, '/healthz')).toContain('"ok"')
  socket.destroy()
})

test('a renewal that fails is tried again in the other way, and raises alarms as the end comes nearer', async () => {
  const lines: { alarm?: string; days_left?: number; msg: string }[] = []
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) }
  await using w = await world()
  // The authority asks for plain HTTP at another port than this one: only the second way works.
  const { tls_port: port } = authority
  await using server = await startTls(w, acme(await findFreePort()), { port }, { log })
  const { certificates, metrics } = server.context
  const refresh = () => certificates?.refresh()
  await refresh()
  await refresh()
  expect(lines.map(({ msg }) => msg)).toEqual(['no certificate could be obtained'])
  w.clock.advance(70)
  await refresh()
  await shown(server.url, authority.root)

  const expired = () => metrics.render().then(text => /^gatehouse_certificate_expiring (\d)/m.exec(text)?.[1])
  expect(await expired()).toBe('0')
  await authority.stop()
  let left = 90
  for (const next of [20, 13.5, 10, 6.5, 5, 2.5, 2, 0.5, -1]) {
    w.clock.advance((left - next) * day)
    left = next
    await refresh()
  }
  const alarms = lines.filter(({ alarm }) => alarm === 'certificate_expiring')
  expect(alarms.map(({ days_left }) => days_left)).toEqual([13, 6, 2, 0])
  expect(await expired()).toBe('1')
  await server.context.instance_alarms.settled()
  expect(await listInstanceAlarms(server.context.db, { is_on: true, limit: 9 })).toMatchObject([
    { type: 'certificate_expiring', message: 'the certificate has ended and was not renewed' },
  ])
})
