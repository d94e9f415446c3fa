import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addSeconds } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refreshCalendars } from '../../packages/server/src/services/calendars/refresh-calendars.ts'
import { sealedAs } from '../../packages/server/src/vault/contexts.ts'
import { requester, succeed } from '../properties/ask.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let feed: Feed

beforeAll(async () => {
  w = owned.use(await world())
  feed = await openFeed()
  owned.defer(() => void feed.server.close())
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

interface Feed {
  readonly server: Server
  readonly url: string
  status: number
  text: string
  /** What an answer waits for. */
  gate: Promise<void> | undefined
}

/** A server of calendar files that answers what the test says. */
async function openFeed(): Promise<Feed> {
  const server = createServer(async (_request, response) => {
    await made.gate
    response.writeHead(made.status, made.status === 302 ? { location: '/elsewhere' } : {}).end(made.text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const made: Feed = {
    server,
    url: `http://127.0.0.1:${port}/secret-path.ics`,
    status: 200,
    text: '',
    gate: undefined,
  }
  return made
}

function calendarFile(...events: string[]): string {
  const lines = events.map(event => `BEGIN:VEVENT\r\n${event}\r\nEND:VEVENT\r\n`)
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${lines.join('')}END:VCALENDAR\r\n`
}

function day(uid: string, date: string, name = uid): string {
  return `UID:${uid}\r\nDTSTART;VALUE=DATE:${date}\r\nSUMMARY:${name}`
}

async function daysOf(calendar: string): Promise<string[]> {
  const { data } = await tenant.client.calendar_days.list(calendar, { sort: 'starts_on:asc', limit: 100 })
  return data.map(({ starts_on, name }) => `${starts_on} ${name}`)
}

function refused(args: object) {
  return expect.objectContaining({ type: 'invalid_request', args })
}

const week = Array.from({ length: 7 }, (_, index) => ({
  ranges: index < 5 ? [{ start: 8 * 3600, end: 18 * 3600 }] : [],
}))

async function openHouse(schedule: object, calendar_ids: string[], timezone = 'Europe/Madrid') {
  const { client } = tenant
  const site = await client.sites.create({ name: 'House', timezone, calendar_ids })
  const device = await client.devices.create({ name: 'Box', site_id: site.id, product_id: 'controller' })
  const gadget = await client.gadgets.create({ name: 'Door', device_id: device.id })
  const { id: schedule_id } = await client.schedules.create({ name: 'Office', weekdays: week, ...schedule })
  const group = await client.member_groups.create({ name: 'Staff', permissions: [{ schedule_id }] })
  const member = await client.members.create({ name: 'Ana' })
  await client.member_group_associations.create(member.id, { member_group_id: group.id })
  const check = (at: string, gadget_id = gadget.id) =>
    client.access_checks.create({ member_id: member.id, gadget_id, action_id: 'open', at })
  return { site, schedule_id, check, gadget }
}

describe('special days', () => {
  test('one schedule, two sites: each by its own calendars', async () => {
    const { client } = tenant
    const calendar = await client.calendars.create({ name: 'Madrid' })
    const off = await client.calendar_days.create(calendar.id, { starts_on: '2026-12-08' })
    const { check } = await openHouse({ special_days: [{ kind: 'holiday', ranges: [] }] }, [calendar.id])
    const berlin = await client.sites.create({ name: 'Berlin', timezone: 'Europe/Berlin' })
    const box = await client.devices.create({ name: 'Box', site_id: berlin.id, product_id: 'controller' })
    const door = await client.gadgets.create({ name: 'Door', device_id: box.id })
    const [there, here] = [
      await check('2026-12-08T10:00:00+01:00', door.id),
      await check('2026-12-08T10:00:00+01:00'),
    ]
    expect(there).toMatchObject({
      allowed: true,
      rules: [{ schedule_day: { source: 'weekday', kind: null } }],
    })
    expect(here).toMatchObject({ allowed: false, reason: 'outside_schedule' })
    expect(here.rules[0]?.schedule_day).toEqual({
      date: '2026-12-08',
      source: 'special_day',
      kind: 'holiday',
      calendar_day_id: off.id,
    })
  })

  test('an exception counts before the calendars, to the microsecond', async () => {
    const { client } = tenant
    const calendar = await client.calendars.create({ name: 'Christmas' })
    await client.calendar_days.create(calendar.id, { starts_on: '2026-12-24', ends_on: '2026-12-26' })
    const { check } = await openHouse(
      {
        special_days: [{ kind: 'holiday', ranges: [] }],
        exceptions: [{ starts_on: '2026-12-24', ranges: [{ start: 8 * 3600, end: 12 * 3600 }] }],
      },
      [calendar.id],
    )
    expect(await check('2026-12-24T11:59:59.999999+01:00')).toMatchObject({ allowed: true })
    const late = await check('2026-12-24T12:00:00+01:00')
    expect(late).toMatchObject({ allowed: false, reason: 'outside_schedule' })
    expect(late.next_allowed_at).toBe('2026-12-28T07:00:00.000000Z')
  })

  test('a client that knows only weekdays loses nothing', async () => {
    const { client } = tenant
    const special = {
      special_days: [{ kind: 'holiday', ranges: [] }],
      exceptions: [{ starts_on: '2026-12-24', ranges: [] }],
    }
    const { id } = await client.schedules.create({ name: 'Office', weekdays: week, ...special })
    const after = await client.schedules.edit(id, { weekdays: week.toReversed() })
    expect(after).toMatchObject(special)
  })

  test('taken off the site, or deleted, a calendar counts for nothing; restored, it counts again', async () => {
    const { client } = tenant
    const calendar = await client.calendars.create({ name: 'Madrid' })
    await client.calendar_days.create(calendar.id, { starts_on: '2026-12-08' })
    const { check } = await openHouse({ special_days: [{ kind: 'holiday', ranges: [] }] }, [calendar.id])
    const at = '2026-12-08T10:00:00+01:00'
    expect((await check(at)).allowed).toBe(false)
    await client.calendars.delete(calendar.id)
    expect((await check(at)).allowed).toBe(true)
    await client.calendars.edit(calendar.id, { is_deleted: false })
    expect((await check(at)).allowed).toBe(false)
  })

  test('the special dates of a site, with what makes them special', async () => {
    const { client } = tenant
    const calendar = await client.calendars.create({ name: 'Closures' })
    const { id } = await client.calendar_days.create(calendar.id, {
      name: 'New Year',
      kind: 'inventory',
      starts_on: '2026-12-31',
      ends_on: '2027-01-01',
      recurrence: 'yearly',
    })
    const site = await client.sites.create({ name: 'A', timezone: 'UTC', calendar_ids: [calendar.id] })
    const { data } = await client.sites.days(site.id, { from: '2027-01-01', to: '2028-01-01' })
    expect(data.map(({ date }) => date)).toEqual(['2027-01-01', '2027-12-31', '2028-01-01'])
    expect(data[0]).toMatchObject({
      kinds: ['inventory'],
      days: [{ calendar_day_id: id, calendar_id: calendar.id, kind: 'inventory', name: 'New Year' }],
    })
  })
})

describe('a source on the web', () => {
  async function subscribe() {
    feed.status = 200
    feed.text = calendarFile(day('a', '20261225'), day('b', '20270101'), day('c', '20270106'))
    const calendar = await tenant.client.calendars.create({
      name: 'Feed',
      source: { type: 'ics', url: feed.url },
    })
    await refreshCalendars(w.server.context)
    return calendar
  }
  async function refreshWith(id: string, status: number, text: string, body = {}) {
    Object.assign(feed, { status, text })
    await tenant.client.calendars.refresh(id, body)
    await refreshCalendars(w.server.context)
    return tenant.client.calendars.get(id)
  }
  const three = ['2026-12-25 a', '2027-01-01 b', '2027-01-06 c']

  test('is read every day, and never shown', async () => {
    const calendar = await subscribe()
    expect(JSON.stringify(calendar)).not.toContain('secret-path')
    expect(calendar.source).toEqual({ type: 'ics', host: new URL(feed.url).host })
    expect(await daysOf(calendar.id)).toEqual(three)
    feed.text = calendarFile(day('a', '20261225'), day('b', '20270101'), day('c', '20270107', 'Later'))
    w.clock.set(addSeconds(w.clock.now(), 25 * 3600))
    await refreshCalendars(w.server.context)
    expect(await daysOf(calendar.id)).toEqual([...three.slice(0, 2), '2027-01-07 Later'])
    const { data } = await tenant.client.events.list({ 'object.calendar_id': calendar.id, limit: 100 })
    const told = data.map(({ verb, object }) => `${verb} ${object.type} ${object.reason ?? ''}`.trim())
    expect(told.filter(text => text.startsWith('edit')).sort()).toEqual([
      'edit calendar refreshed',
      'edit calendar refreshed',
      'edit calendar_day',
    ])
  })

  test('that changes nothing writes no event', async () => {
    const calendar = await subscribe()
    const before = await tenant.client.events.list({ limit: 100 })
    const after = await refreshWith(calendar.id, 200, feed.text)
    expect(after.refresh_error).toBe(null)
    expect(await tenant.client.events.list({ limit: 100 })).toEqual(before)
  })

  test('that fails, then is garbage, then is empty: the days stay until somebody accepts', async () => {
    const { id } = await subscribe()
    const empty = calendarFile()
    expect((await refreshWith(id, 500, '')).refresh_error).toBe('error_status')
    expect((await refreshWith(id, 302, '')).refresh_error).toBe('redirected')
    expect((await refreshWith(id, 200, '<html>')).refresh_error).toBe('not_a_calendar')
    expect((await refreshWith(id, 200, empty.slice(0, 30))).refresh_error).toBe('not_a_calendar')
    expect((await refreshWith(id, 200, 'x'.repeat(5 * 1024 * 1024 + 1))).refresh_error).toBe('too_large')
    expect((await refreshWith(id, 200, empty)).refresh_error).toBe('suspicious')
    expect(await daysOf(id)).toEqual(three)
    const other = calendarFile(day('c', '20270106'))
    expect((await refreshWith(id, 200, other, { accept: true })).refresh_error).toBe('suspicious_changed')
    expect(await daysOf(id)).toEqual(three)
    expect((await refreshWith(id, 200, other, { accept: true })).refresh_error).toBe(null)
    expect(await daysOf(id)).toEqual(['2027-01-06 c'])
  })

  test('that moves its days into the past is held back too', async () => {
    const { id } = await subscribe()
    const moved = calendarFile(day('a', '20201225'), day('b', '20200101'), day('c', '20270106'))
    expect((await refreshWith(id, 200, moved)).refresh_error).toBe('suspicious')
  })

  test('manages its days; taken off, they are free', async () => {
    const { id } = await subscribe()
    const [first] = (await tenant.client.calendar_days.list(id)).data
    const change = () => tenant.client.calendar_days.edit(id, first?.id ?? '', { name: 'Mine' })
    await expect(change()).rejects.toThrow('managed by the source')
    await expect(tenant.client.calendar_days.delete(id, first?.id ?? '')).rejects.toThrow(
      'managed by the source',
    )
    await tenant.client.calendars.edit(id, { source: null })
    expect(await change()).toMatchObject({ name: 'Mine', is_managed: false })
  })

  test('that is changed or deleted while it is read writes nothing', async () => {
    const { id } = await subscribe()
    feed.text = calendarFile(day('a', '20261225'), day('b', '20270101'), day('z', '20270501'))
    await tenant.client.calendars.refresh(id)
    const deleted = Promise.withResolvers<void>()
    feed.gate = deleted.promise
    feed.server.once('request', () => {
      void tenant.client.calendars.delete(id).then(() => deleted.resolve(), deleted.reject)
    })
    await refreshCalendars(w.server.context)
    feed.gate = undefined
    expect(await daysOf(id)).toEqual(three)
  })

  /** Refreshes, and does something while the source has been asked and has not answered. */
  async function meanwhile(act: () => Promise<unknown>) {
    const done = Promise.withResolvers<void>()
    feed.gate = done.promise
    feed.server.once('request', () => {
      feed.gate = undefined
      void act().then(() => done.resolve(), done.reject)
    })
    await refreshCalendars(w.server.context)
    await done.promise
  }

  test('that is replaced while it is read: only the days of the new one count', async () => {
    const { id } = await subscribe()
    feed.text = calendarFile(day('z', '20270501'))
    await tenant.client.calendars.refresh(id)
    const source = { type: 'country', country: 'ES', region: 'MD', kinds: ['public'] } as const
    await meanwhile(() =>
      tenant.client.calendars.edit(id, { source: { ...source, kinds: [...source.kinds] } }),
    )
    await refreshCalendars(w.server.context)
    const found = await daysOf(id)
    expect(found).toContain('2027-01-06 Día de los Reyes Magos')
    expect(found).not.toContain('2027-05-01 z')
    expect(found).not.toContain('2027-01-06 c')
  })

  test('whose days are accepted while it is read again', async () => {
    const { id } = await subscribe()
    expect((await refreshWith(id, 200, calendarFile())).refresh_error).toBe('suspicious')
    await tenant.client.calendars.refresh(id)
    w.clock.set(addSeconds(w.clock.now(), 1))
    await meanwhile(() => tenant.client.calendars.refresh(id, { accept: true }))
    expect(await daysOf(id)).toEqual([])
  })

  test('that cannot be read for an unexpected reason is tried again soon', async () => {
    const { id } = await subscribe()
    const { db } = w.server.context
    const [held] = await db.query<{ url_ciphertext: Uint8Array }>(
      'SELECT url_ciphertext FROM calendars WHERE id = $1',
      [id],
    )
    const setUrl = (bytes: unknown) =>
      db.query('UPDATE calendars SET url_ciphertext = $2 WHERE id = $1', [id, bytes])
    await setUrl(Buffer.from('broken'))
    await tenant.client.calendars.refresh(id)
    await expect(refreshCalendars(w.server.context)).rejects.toThrow()
    const [left] = await db.query('SELECT refresh_owner, refresh_owned_until FROM calendars WHERE id = $1', [
      id,
    ])
    expect(left).toEqual({ refresh_owner: null, refresh_owned_until: null })
    await setUrl(held?.url_ciphertext)
    feed.text = calendarFile(day('a', '20261225'), day('b', '20270101'), day('d', '20270501'))
    w.clock.set(addSeconds(w.clock.now(), 301))
    await refreshCalendars(w.server.context)
    expect(await daysOf(id)).toContain('2027-05-01 d')
  })

  test('at a private address is refused, also if its name leads there only later', async () => {
    const { id } = await subscribe()
    const url = 'http://10.1.2.3/secret-path.ics'
    const create = tenant.client.calendars.create({ name: 'Inside', source: { type: 'ics', url } })
    await expect(create).rejects.toMatchObject(refused({ field: 'source.url' }))
    const { db, vault } = w.server.context
    const sealed = vault.encrypt(url, sealedAs.calendar(id))
    await db.query('UPDATE calendars SET url_ciphertext = $2 WHERE id = $1', [id, sealed])
    expect((await refreshWith(id, 200, '')).refresh_error).toBe('address_refused')
    expect(await daysOf(id)).toEqual(three)
  })

  test('or a file with more than 5,000 days changes nothing', async () => {
    const { id } = await subscribe()
    const start = Date.UTC(2027, 0, 1)
    const dates = Array.from({ length: 5001 }, (_, index) => new Date(start + index * 86_400_000))
    const many = calendarFile(
      ...dates.map(date => `DTSTART:${date.toISOString().slice(0, 10).replaceAll('-', '')}`),
    )
    expect((await refreshWith(id, 200, many)).refresh_error).toBe('too_many_days')
    await expect(tenant.client.calendar_days.import(id, { ics: many })).rejects.toMatchObject({
      type: 'quota_exceeded',
      args: { kind: 'calendar_day', quota: '5000' },
    })
    expect(await daysOf(id)).toEqual(three)
  })
})

describe('imports', () => {
  const file = calendarFile(
    day('one', '20271224', 'Eve\\, of\\n Christmas'),
    'UID:two\r\nDTSTART;VALUE=DATE:20271225\r\nDTEND;VALUE=DATE:20271227\r\nSUMMARY:Long\r\n  name\r\nRRULE:FREQ=YEARLY',
    'UID:three\r\nDTSTART;VALUE=DATE:20270101\r\nRRULE:FREQ=YEARLY;COUNT=3\r\nEXDATE;VALUE=DATE:20280101\r\nCLASS:PRIVATE',
    'UID:four\r\nDTSTART:20270101T090000Z\r\nDTEND:20270101T100000Z\r\nSUMMARY:Meeting',
    'UID:five\r\nDTSTART;VALUE=DATE:20270101\r\nRRULE:FREQ=MONTHLY',
  )
  const days = ['2027-01-01 null', '2027-12-24 Eve, of  Christmas', '2027-12-25 Long name', '2029-01-01 null']

  test('take whole days, say what they leave out, and recognize them again', async () => {
    const { client } = tenant
    const { id } = await client.calendars.create({ name: 'Mine' })
    const plan = await client.calendar_days.import(id, { ics: file }, { dry_run: true })
    expect([plan.create.length, plan.update.length, plan.delete.length]).toEqual([4, 0, 0])
    expect(plan.skipped).toEqual([
      {
        uid: 'four',
        name: 'Meeting',
        starts: '20270101T090000Z',
        reason: expect.stringContaining('time of day'),
      },
      { uid: 'five', name: null, starts: '20270101', reason: 'it repeats, but not every year' },
    ])
    expect(await daysOf(id)).toEqual([])
    await client.calendar_days.import(id, { ics: file })
    expect(await daysOf(id)).toEqual(days)
    const again = await client.calendar_days.import(id, { ics: file })
    expect(again).toMatchObject({ create: [], update: [], delete: [] })
    const less = calendarFile(day('one', '20271223'), `${day('three', '20270101')}\r\nSTATUS:CANCELLED`)
    const changed = await client.calendar_days.import(id, { ics: less })
    expect([changed.create.length, changed.update.length, changed.delete.length]).toEqual([0, 1, 2])
    expect(await daysOf(id)).toEqual(['2027-12-23 one', '2027-12-25 Long name'])
  })

  test('recognize a day that the file has twice', async () => {
    const { client } = tenant
    const { id } = await client.calendars.create({ name: 'Mine' })
    const twice = 'DTSTART;VALUE=DATE:20271224\r\nSUMMARY:Eve'
    const ics = calendarFile(twice, twice)
    await client.calendar_days.import(id, { ics })
    expect(await client.calendar_days.import(id, { ics })).toMatchObject({
      create: [],
      update: [],
      delete: [],
    })
  })

  test('a read-only token may try them', async () => {
    const { id } = await tenant.client.calendars.create({ name: 'Mine' })
    const reader = tenant.clientWith(['full_read_only'])
    expect(await reader.calendar_days.import(id, { ics: file }, { dry_run: true })).toHaveProperty('create')
    await expect(reader.calendar_days.import(id, { ics: file })).rejects.toThrow('full_read_write')
  })

  test('the tables of a region', async () => {
    const { client } = tenant
    const { id } = await client.calendars.create({ name: 'Madrid' })
    await client.calendar_days.import(id, { country: 'es', region: 'md', years: [2027] })
    const found = await daysOf(id)
    expect(found).toContain('2027-01-06 Día de los Reyes Magos')
    expect(found.length).toBeGreaterThan(8)
    expect(found.every(text => text.startsWith('2027-'))).toBe(true)
    const twice = await client.calendar_days.import(id, { country: 'ES', region: 'MD', years: [2027] })
    expect(twice).toMatchObject({ create: [], update: [], delete: [] })
  })

  test('exactly one mebibyte fits', async () => {
    const { id } = await tenant.client.calendars.create({ name: 'Mine' })
    const size = 1024 * 1024
    const ics = file.replace(
      'VERSION:2.0\r\n',
      `VERSION:2.0\r\nX-PAD:${'x'.repeat(size - file.length - 8)}\r\n`,
    )
    expect(Buffer.byteLength(ics)).toBe(size)
    expect((await tenant.client.calendar_days.import(id, { ics })).create.length).toBe(4)
    await expect(tenant.client.calendar_days.import(id, { ics: `${ics}\n` })).rejects.toMatchObject(
      refused({ field: 'ics' }),
    )
  })
})

describe('what is refused', () => {
  const bad: [object, string][] = [
    [{ starts_on: '2026-02-30' }, 'starts_on'],
    [{ starts_on: '2026-12-24', ends_on: '2026-12-23' }, 'ends_on'],
    [{ starts_on: '2026-01-01', ends_on: '2027-01-02' }, 'ends_on'],
    [{ starts_on: '2026-12-24', kind: 'Half day' }, 'kind'],
  ]
  test.each(bad)('a day %j', async (body, field) => {
    const ask = requester(w.url, tenant.token)
    const calendar = await tenant.client.calendars.create({ name: 'Mine' })
    const answer = await ask({ method: 'POST', path: `/calendars/${calendar.id}/days`, body })
    expect([answer.status, JSON.parse(answer.text).args]).toEqual([400, { field }])
  })

  const overlapping = [
    { starts_on: '2026-12-24', ends_on: '2026-12-26', ranges: [] },
    { starts_on: '2026-12-26', ranges: [] },
  ]
  const wrong: [object, string][] = [
    [
      {
        special_days: [
          { kind: 'holiday', ranges: [] },
          { kind: 'holiday', ranges: [] },
        ],
      },
      'special_days.1.kind',
    ],
    [{ exceptions: overlapping }, 'exceptions.1'],
    [{ exceptions: [{ starts_on: '2026-13-01', ranges: [] }] }, 'exceptions.0.starts_on'],
  ]
  test.each(wrong)('a schedule with %j', async (part, field) => {
    const ask = requester(w.url, tenant.token)
    const body = { name: 'Office', weekdays: week, ...part }
    const answer = await ask({ method: 'POST', path: '/schedules', body })
    expect([answer.status, JSON.parse(answer.text).args]).toEqual([400, { field }])
  })

  test('calendars of others, and unknown places', async () => {
    const other = await w.tenant('Other')
    const { id } = await other.client.calendars.create({ name: 'Theirs' })
    const { client } = tenant
    const site = { name: 'A', timezone: 'UTC', calendar_ids: [id] }
    await expect(client.sites.create(site)).rejects.toMatchObject(refused({ field: 'calendar_ids.0' }))
    await expect(client.calendar_days.list(id)).rejects.toMatchObject({ type: 'not_found' })
    const schedule = await client.schedules.create({ name: 'Office', weekdays: week })
    const foreign = await other.client.sites.create({ name: 'B', timezone: 'UTC' })
    await expect(client.schedules.preview(schedule.id, { site_id: foreign.id })).rejects.toMatchObject(
      refused({ field: 'site_id' }),
    )
    const nowhere = { type: 'country', country: 'ES', region: 'XX', kinds: ['public'] } as const
    await expect(
      client.calendars.create({ name: 'X', source: { ...nowhere, kinds: ['public'] } }),
    ).rejects.toMatchObject(refused({ field: 'source.region' }))
  })

  test('a day of a deleted calendar is not restored', async () => {
    const { client } = tenant
    const { id } = await client.calendars.create({ name: 'Mine' })
    const off = await client.calendar_days.create(id, { starts_on: '2026-12-24' })
    await client.calendar_days.delete(id, off.id)
    await client.calendars.delete(id)
    await expect(client.calendar_days.edit(id, off.id, { is_deleted: false })).rejects.toThrow(
      'calendar is deleted',
    )
  })

  test('more than fifty calendars', async () => {
    const ask = requester(w.url, tenant.token)
    for (let count = 0; count < 50; count++)
      await succeed(ask, { method: 'POST', path: '/calendars', body: { name: `${count}` } })
    await expect(tenant.client.calendars.create({ name: 'Fifty-first' })).rejects.toMatchObject({
      type: 'quota_exceeded',
      args: { kind: 'calendar', quota: '50' },
    })
  })
})
