import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, etagOf } from '@gatehouse-access/sdk'
import { discardImports, expireMembers, fillOrganization, issueAccessToken } from '@gatehouse-access/server'
import { makeEmptyFolder, type Tenant, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conditionKey } from '../../packages/server/src/alarms/condition.ts'
import { openAlarm } from '../../packages/server/src/alarms/open-alarms.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { forge } from './forge.ts'
import { furnish, type Installation, installation, rowsOfOthers, waitForLinks } from './installation.ts'

const owned = new AsyncDisposableStack()
let here: Installation
let there: Installation
let folder: string
beforeAll(async () => {
  here = owned.use(await installation())
  there = owned.use(await installation())
  folder = owned.use(await makeEmptyFolder()).path
})
afterAll(() => owned.disposeAsync())

async function clientOf({ w }: Installation, ids: { organization_id: string; oauth_application_id: string }) {
  const token = await issueAccessToken(w.server.context, { ...ids, scopes: ['full_read_write'] })
  return createClient({ base_url: `${w.url}/v2`, token, retries: 0 })
}

async function eventIds({ w }: Installation, organization_id: string): Promise<string[]> {
  const rows = await w.server.context.db.query<{ id: string }>(
    'SELECT id FROM events WHERE organization_id = $1 ORDER BY epoch, transaction_id, sequence',
    [organization_id],
  )
  return rows.map(({ id }) => id)
}

async function addOwner({ w }: Installation, id: string, email: string, organization_id?: string) {
  const { db } = w.server.context
  await db.query(
    `INSERT INTO users (id, email, email_key, email_verified_at, created_at) VALUES ($1, $2, $2, now(), now())`,
    [id, email],
  )
  if (organization_id)
    await db.query(
      `INSERT INTO organization_users (organization_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())`,
      [organization_id, id],
    )
}

/** A rule that tells a user, who has another id elsewhere, and a target with a secret. */
async function tellAda({ w }: Installation, { client }: Tenant) {
  const ntfy = { url: 'https://ntfy.example.com', topic: 'doors', token: 'tk_of_ntfy' }
  const target = await client.notification_targets.create({ kind: 'ntfy', ...ntfy })
  const { id } = await client.alarm_rules.create({
    name: 'Doors',
    types: ['door_forced', 'door_tampered'],
    notify: [{ notification_target_id: target.id }],
    escalate: [{ after_seconds: 600, notify: [{ role: 'administrator' }] }],
  })
  await w.server.context.db.query(
    `UPDATE alarm_rules SET notify = notify || $1::jsonb, escalate = jsonb_set(escalate, '{0,notify}', $1::jsonb)`,
    [[{ user_id: 'usr_here_ada' }]],
  )
  return { id, target_id: target.id }
}

/** A door that was forced, by a rule that wants it to hold for longer. */
async function addTimer({ w }: Installation, organization_id: string, gadget_id: string): Promise<void> {
  await w.server.context.db.query(
    `INSERT INTO alarm_timers (organization_id, kind, key, due_at, about) VALUES ($1, 'begin', $2, $3, $4)`,
    [organization_id, `door_forced:${gadget_id}`, '2100-01-01T00:00:00Z', { type: 'door_forced', gadget_id }],
  )
}

/** A door that was tampered with a moment ago, of which nobody was told yet. */
async function tamper({ w }: Installation, organization_id: string, gadget_id: string): Promise<void> {
  const author = { caller: serviceCaller(organization_id), now: w.clock.now() }
  const condition_key = conditionKey('door_tampered', gadget_id)
  const condition = { type: 'door_tampered' as const, condition_key, gadget_id, started_at: author.now }
  await w.server.context.db.transaction(db => openAlarm(db, author, condition))
}

function tellingsOf({ w }: Installation, organization_id: string) {
  return w.server.context.db.query(
    'SELECT alarm_rule_id, is_told, due_at IS NOT NULL AS is_due FROM alarm_tellings WHERE organization_id = $1',
    [organization_id],
  )
}

function timersOf({ w }: Installation, organization_id: string) {
  return w.server.context.db.query(
    'SELECT kind, key, due_at, about FROM alarm_timers WHERE organization_id = $1 ORDER BY kind, key',
    [organization_id],
  )
}

async function tokenOf({ w }: Installation, id: string): Promise<string> {
  const { db, vault } = w.server.context
  const [row] = await db.query<{ secret_ciphertext: Uint8Array }>(
    'SELECT secret_ciphertext FROM notification_targets WHERE id = $1',
    [id],
  )
  return vault.decrypt(Buffer.from(row?.secret_ciphertext ?? []), `notification_target ${id}`)
}

test(
  'an organization moves to an installation with another key, and nobody else notices',
  within(60),
  async () => {
    const tenant = await here.w.tenant('Hotel')
    const { organization_id, client } = tenant
    const neighbour = await here.w.tenant('Neighbour')
    await neighbour.client.members.create({ name: 'Grace' })
    await (await there.w.tenant('Resident')).client.members.create({ name: 'Edsger' })
    await fillOrganization(here.w.server.context, {
      organization_id,
      members: 30,
      events: 300,
      onProgress() {},
    })
    const house = await furnish(here.w, tenant)
    await tenant.clientWith(['full_read_write'], neighbour.oauth_application_id).members.list()
    await addOwner(here, 'usr_here_ada', 'ada@example.com', organization_id)
    await addOwner(here, 'usr_here_bob', 'bob@example.com', organization_id)
    await addOwner(there, 'usr_there_ada', 'ada@example.com')
    const rule = await tellAda(here, tenant)
    await addTimer(here, organization_id, house.door.id)
    await tamper(here, organization_id, house.door.id)
    const before = await ScriptedDevice.connect(house.edge.credentials)
    await before.until(device => device.holder('pin', '8305127') === house.member.id)
    await before.close()
    const { db } = here.w.server.context
    await expect.poll(() => db.query('SELECT 1 FROM device_connections')).toEqual([])
    await waitForLinks(here)
    await waitForLinks(there)
    const erased = (await eventIds(here, organization_id))[3] ?? ''
    await here.run(['audit', 'erase', erased, '--by', 'Ada É', '--reason', 'a "request"\\'])
    const ids = await eventIds(here, organization_id)
    const others = [await rowsOfOthers(here, ''), await rowsOfOthers(there, organization_id)]

    const file = join(folder, 'hotel.export')
    const exported = await here.run(['organization', 'export', organization_id, '--to', file])
    expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining('100 %')])
    const key = /^([0-9A-Z]{4}-){12}[0-9A-Z]{4}$/m.exec(exported.stdout)?.[0] ?? ''
    expect(exported.stdout).toContain('Exporting Hotel')
    const bytes = await readFile(file)
    for (const secret of ['8305127', house.webhook.secret, 'tk_of_ntfy', 'ada@example.com'])
      expect(bytes.includes(secret)).toBe(false)
    expect(await here.run(['organization', 'export', organization_id, '--to', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is a file'),
    })

    await refuseBadFiles(file, key, bytes)
    expect(await here.run(['organization', 'import', file], key)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is here already: one that exists is never imported over'),
    })
    const trial = await there.run(['organization', 'import', file, '--dry-run'], key)
    expect([trial.code, trial.stdout]).toEqual([0, expect.stringContaining('Would import Hotel')])
    expect(await eventIds(there, organization_id)).toEqual([])

    const imported = await there.run(['organization', 'import', file, '--json'], key)
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining('100 %')])
    expect(JSON.parse(imported.stdout)).toMatchObject({
      organization_id,
      rows: { members: 31, events: ids.length, webhooks: 1 },
      users: [
        { email: 'ada@example.com', role: 'owner', how: 'user' },
        { email: 'bob@example.com', role: 'owner', how: 'invited' },
      ],
      applications: [{ how: 'moved' }, { id: neighbour.oauth_application_id, how: 'not_moved' }],
      over_quota: [],
    })
    expect([await rowsOfOthers(here, ''), await rowsOfOthers(there, organization_id)]).toEqual(others)
    expect((await eventIds(there, organization_id)).slice(0, -1)).toEqual(ids)
    await waitForLinks(there)
    for (const side of [here, there])
      expect(await side.run(['audit', 'verify'])).toMatchObject({ code: 0, stderr: '' })

    const moved = await clientOf(there, tenant)
    for (const [kind, id] of [
      ['members', house.member.id],
      ['member_groups', house.group.id],
      ['sites', house.site.id],
      ['devices', house.keypad.id],
      ['gadgets', house.door.id],
    ] as const) {
      const [old, fresh] = [await client[kind].get(id), await moved[kind].get(id)]
      expect([fresh, etagOf(fresh)]).toEqual([old, etagOf(old)])
    }
    expect(await moved.member_pins.reveal(house.member.id, house.pin.id)).toEqual(house.pin)
    expect(await moved.member_magic_links.reveal(house.member.id, house.link.id)).toEqual(house.link)
    expect(await moved.alarm_rules.get(rule.id)).toMatchObject({
      notify: [{ notification_target_id: rule.target_id }],
      escalate: [{ after_seconds: 600, notify: [{ role: 'owner' }] }],
    })
    expect(await tokenOf(there, rule.target_id)).toBe('tk_of_ntfy')
    expect(await tellingsOf(there, organization_id)).toEqual([
      { alarm_rule_id: rule.id, is_told: false, is_due: true },
    ])
    expect(await timersOf(there, organization_id)).toEqual(await timersOf(here, organization_id))
    expect(await timersOf(there, organization_id)).toContainEqual(expect.objectContaining({ kind: 'begin' }))
    const taken = moved.member_pins.create(house.member.id, { pin: '8305127' })
    await expect(taken).rejects.toMatchObject({ status: 400, args: { field: 'pin' } })
    for (const [pin, type] of [
      ['8305127', 'use'],
      ['8305128', 'denial'],
    ])
      for (const side of [client, moved])
        expect((await side.devices.simulate(house.keypad.id, { keys: `${pin}#` })).events).toMatchObject([
          { type },
        ])
    expect(await moved.webhooks.get(house.webhook.id)).toMatchObject({
      is_enabled: false,
      disabled_reason: 'moved',
    })
    await proveWebhookSecret(house.webhook)
    const old = createClient({ base_url: `${there.w.url}/v2`, token: tenant.token, retries: 0 })
    await expect(old.members.list()).rejects.toMatchObject({ status: 401 })

    const after = await ScriptedDevice.connect({ ...house.edge.credentials, url: there.w.url }, before)
    await after.until(({ policy }) => (policy?.version ?? 0) > (before.policy?.version ?? 0))
    expect(after.holder('pin', '8305127')).toBe(house.member.id)
    expect(after.key).not.toEqual(before.key)
    await after.close()
    expect((await client.members.get(house.member.id)).name).toBe(house.member.name)
    await moveOn(organization_id)
  },
)

/** Moves what has moved to a third installation: its chain has links of the first two. */
async function moveOn(organization_id: string): Promise<void> {
  await using third = await installation({ delivery: false })
  await waitForLinks(there)
  const file = join(folder, 'third.export')
  const { stdout } = await there.run(['organization', 'export', organization_id, '--to', file, '--json'])
  expect(await third.run(['organization', 'import', file], JSON.parse(stdout).key)).toMatchObject({ code: 0 })
  const ids = await eventIds(there, organization_id)
  expect((await eventIds(third, organization_id)).slice(0, -1)).toEqual(ids)
  const said = await third.run(['audit', 'verify'])
  expect([said.code, said.stdout]).toEqual([0, expect.stringContaining(String(ids.length))])
}

async function refuseBadFiles(file: string, key: string, bytes: Buffer): Promise<void> {
  const damaged = join(folder, 'damaged.export')
  const cases: [Uint8Array, string, string][] = [
    [bytes, 'AAAA', 'The key has 4 characters'],
    [bytes, (await here.run(['backup', 'key'])).stdout.split('\n')[0] ?? '', 'This key does not open'],
    [bytes.subarray(0, -1), key, 'damaged.export is damaged'],
    [bytes.with(bytes.length - 40, (bytes.at(-40) ?? 0) ^ 1), key, 'was altered'],
  ]
  for (const [content, given, reason] of cases) {
    await writeFile(damaged, content)
    const said = await there.run(['organization', 'import', damaged], given)
    expect([said.code, said.stderr]).toEqual([1, expect.stringContaining(reason)])
  }
  const [marker] = await there.w.server.context.db.query('SELECT 1 FROM organization_imports')
  expect(marker).toBeUndefined()
  expect(await there.run(['organization', 'import', `${file}.no`], key)).toMatchObject({ code: 1 })
}

async function proveWebhookSecret({ id, secret }: { id: string; secret?: string | undefined }) {
  const { db, vault } = there.w.server.context
  const [row] = await db.query<{ held: Uint8Array }>(
    'SELECT secret_ciphertext AS held FROM webhooks WHERE id = $1',
    [id],
  )
  expect(vault.decrypt(row?.held ?? new Uint8Array(), `webhook ${id}`)).toBe(secret)
}

test(
  'what an interrupted import has left is nobody’s, is removed, and is in nobody’s way',
  within(30),
  async () => {
    const tenant = await here.w.tenant('Inn')
    const { organization_id } = tenant
    const { member } = await furnish(here.w, tenant)
    const file = join(folder, 'inn.export')
    const { stdout } = await here.run(['organization', 'export', organization_id, '--to', file, '--json'])
    const { key } = JSON.parse(stdout)
    const { context } = there.w.server
    const { db } = context
    const leave = async () => {
      await db.query('INSERT INTO organization_imports (organization_id, began_at) VALUES ($1, now())', [
        organization_id,
      ])
      await db.query(
        `INSERT INTO members (id, organization_id, auto_delete_at, tag_ids, is_deleted, created_at, metadata, search_text)
       VALUES ($1, $2, '2020-01-01', '{}', false, now(), '{}', '')`,
        [member.id, organization_id],
      )
    }
    const left = () => db.query('SELECT 1 FROM members WHERE organization_id = $1', [organization_id])
    await leave()
    expect(await expireMembers(context)).toBe(0)
    await discardImports(context)
    expect(await left()).toEqual([])
    await leave()
    const said = await there.run(['organization', 'import', file], key)
    expect(said.code, said.stderr).toBe(0)
    expect(said.stdout).toContain('Imported Inn')
    expect(said.stdout).toContain('Nobody here is its owner yet')
    expect(await left()).toHaveLength(1)
    expect(await db.query('SELECT 1 FROM organization_imports')).toEqual([])
    await waitForLinks(there)
    expect(await there.run(['audit', 'verify'])).toMatchObject({ code: 0 })
    const moved = await clientOf(there, tenant)
    expect(await moved.members.get(member.id)).toEqual(await tenant.client.members.get(member.id))
  },
)

test('a file with rows of others, other columns or another place in the feed is refused, and nobody is touched', async () => {
  const tenant = await here.w.tenant('Hostel')
  const { organization_id } = tenant
  await tenant.client.members.create({ name: 'Mallory' })
  const victim = await there.w.tenant('Victim')
  const { id } = await victim.client.members.create({ name: 'Grace' })
  const file = join(folder, 'hostel.export')
  await waitForLinks(here)
  const { stdout } = await here.run(['organization', 'export', organization_id, '--to', file, '--json'])
  const { key } = JSON.parse(stdout)
  await waitForLinks(there)
  const others = await rowsOfOthers(there, organization_id)
  const forged = join(folder, 'forged.export')
  const cases: [string, (text: string) => string][] = [
    ['tables/members', text => text.replaceAll(organization_id, victim.organization_id)],
    [
      'tables/members',
      text =>
        text.replaceAll(`\t${organization_id}\t`, `\\\t${organization_id}\t${victim.organization_id}\t`),
    ],
    ['tables/events', text => text.replaceAll(/\t0\t0\t/g, '\t9\t0\t')],
    ['tables/events', text => text.replace('\tcreate\t', '\tdelete\t')],
    ['tables/organizations', text => text.replaceAll(organization_id, victim.organization_id)],
    [
      'about.json',
      text => text.replace('"name":"members","columns":["id"', '"name":"members","columns":["id) --"'),
    ],
    ['about.json', text => text.replace('"name":"organizations"', '"name":"users"')],
  ]
  for (const [place, change] of cases) {
    let isChanged = false
    await forge(file, forged, key, (path, text) => {
      if (path !== place) return text
      isChanged ||= change(text) !== text
      return change(text)
    })
    expect(isChanged).toBe(true)
    await refuseFile(forged, key)
  }
  expect(await rowsOfOthers(there, organization_id)).toEqual(others)
  expect(await eventIds(there, organization_id)).toEqual([])
  expect((await victim.client.members.get(id)).name).toBe('Grace')
})

async function refuseFile(file: string, key: string): Promise<void> {
  const said = await there.run(['organization', 'import', file], key)
  expect([said.code, said.stderr]).toEqual([1, expect.stringMatching(/forged.export is damaged: its? .*\n$/)])
  expect(said.stderr).not.toContain('    at ')
  expect(await there.w.server.context.db.query('SELECT 1 FROM organization_imports')).toEqual([])
}

test('another version, a recovered installation, an unknown organization and a broken chain are refused in one sentence', async () => {
  const { organization_id, client } = await here.w.tenant('Motel')
  await client.members.create({ name: 'Grace' })
  const file = join(folder, 'motel.export')
  const { db } = here.w.server.context
  const unknown = await here.run(['organization', 'export', 'org_unknown', '--to', file])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no organization')])
  expect((await here.run(['organization', 'export', organization_id])).code).toBe(2)
  await db.query(`INSERT INTO schema_migrations (name, applied_at) VALUES ('999-later.sql', now())`)
  const exported = await here.run(['organization', 'export', organization_id, '--to', file, '--json'])
  await db.query(`DELETE FROM schema_migrations WHERE name = '999-later.sql'`)
  expect(exported.code, exported.stderr).toBe(0)
  const other = await there.run(['organization', 'import', file], JSON.parse(exported.stdout).key)
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('999-later.sql')])
  await db.query(
    `INSERT INTO restores (target, backup_id, restored_by, began_at, marked_at) VALUES (now(), 'b', 'c', now(), now())`,
  )
  const recovered = await here.run(['organization', 'export', organization_id, '--to', `${file}.2`])
  await db.query('DELETE FROM restores')
  expect([recovered.code, recovered.stderr]).toEqual([1, expect.stringContaining('restored from a backup')])
  await waitForLinks(here)
  await db.query(`UPDATE events SET verb = 'delete' WHERE organization_id = $1 AND verb = 'create'`, [
    organization_id,
  ])
  const broken = await here.run(['organization', 'export', organization_id, '--to', `${file}.3`])
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('a broken chain does not move')])
  expect((await readdir(folder)).filter(name => name.startsWith('motel'))).toEqual(['motel.export'])
})
