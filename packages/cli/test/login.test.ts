import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { doorTemplates } from '@gatehouse-access/api'
import { createClient, verifyWebhook } from '@gatehouse-access/sdk'
import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage } from '../../../test/oauth/stage.ts'
import type { Visitor } from '../../../test/oauth/visitor.ts'
import { present } from '../../server/src/flow/present.ts'
import { logIn } from '../src/commands/login.ts'
import { followEvents } from '../src/follow-events.ts'
import { loginPath, readLogin, writeLogin } from '../src/login/stored-login.ts'
import { gatehouse } from './gatehouse.ts'

let w: World
let owner: Visitor
let url: string
let organization_id: string
let env: Record<string, string>

beforeAll(async () => {
  ;({ w, owner, url, organization_id } = await openStage())
  env = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'gatehouse-login-')) }
  await logInHere()
})
afterAll(async () => {
  rmSync(env.XDG_CONFIG_HOME ?? '', { recursive: true })
  await w[Symbol.asyncDispose]()
})

const say = (...args: string[]) => gatehouse(args, env)

/** Logs in as the terminal, and allows it as the user meanwhile. */
async function logInHere(decision = 'allow'): Promise<string> {
  let printed = ''
  const print = (line: string) => {
    printed += `${line}\n`
  }
  const input = { env, parameters: [url], flag: () => false, print }
  await logIn(input, async milliseconds => {
    w.clock.advance(milliseconds / 1000)
    const code = present(/code ([A-Z-]+)/.exec(printed)?.[1], 'the code')
    await owner.get(`/device?user_code=${code}`)
    await owner.submit('/device', { user_code: code })
    await owner.submit('/device', { decision })
  })
  return printed
}

const clientHere = () =>
  createClient({ base_url: `${url}/v2`, token: present(readLogin(env), 'a login').access_token })

test('the login is only for its owner, says whose it is, and can be denied', async () => {
  expect(statSync(loginPath(env) ?? '').mode & 0o777).toBe(0o600)
  const { stdout } = await say('whoami')
  expect(stdout).toMatch(/^owner@example\.com for Test organization \(org_\w+\) at http.*\n/)
  expect(stdout).toContain('Scopes: full_read_write offline')
  await expect(logInHere('deny')).rejects.toThrow('the request was denied')
  const elsewhere = await say('members', 'list', '--url', 'http://127.0.0.1:1')
  expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('You are logged in to')])
})

test('an access token that has expired is renewed once, whoever asks', async () => {
  const before = present(readLogin(env), 'a login')
  writeLogin(env, { ...before, expires_at: '2020-01-01T00:00:00Z' })
  const said = await Promise.all([1, 2, 3].map(() => say('members', 'list', '--json')))
  expect(said.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ])
  const after = present(readLogin(env), 'a login')
  expect(after.refresh_token).not.toBe(before.refresh_token)
  expect((await say('whoami')).code).toBe(0)
})

test('a key acts like a login', async () => {
  const { access_token } = present(readLogin(env), 'a login')
  const key = { GATEHOUSE_API_KEY: access_token, GATEHOUSE_URL: url }
  const { stdout } = await gatehouse(['whoami', '--json'], key)
  expect(JSON.parse(stdout)).toMatchObject({ organization: 'Test organization', by: 'key' })
  const wrong = await gatehouse(['members', 'list'], { ...key, GATEHOUSE_API_KEY: 'wrong' })
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/^The service did not do it: .*\.\n$/),
  ])
})

test('a key made for scripts acts within its scopes, names itself in events, and ends when it is revoked', async () => {
  const path = `/account/organizations/${organization_id}/api_keys`
  const body = { name: 'Night script', scopes: ['members'] }
  const made = await owner.account<{ id: string; key: string }>('POST', path, body)
  const as = { GATEHOUSE_API_KEY: made.body.key, GATEHOUSE_URL: url }
  const who = await gatehouse(['whoami', '--json'], as)
  expect([who.code, who.stderr]).toEqual([0, ''])
  expect(JSON.parse(who.stdout)).toMatchObject({ organization: 'Test organization', by: 'key' })

  // The login that is stored beside it does not widen what the key may do.
  const both = { ...env, ...as }
  const created = await gatehouse(['members', 'create', 'Nina Night', '--json'], both)
  expect([created.code, created.stderr]).toEqual([0, ''])
  const { id } = JSON.parse(created.stdout)
  expect((await clientHere().events.list({ 'object.member_id': id })).data).toMatchObject([
    { verb: 'create', subject: { oauth_application_id: made.body.id, user_id: null } },
  ])
  const told = await say('events', '--type', 'member', '--limit', '1')
  expect(told.stdout).toMatch(/ Night script +create member +Nina Night +evt_\w+\n$/)
  const doors = await gatehouse(['doors'], both)
  expect(doors).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('requires a token with the scope'),
  })
  expect((await say('doors')).code).toBe(0)

  expect((await owner.account('DELETE', `${path}/${made.body.id}`)).status).toBe(200)
  const after = await gatehouse(['members', 'list'], both)
  expect([after.code, after.stdout]).toEqual([1, ''])
  expect((await say('members', 'list')).code).toBe(0)
})

test('members are created with what they need, found by name, changed and ended', async () => {
  const client = clientHere()
  await client.member_groups.create({ name: 'Guests', permissions: [] })
  const made = await say(
    ...['members', 'create', 'Ana Alonso', '--group', 'Guests', '--until', '3d', '--pin', '--link'],
  )
  expect(made.stdout).toMatch(
    /ID {5}mem_\w+\nName {3}Ana Alonso\nUntil {2}\S+Z\nPIN {4}\d+\nLink {3}http\S+\n/,
  )
  const listed = await say('members', 'list', 'alonso')
  expect(listed.stdout).toMatch(/^ID +NAME +FROM +UNTIL +GROUPS\nmem_\w+ +Ana Alonso +\S+Z +Guests\n$/)
  expect((await say('members', 'get', 'Ana Alonso')).stdout).toContain('Groups Guests')
  await say('members', 'edit', 'Ana Alonso', '--name', 'Ana A.')
  const ended = JSON.parse((await say('members', 'end', 'Ana A.', '--json')).stdout)
  expect(Date.parse(ended.ends_at)).toBeLessThanOrEqual(Date.now())
  expect((await say('members', 'delete', 'Ana A.')).stdout).toContain('Deleted')
  expect(await say('members', 'get', 'Ana A.')).toMatchObject({
    code: 1,
    stderr: 'There is no member called Ana A..\n',
  })
  expect((await say('members', 'edit', 'x', '--until', 'soon')).code).toBe(2)
})

test('a door opens by its name, unless two have it', async () => {
  const client = clientHere()
  const site = await client.sites.create({ name: 'Berlin', timezone: 'Europe/Berlin' })
  const device = await client.devices.create({ name: 'Lobby', site_id: site.id, product_id: 'controller' })
  const body = { device_id: device.id, ...structuredClone(doorTemplates.holdable) }
  const door = await client.gadgets.create({ name: 'Front door', ...body })
  expect(await say('open', 'front DOOR')).toEqual({ code: 0, stdout: 'Front door: Open done.\n', stderr: '' })
  const { stdout } = await say('events', '--door', 'Front door', '--type', 'gadget_action')
  expect(stdout).toMatch(/^TIME +WHO +DID +WHAT +WHY +ID\n\S+Z +.* open +Front door +evt_\w+\n$/)
  const other = await client.gadgets.create({ name: 'Front door', ...body })
  expect(await say('open', 'Front door')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`^2 doors are called Front door: .*(${door.id}|${other.id}), (${door.id}|${other.id})`),
    ),
  })
  expect((await say('open', door.id, '--json')).stdout).toContain(door.id)
  expect((await say('open', 'Nowhere')).stderr).toBe('There is no door called Nowhere.\n')
})

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a developer runs at localhost:3000. */
async function openReceiver() {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.writeHead(received.length === 2 ? 500 : 204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { received, address: `http://127.0.0.1:${port}/hook`, [Symbol.dispose]: () => server.close() }
}

test('events are forwarded as a webhook would send them, old ones too, each once', async () => {
  using receiver = await openReceiver()
  const client = clientHere()
  const since = new Date(Date.parse(w.clock.now())).toISOString()
  w.clock.advance(1)
  const first = await client.tags.create({ name: 'One' })
  await client.members.create({ name: 'Not a tag' })
  const listening = say(
    ...['listen', '--forward-to', receiver.address, '--since', since, '--type', 'tag', '--count', '2'],
  )
  await expect.poll(() => receiver.received.length).toBe(1)
  const second = await client.tags.create({ name: 'Two' })
  await expect.poll(() => receiver.received.length).toBe(2)
  const { stdout, code } = await listening
  expect(code).toBe(0)
  const secret = present(/signed with (whsec_\S+)/.exec(stdout)?.[1], 'the secret')
  const events = await Promise.all(receiver.received.map(given => verifyWebhook({ ...given, secret })))
  expect(events.map(({ object }) => object.tag_id)).toEqual([first.id, second.id])
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(await client.events.get(events[0]?.id ?? ''))
  expect(receiver.received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Gatehouse-Webhooks/2.0',
    'webhook-id': events[0]?.id,
  })
  expect(stdout).toMatch(/create tag {2}evt_\w+ {2}→ 204 \(\d+ ms\)\n.*create tag {2}evt_\w+ {2}→ 500/s)

  const again = await gatehouse(
    ['listen', '--forward-to', receiver.address, '--replay', events[1]?.id ?? ''],
    {
      ...env,
      GATEHOUSE_WEBHOOK_SECRET: secret,
    },
  )
  expect(again).toMatchObject({ code: 0, stdout: expect.not.stringContaining('whsec_') })
  const last = present(receiver.received[2], 'the event again')
  expect((await verifyWebhook({ ...last, secret })).id).toBe(events[1]?.id)
  expect((await say('listen')).code).toBe(2)
})

test('what happens is followed without a gap, and nothing twice', async () => {
  const client = clientHere()
  const ids: string[] = []
  const create = async (name: string) => {
    w.clock.advance(1)
    ids.push((await client.tags.create({ name })).id)
  }
  await create('Before')
  const query = { 'object.type': 'tag', sort: 'created_at:desc', limit: 2 } as const
  const following = followEvents(client, {
    filter: [{ object_type: 'tag' }],
    async *before() {
      await create('Meanwhile')
      yield* (await client.events.list(query)).data.toReversed()
      await create('After')
    },
  })
  const seen: (string | null)[] = []
  for await (const { object } of following) if (seen.push(object.tag_id ?? null) === 3) break
  expect(seen).toEqual(ids)
  const { stdout } = await say(
    'events',
    '--follow',
    '--type',
    'tag',
    '--limit',
    '2',
    '--count',
    '2',
    '--json',
  )
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).object.tag_id),
  ).toEqual(ids.slice(1))
})

test('events name what they are about, whatever it is', async () => {
  const client = clientHere()
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }))
  const site = await client.sites.create({ name: 'Lisbon', timezone: 'Europe/Lisbon' })
  const group = await client.member_groups.create({ name: 'Cleaners', permissions: [] })
  const schedule = await client.schedules.create({ name: 'Weekends', weekdays })
  const calendar = await client.calendars.create({ name: 'Feasts' })
  await client.calendar_days.create(calendar.id, { name: 'Carnival', starts_on: '2031-02-25' })
  const device = await client.devices.create({ name: 'Porch', site_id: site.id, product_id: 'controller' })
  const body = { device_id: device.id, ...structuredClone(doorTemplates.holdable) }
  const door = await client.gadgets.create({ name: 'Porch door', ...body })
  await client.unlock_rules.create({
    name: 'Saturdays',
    site_id: site.id,
    schedule_id: schedule.id,
    gadget_ids: [door.id],
  })
  await client.tags.create({ name: 'Ground floor' })
  const card = await client.cards.create({ printed_code: 'GH-000777' })
  const member = await client.members.create({ name: 'Clara' })
  await client.member_emails.create(member.id, { email: 'clara@example.com' })
  await client.member_cards.create(member.id, { card_id: card.id })
  await client.member_pins.create(member.id)
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const change = { is_deleted: true }
  const job = await client.bulk.edit({ kind: 'members', ids: [member.id], change, dry_run: true })
  const expected = [
    'create site Lisbon',
    'create member group Cleaners',
    'create schedule Weekends',
    'create calendar Feasts',
    'create calendar day Feasts, Carnival',
    'create device Porch',
    'create gadget Porch door',
    'create unlock rule Saturdays',
    'create tag Ground floor',
    'create card GH-000777',
    'create member Clara',
    'create member email Clara, clara@example.com',
    'create member card Clara, GH-000777',
    'create member pin Clara',
    'create member group association Clara, Cleaners',
    `create job ${job.id}`,
  ]
  const { stdout } = await say('events', '--limit', '100')
  const lines = stdout.split('\n').map(line => line.replace(/ +/g, ' '))
  const missing = expected.filter(words => !lines.some(line => line.includes(` ${words} evt_`)))
  expect(missing).toEqual([])
})

test('logging out ends the login at the service too', async () => {
  const { access_token } = present(readLogin(env), 'a login')
  expect((await say('logout')).stdout).toBe(`You are logged out of ${url}.\n`)
  expect(readLogin(env)).toBeUndefined()
  const client = createClient({ base_url: `${url}/v2`, token: access_token })
  await expect(client.organization.get()).rejects.toMatchObject({ status: 401 })
  expect((await say('whoami')).stderr).toBe('You are not logged in: run gatehouse login.\n')
  expect((await say('logout')).stdout).toBe('You are not logged in.\n')
})
