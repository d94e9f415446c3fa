import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@gatehouse-access/sdk'
import { cloneDatabase, type TestDatabase, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const rules = `R EU 1996 ma - Mar lastSu 1u 1 S
R EU 1996 ma - O lastSu 1u 0 -
Z Europe/Madrid 1 EU CE%sT
Z Etc/UTC 0 - UTC
L Etc/UTC UTC
`
/** A government that changes its mind, and a zone that is gone. */
const before = `# version 2026a\n${rules}Z Africa/Casablanca 1 - %z\nZ Old/Town 2 - %z\n`
const after = `# version 2026b\n${rules}Z Africa/Casablanca 1 - %z 2027 Mar 1\n0 - %z\nZ New/Town 3 - %z\n`

function folderOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'zones-'))
  writeFileSync(join(folder, 'tzdata.zi'), text)
  return folder
}

const week = Array.from({ length: 7 }, () => ({ ranges: [{ start: 9 * 3600, end: 17 * 3600 }] }))
const lines: string[] = []
let database: TestDatabase
let w: World
let client: Client
let token: string

async function start(text: string, secret_keys?: World['server']['context']['config']['secret_keys']) {
  w = await world({
    tzdata_dir: folderOf(text),
    database: { url: database.url, secret_keys: secret_keys ?? [Buffer.alloc(32, 7)] },
    log: { write: line => void lines.push(line) },
  })
  w.clock.set('2026-11-17T09:00:00Z')
}

beforeAll(async () => {
  database = await cloneDatabase(inject('databases'))
  await start(before)
  ;({ client, token } = await w.tenant())
})
afterAll(async () => {
  await w[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Makes a site with a door that a member may open from 9 to 17. */
async function doorIn(timezone: string) {
  const site = await client.sites.create({ name: timezone, timezone })
  const device = await client.devices.create({ name: 'D', site_id: site.id, product_id: 'controller' })
  const gadget = await client.gadgets.create({
    name: 'Door',
    device_id: device.id,
    actions: [{ id: 'open', name: 'Open' }],
  })
  const schedule = await client.schedules.create({ name: 'Day', weekdays: week })
  const group = await client.member_groups.create({
    name: 'G',
    permissions: [{ gadget_id: gadget.id, schedule_id: schedule.id }],
  })
  const member = await client.grants.create({ member: {}, member_group_ids: [group.id] })
  const isOpen = async (at: string) => {
    const { allowed } = await client.access_checks.create({
      member_id: member.id,
      gadget_id: gadget.id,
      action_id: 'open',
      at,
    })
    return allowed
  }
  return { site, isOpen }
}

test('a service that starts with other zone data decides by it, and says so', async () => {
  const casablanca = await doorIn('africa/casablanca')
  const madrid = await doorIn('Europe/Madrid')
  const old = await doorIn('Old/Town')
  expect(casablanca.site).toMatchObject({
    timezone: 'Africa/Casablanca',
    is_timezone_known: true,
    timezone_release: '2026a',
    next_clock_change: null,
  })
  expect(madrid.site.next_clock_change).toEqual({
    at: '2027-03-28T01:00:00Z',
    offset_before: 3600,
    offset_after: 7200,
  })
  // A time zone that only the folder knows, and one that only the runtime knows.
  expect(old.site.timezone_release).toBe('2026a')
  await expect(client.sites.create({ name: 'X', timezone: 'Europe/Berlin' })).rejects.toMatchObject({
    status: 400,
    args: { field: 'timezone' },
    message: expect.stringContaining('"Europe/Berlin"'),
  })
  // Half past eight, or half past nine.
  const doubtful = '2027-03-01T08:30:00Z'
  expect(await casablanca.isOpen(doubtful)).toBe(true)
  expect(await madrid.isOpen(doubtful)).toBe(true)
  expect(await old.isOpen('2027-03-01T07:30:00Z')).toBe(true)
  const zone = await client.sites.zone(madrid.site.id)
  expect(zone).toMatchObject({
    timezone: 'Europe/Madrid',
    release: '2026a',
    from: '2025-01-01T00:00:00Z',
    until: '2032-01-01T00:00:00Z',
    offset: 3600,
  })
  expect(zone.changes).toHaveLength(14)
  expect(zone.changes[0]).toEqual({ at: '2025-03-30T01:00:00Z', offset: 7200 })

  const { secret_keys } = w.server.context.config
  await w[Symbol.asyncDispose]()
  lines.length = 0
  await start(after, secret_keys)
  client = createClient({ base_url: `${w.url}/v2`, token })

  expect(await casablanca.isOpen(doubtful)).toBe(false)
  expect(await casablanca.isOpen('2027-02-26T08:30:00Z')).toBe(true)
  expect(await madrid.isOpen(doubtful)).toBe(true)
  expect(await client.sites.get(casablanca.site.id)).toMatchObject({
    timezone_release: '2026b',
    next_clock_change: { at: '2027-02-28T23:00:00Z', offset_before: 3600, offset_after: 0 },
  })
  // The zone's table is the same as before, so that devices need no new one.
  expect(await client.sites.zone(madrid.site.id)).toEqual(zone)
  expect((await client.sites.get(madrid.site.id)).timezone_release).toBe('2026b')

  // The last table known goes on.
  expect(await old.isOpen('2027-03-01T07:30:00Z')).toBe(true)
  expect(await client.sites.get(old.site.id)).toMatchObject({
    is_timezone_known: false,
    timezone_release: '2026a',
  })
  const alarms = lines.filter(line => line.includes('"timezone":"Old/Town"'))
  expect(alarms).toHaveLength(1)
  expect(alarms[0]).toContain('they keep the last table known')
  expect((await client.sites.list({ timezone: 'Old/Town' })).data.map(({ id }) => id)).toEqual([old.site.id])
  await expect(client.sites.list({ timezone: 'No/Town' })).rejects.toMatchObject({
    status: 400,
    args: { field: 'timezone' },
  })
  await expect(client.sites.create({ name: 'X', timezone: 'Old/Town' })).rejects.toMatchObject({
    status: 400,
  })
  await expect(client.sites.edit(madrid.site.id, { timezone: 'Old/Town' })).rejects.toMatchObject({
    status: 400,
    args: { field: 'timezone' },
  })
  expect((await client.sites.edit(old.site.id, { name: 'Town', timezone: 'Old/Town' })).name).toBe('Town')
  const renamed = await client.sites.edit(old.site.id, { timezone: 'New/Town' })
  expect(renamed).toMatchObject({ is_timezone_known: true, timezone_release: '2026b' })
  expect(await old.isOpen('2027-03-01T06:30:00Z')).toBe(true)
})

test('what is embedded tells the same, and a new year rolls all tables', async () => {
  // Its tokens outlive the year.
  client = (await w.tenant()).client
  const { site } = await doorIn('Europe/Madrid')
  const page = await client.devices.list<{ site: { timezone_release: string; next_clock_change: object } }>({
    expand: ['site'],
  })
  expect(page.data.find(({ site_id }) => site_id === site.id)?.site).toMatchObject({
    is_timezone_known: true,
    timezone_release: '2026b',
    next_clock_change: { at: '2027-03-28T01:00:00Z' },
  })
  w.clock.set('2027-10-31T01:00:00Z')
  expect((await client.sites.get(site.id)).next_clock_change?.at).toBe('2028-03-26T01:00:00Z')
  expect(await client.sites.zone(site.id)).toMatchObject({
    from: '2026-01-01T00:00:00Z',
    until: '2033-01-01T00:00:00Z',
  })
})
