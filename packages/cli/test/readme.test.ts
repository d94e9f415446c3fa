import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { closeVirtualDoors } from '@gatehouse-access/server'
import { makeDataFolder, type World, world } from '@gatehouse-access/testkit'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { seedDemo } from '../../server/src/demo/seed.ts'
import { findAddress, startMessage } from '../../server/src/start/start-message.ts'
import { gatehouse } from './gatehouse.ts'

/** The lines of a chapter of the README that are for a shell. */
function linesOf(chapter: string): string {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const part = readme.split(`## ${chapter}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...part.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines)
  return blocks.filter(lines => !lines.includes('gatehouse simulate')).join('\n')
}

/** Runs commands in this process, and lets time pass: as processes they would take as long as all the rest. */
async function openHelper(w: World) {
  const env = { DATABASE_URL: w.database_url, GATEHOUSE_PUBLIC_URL: w.url }
  const server = createServer(async (request, response) => {
    const words = (await text(request)).trimEnd().split('\n')
    if (request.url === '/sleep') {
      w.clock.advance(Number(words[0]))
      await closeVirtualDoors(w.server.context)
      return response.end()
    }
    // Events of one moment have no order.
    w.clock.advance(1)
    const { code, stdout, stderr } = await gatehouse(words, env)
    response.writeHead(code === 0 ? 200 : 500).end(stdout + stderr)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => server.close() }
}

async function runInBash(script: string): Promise<{ code: number | null; said: string }> {
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const child = spawn('bash', ['-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, said: stdout + stderr }
}

test('the first five minutes of the README open a door', async () => {
  await using folder = await makeDataFolder()
  await using w = await world()
  const { config } = w.server.context
  await seedDemo({ ...w.server.context, config: { ...config, data_dir: folder.path } })
  w.clock.advance(60)
  using helper = await openHelper(w)
  const send = `printf '%s\\n' "$@" | curl -s --fail-with-body --data-binary @- ${helper.url}`
  const { code, said } = await runInBash(
    [
      'set -euo pipefail',
      `npx() { shift; ${send}/run; }`,
      `sleep() { ${send}/sleep; }`,
      linesOf('The first five minutes').replaceAll('http://localhost:8080', w.url),
    ].join('\n'),
  )
  expect([code, said]).toEqual([0, said])
  expect(said).toMatch(/Reservation R-2001\nUntil +\S+Z\nPIN +\d+\nLink +http/)
  expect(said).toMatch(/Street keypad: .*allowed: open/)
  expect(said).toMatch(/Street keypad: .*denied: unknown_credential/)
  expect(said).toContain('Lounge: Open done.')
  expect(said).toMatch(/TIME +WHO +DID +WHAT +WHY +ID\n/)
  expect(said).toMatch(/Reservation R-2002 +open +Front door/)
  expect(said).toMatch(/"name": "Reservation R-2003"/)
  expect(said).toMatch(/critical +door_forced +Pool/)
  const bound = await w.server.context.db.query(
    `SELECT 1 FROM members m JOIN member_group_associations a ON a.member_id = m.id JOIN member_groups g ON g.id = a.member_group_id
     WHERE m.name LIKE 'Reservation R-200%' AND g.permissions::text LIKE '%gps%'`,
  )
  expect(bound).toEqual([])
})

test('the demo begins with a day that was lively, and a guest who can be anywhere', async () => {
  await using folder = await makeDataFolder()
  await using w = await world()
  const { context } = w.server
  await seedDemo({ ...context, config: { ...context.config, data_dir: folder.path } })
  const say = (...args: string[]) =>
    gatehouse(args, { DATABASE_URL: w.database_url, GATEHOUSE_PUBLIC_URL: w.url })
  const listed = await say('events', '--type', 'gadget_action', '--limit', '100', '--json')
  const times = listed.stdout
    .trim()
    .split('\n')
    .map(line => Date.parse(w.clock.now()) - Date.parse(JSON.parse(line).created_at))
  expect(times.length).toBeGreaterThan(35)
  expect(Math.max(...times)).toBeLessThan(24 * 3600_000)
  expect(new Set(times.map(time => Math.floor(time / 3600_000))).size).toBeGreaterThan(12)
  expect((await say('events', '--denied')).stdout).toMatch(/R-1001 +was denied +Pool +outside_schedule/)
  const [guest] = await context.db.query<{ requires: boolean }>(
    `SELECT bool_or(g.permissions::text LIKE '%gps%') AS requires FROM members m
     JOIN member_group_associations a ON a.member_id = m.id JOIN member_groups g ON g.id = a.member_group_id
     WHERE m.name = 'Guest of the demo'`,
  )
  expect(guest?.requires).toBe(false)
})

/** Reads two lines of a code per line of the terminal: what is printed is light, and the rest dark. */
function readCode(message: string): boolean[][] {
  const lines = message.split('\n').filter(line => /[█▀▄]/.test(line))
  const isDark = (light: string) => (line: string) =>
    [...line.slice(2)].map(character => !light.includes(character))
  return lines.flatMap(line => [isDark('█▀')(line), isDark('█▄')(line)])
}

test('the start shows a code for phones only if they can reach the service', () => {
  const demo = {
    email: 'a@b.example',
    password: 'x',
    token: 'y',
    guest_link: 'http://localhost:8080/guest#mml_1',
  }
  expect(startMessage('http://localhost:8080', demo, undefined)).not.toContain('█')
  const reachable = { ...demo, guest_link: 'http://192.0.2.7:8080/guest#mml_1' }
  const message = startMessage('http://192.0.2.7:8080', reachable, undefined)
  expect(message).toMatch(/http:\/\/192\.0\.2\.7:8080\/guest#mml_1\n\n.*[█▀▄]/)
  const { data } = encode(reachable.guest_link, { ecc: 'L' })
  expect(readCode(message).slice(0, data.length)).toEqual(data)
})

test('a service that listens on all addresses prints that of the machine in its network', () => {
  const lo = [
    { family: 'IPv4', address: '127.0.0.1', internal: true },
    { family: 'IPv6', address: '::1', internal: true },
  ] as const
  const wlan = [
    { family: 'IPv6', address: 'fe80::1', internal: false },
    { family: 'IPv4', address: '192.0.2.7', internal: false },
  ] as const
  expect(findAddress({ lo, wlan })).toBe('192.0.2.7')
  expect(findAddress({ lo })).toBeUndefined()

  const printed = (guest_link: string, host?: string) =>
    /Guest page +(\S+)/.exec(
      startMessage(
        'http://localhost:8080',
        { email: 'a@b.example', password: 'x', token: 'y', guest_link },
        undefined,
        host,
      ),
    )?.[1]
  const link = 'http://localhost:8080/guest#mml_1'
  const reachable = `http://${findAddress() ?? 'localhost'}:8080/guest#mml_1`
  expect([printed(link), printed(link, '127.0.0.1')]).toEqual([link, link])
  expect([printed(link, '0.0.0.0'), printed(link, '::')]).toEqual([reachable, reachable])
  const named = 'https://gatehouse.example/guest#mml_1'
  expect(printed(named, '0.0.0.0')).toBe(named)
})
