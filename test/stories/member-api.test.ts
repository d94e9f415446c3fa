import { sendInvitations } from '@gatehouse-access/server'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HomeBody, Phone, type SessionBody, type Way } from './guest.ts'
import { hotel } from './hotel.ts'

let w: World
let tenant: Tenant
let house: Awaited<ReturnType<typeof hotel>>

beforeAll(async () => {
  w = await world()
  w.clock.set('2026-11-16T09:00:00Z')
  tenant = await w.tenant('Hotel Miramar')
  house = await hotel(tenant.client)
})
afterAll(() => w[Symbol.asyncDispose]())

async function book(credentials: object = { magic_link: true, pin: {} }, member: object = {}) {
  const granted = await tenant.client.grants.create({
    member: { name: 'Secret label', metadata: { note: 'secret note' }, ...member },
    member_group_ids: [house.room],
    credentials,
  } as never)
  return granted as never as {
    id: string
    magic_links: { id: string; link: string }[]
    pins: { id: string; pin: string }[]
  }
}

async function eventsOf(filter: Record<string, string>) {
  const query = new URLSearchParams({ limit: '100', ...filter })
  const answer = await fetch(`${w.url}/v2/events?${query}`, {
    headers: { authorization: `Bearer ${await tenant.tokenWith(['full_read_write'])}` },
  })
  const { data } = (await answer.json()) as {
    data: { verb: string; subject: Record<string, unknown>; object: Record<string, unknown> }[]
  }
  return data
}

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

test('a guest enters by link, sees the door, opens it; events tell who, with what and how', async () => {
  const { id, magic_links } = await book()
  const phone = new Phone(w, undefined, { 'user-agent': iphone })
  const { status, body } = await phone.enter(magic_links[0]?.link as string)
  expect(status).toBe(200)
  expect(body.home).toMatchObject({
    member_id: id,
    organization: { name: 'Hotel Miramar' },
    gadgets: [{ id: house.door, name: 'Front door', actions: [{ id: 'open' }] }],
  })
  expect(await phone.open(house.door)).toMatchObject({ status: 200, body: {} })
  const events = await eventsOf({ 'subject.member_id': id })
  expect(events.map(({ verb, object }) => [verb, object.type])).toEqual([
    ['use', 'gadget_action'],
    ['use', 'member_magic_link'],
  ])
  for (const { subject } of events)
    expect(subject).toMatchObject({
      member_id: id,
      member_magic_link_id: magic_links[0]?.id,
      access_method: 'online',
      ip_address: '127.0.0.1',
      client: { os: 'iOS', device_type: 'phone' },
    })
})

test('nothing a guest is answered holds the name of the member or any metadata', async () => {
  const { magic_links, pins } = await book({ emails: ['quiet@example.com'], magic_link: true, pin: {} })
  const phone = new Phone(w)
  const answers: unknown[] = [(await phone.enter(magic_links[0]?.link as string)).body]
  for (const path of ['/me', '/home', '/sites', '/gadgets', '/pins'])
    answers.push((await phone.ask('GET', path)).body)
  answers.push((await phone.ask('POST', `/pins/${pins[0]?.id}/reveal`)).body)
  expect(answers).toHaveLength(7)
  expect(JSON.stringify(answers)).not.toMatch(/Secret label|secret note|metadata/)
})

test('a PIN is shown with an event that names the guest', async () => {
  const { id, magic_links, pins } = await book()
  const phone = new Phone(w)
  await phone.enter(magic_links[0]?.link as string)
  const { body } = await phone.ask<{ data: { id: string }[] }>('GET', '/pins')
  expect(body.data).toEqual([{ id: pins[0]?.id, length: 6 }])
  expect((await phone.ask('POST', `/pins/${pins[0]?.id}/reveal`)).body).toEqual({
    id: pins[0]?.id,
    length: 6,
    pin: pins[0]?.pin,
  })
  expect(await eventsOf({ 'subject.member_id': id, verb: 'reveal' })).toMatchObject([
    { object: { type: 'member_pin', member_pin_id: pins[0]?.id }, subject: { member_id: id } },
  ])
  const other = await book()
  expect((await phone.ask('POST', `/pins/${other.pins[0]?.id}/reveal`)).status).toBe(404)
})

test('a door that a special day closes says which, if guests may know; times come with the table of the site', async () => {
  const { client } = tenant
  const all = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }))
  const schedule = await client.schedules.create({
    name: 'Always but holidays',
    weekdays: all,
    special_days: [{ kind: 'holiday', ranges: [] }],
  })
  const group = await client.member_groups.create({
    name: 'Garden',
    permissions: [{ gadget_id: house.back, schedule_id: schedule.id }],
  })
  const calendar = await client.calendars.create({ name: 'Private name' })
  await client.sites.edit(house.site, { calendar_ids: [calendar.id] })
  const day = await client.calendar_days.create(calendar.id, { name: 'Epiphany', starts_on: '2026-11-16' })
  const { magic_links, id } = await book()
  await client.member_group_associations.create(id, { member_group_id: group.id })
  const phone = new Phone(w)
  await phone.enter(magic_links[0]?.link as string)
  const closedBy = async () => {
    const { body } = await phone.ask<{ data: HomeBody['gadgets'] }>('GET', '/gadgets')
    const back = body.data.find(gadget => gadget.id === house.back)
    return back?.actions[0]?.ways[0]?.closed_by
  }
  expect(await closedBy()).toEqual({ date: '2026-11-16', name: 'Epiphany' })
  await client.calendar_days.edit(calendar.id, day.id, { is_public: false })
  expect(await closedBy()).toEqual({ date: '2026-11-16', name: null })
  await client.sites.edit(house.site, { calendar_ids: [] })
  expect(await closedBy()).toBeNull()
  // Names of exceptions are for administrators.
  await client.schedules.edit(schedule.id, {
    exceptions: [{ starts_on: '2026-11-16', name: 'Snow', ranges: [] }],
  })
  expect(await closedBy()).toEqual({ date: '2026-11-16', name: null })
  const { body } = await phone.ask<{ data: { zone: object }[] }>('GET', '/sites')
  expect(body.data[0]?.zone).toEqual(w.server.context.zones.table('Europe/Madrid'))
})

test('what is not allowed yet says when; the answer is never stale', async () => {
  const schedule = await tenant.client.schedules.create({
    name: 'Afternoons',
    weekdays: Array.from({ length: 7 }, () => ({ ranges: [{ start: 15 * 3600, end: 18 * 3600 }] })),
  })
  const group = await tenant.client.member_groups.create({
    name: 'Pool',
    permissions: [
      { gadget_id: house.back, schedule_id: schedule.id },
      { gadget_id: house.door, access_methods: { pin: true } },
    ],
  })
  const { magic_links, id } = await book()
  await tenant.client.member_group_associations.create(id, { member_group_id: group.id })
  const phone = new Phone(w)
  const { body } = await phone.enter(magic_links[0]?.link as string)
  const back = body.home.gadgets.find(gadget => gadget.id === house.back)
  expect(back?.actions[0]?.ways[0]).toEqual({
    access_method: 'online',
    is_allowed: false,
    requires_location: false,
    closed_by: null,
    reason: 'outside_schedule',
    next_allowed_at: '2026-11-16T14:00:00.000000Z',
  } satisfies Way)
  expect(await phone.open(house.back)).toMatchObject({
    status: 403,
    body: { args: { reason: 'outside_schedule', next_allowed_at: '2026-11-16T14:00:00.000000Z' } },
  })
  await tenant.client.member_groups.edit(group.id, { permissions: [{ gadget_id: house.back }] })
  const { body: fresh } = await phone.ask<HomeBody>('GET', '/home')
  const now = fresh.gadgets.find(gadget => gadget.id === house.back)
  expect(now?.actions[0]?.ways.every(way => way.is_allowed)).toBe(true)
  expect((await phone.open(house.back)).status).toBe(200)
})

test('a rule of presence asks for the location and tells how far away the phone is', async () => {
  const site = await tenant.client.sites.create({
    name: 'Annex',
    timezone: 'Europe/Madrid',
    geo: { location: { lat: 40, lng: -3 }, radius: 100 },
  })
  const device = await tenant.client.devices.create({ name: 'D', site_id: site.id, product_id: 'controller' })
  const gate = await tenant.client.gadgets.create({ name: 'Gate', device_id: device.id })
  const group = await tenant.client.member_groups.create({
    name: 'Near',
    permissions: [{ gadget_id: gate.id, presence: 'gps' }],
  })
  const { magic_links, id } = await book()
  await tenant.client.member_group_associations.create(id, { member_group_id: group.id })
  const phone = new Phone(w)
  const { body } = await phone.enter(magic_links[0]?.link as string)
  const shown = body.home.gadgets.find(gadget => gadget.id === gate.id)
  expect(shown?.actions[0]?.ways[0]).toMatchObject({ is_allowed: true, requires_location: true })
  expect((await phone.open(gate.id)).body.args).toEqual({ reason: 'not_present' })
  expect((await phone.open(gate.id, { location: { lat: 40.0027, lng: -3 } })).body.args).toEqual({
    reason: 'not_present',
    distance: '300',
  })
  expect((await phone.open(gate.id, { location: { lat: 40.0005, lng: -3 } })).status).toBe(200)
})

test('a stolen link is seen in the events and can be taken back at once', async () => {
  const { id, magic_links } = await book()
  const link = magic_links[0]?.link as string
  const own = new Phone(w, undefined, { 'user-agent': iphone })
  const thief = new Phone(w, undefined, { 'user-agent': 'Mozilla/5.0 (Linux; Android 16; Stolen) Mobile' })
  await own.enter(link)
  await thief.enter(link)
  const uses = await eventsOf({ 'object.member_magic_link_id': magic_links[0]?.id as string, verb: 'use' })
  expect(uses.map(({ subject }) => (subject.client as { os: string }).os)).toEqual(['Android', 'iOS'])
  await tenant.client.member_magic_links.delete(id, magic_links[0]?.id as string)
  expect(await thief.ask('GET', '/home')).toMatchObject({
    status: 401,
    body: { args: { reason: 'credential_deleted' } },
  })
  expect(await thief.open(house.door)).toMatchObject({
    status: 403,
    body: { args: { reason: 'credential_deleted' } },
  })
  expect(await thief.enter(link)).toMatchObject({
    status: 403,
    body: { args: { reason: 'credential_deleted' } },
  })
  expect(await eventsOf({ 'object.type': 'access_denial', 'subject.member_id': id })).toMatchObject([
    { object: { reason: 'credential_deleted', gadget_id: house.door } },
  ])
})

test('a guest who was removed is told so by the next tap', async () => {
  const { id, magic_links } = await book()
  const phone = new Phone(w)
  await phone.enter(magic_links[0]?.link as string)
  await tenant.client.members.delete(id)
  expect((await phone.open(house.door)).body.args).toEqual({ reason: 'member_deleted' })
  expect((await phone.ask('GET', '/home')).status).toBe(403)
  expect((await phone.enter(magic_links[0]?.link as string)).body).toMatchObject({
    args: { reason: 'member_deleted' },
  })
})

test('a session ends when it is ended, and by itself', async () => {
  const { magic_links } = await book()
  const phone = new Phone(w)
  await phone.enter(magic_links[0]?.link as string)
  expect((await phone.ask('DELETE', '/sessions/current')).status).toBe(200)
  expect((await phone.ask('GET', '/me')).status).toBe(401)
  await phone.enter(magic_links[0]?.link as string)
  w.clock.advance(29 * 24 * 3600)
  expect((await phone.ask('GET', '/me')).status).toBe(200)
  w.clock.advance(31 * 24 * 3600)
  expect((await phone.ask('GET', '/me')).status).toBe(401)
  w.clock.set('2026-11-16T09:00:00Z')
})

test('a member token is a Bearer token of the same API', async () => {
  const { id } = await book({})
  const { token, id: token_id } = await tenant.client.member_tokens.create(id, {})
  const phone = new Phone(w, token)
  expect((await phone.ask<HomeBody>('GET', '/home')).body.member_id).toBe(id)
  expect((await phone.open(house.door)).status).toBe(200)
  expect(await eventsOf({ 'subject.member_token_id': token_id })).toMatchObject([
    { verb: 'use', object: { type: 'gadget_action' }, subject: { access_method: 'online' } },
  ])
  expect((await phone.ask('DELETE', '/sessions/current')).status).toBe(400)
  await tenant.client.member_tokens.delete(id, token_id)
  expect((await phone.ask('GET', '/home')).status).toBe(401)
})

function lastMail(to: string) {
  return w.server.context.mailer.outbox?.find(mail => mail.to === to)
}

async function codeFor(phone: Phone, email: string): Promise<string> {
  const mails = () => w.server.context.mailer.outbox?.filter(mail => mail.to === email) ?? []
  const before = mails().length
  expect(await phone.ask('POST', '/email_codes', { email })).toMatchObject({
    status: 200,
    body: { delivery: 'outbox' },
  })
  await expect.poll(() => mails().length).toBe(before + 1)
  return /\d{6}/.exec(mails()[0]?.text ?? '')?.[0] as string
}

test('a code signs in to any of the members of an address, over all organizations', async () => {
  const email = 'Traveller@example.com'
  const here = await book({ emails: [email] })
  const elsewhere = await w.tenant('Corner Gym')
  const there = await elsewhere.client.grants.create({
    member: { ends_at: '2026-12-01T00:00:00Z' },
    member_group_ids: [],
    credentials: { emails: [email.toLowerCase()] },
  })
  const phone = new Phone(w, undefined, { 'accept-language': 'de-AT' })
  const code = await codeFor(phone, email)
  expect(lastMail(email)?.subject).toBe(`Ihr Code: ${code}`)
  const { body } = await phone.ask<{ ticket: string; members: { member_id: string }[] }>(
    'POST',
    '/email_codes/check',
    { email, code: `${code.slice(0, 3)} ${code.slice(3)}` },
  )
  expect(body.members.map(({ member_id }) => member_id).sort()).toEqual([here.id, there.id].sort())
  const session = await phone.ask<SessionBody>('POST', '/sessions', {
    ticket: body.ticket,
    member_id: here.id,
  })
  expect(session.body.home.organization.name).toBe('Hotel Miramar')
  phone.token = session.body.token
  expect((await phone.open(house.door)).status).toBe(200)
  expect(await eventsOf({ 'subject.member_id': here.id, verb: 'use' })).toMatchObject([
    { object: { type: 'gadget_action' }, subject: { member_email_id: expect.stringMatching(/^me_/) } },
    { object: { type: 'member_email' } },
  ])
  const stranger = await book({})
  expect((await phone.ask('POST', '/sessions', { ticket: body.ticket, member_id: stranger.id })).status).toBe(
    403,
  )
  w.clock.advance(601)
  expect((await phone.ask('POST', '/sessions', { ticket: body.ticket, member_id: there.id })).status).toBe(
    401,
  )
})

test('unknown addresses get the same answer and no mail; an address gets five mails an hour', async () => {
  const phone = new Phone(w)
  const unknown = await phone.ask('POST', '/email_codes', { email: 'nobody@example.com' })
  expect(unknown).toMatchObject({ status: 200, body: { delivery: 'outbox' } })
  await book({ emails: ['eager@example.com'] })
  for (let count = 0; count < 8; count++)
    await phone.ask('POST', '/email_codes', { email: 'eager@example.com' })
  const sent = () => w.server.context.mailer.outbox?.filter(mail => mail.to === 'eager@example.com').length
  await expect.poll(sent).toBe(5)
  expect(lastMail('nobody@example.com')).toBeUndefined()
})

test('a code works once, for ten minutes, also when somebody asks for another meanwhile', async () => {
  const email = 'codes@example.com'
  await book({ emails: [email] })
  const phone = new Phone(w)
  const check = async (code: string) =>
    (await phone.ask('POST', '/email_codes/check', { email, code })).status
  const first = await codeFor(phone, email)
  expect(await check(first)).toBe(200)
  expect(await check(first)).toBe(401)
  const second = await codeFor(phone, email)
  w.clock.advance(601)
  expect(await check(second)).toBe(401)
  const third = await codeFor(phone, email)
  const fourth = await codeFor(phone, email)
  expect(await check(third)).toBe(200)
  if (third !== fourth) expect(await check(fourth)).toBe(200)
})

test('five wrong tries end a code, and more are slowed', async () => {
  const email = 'guessed@example.com'
  await book({ emails: [email] })
  const phone = new Phone(w)
  const check = async (code: string) =>
    (await phone.ask('POST', '/email_codes/check', { email, code })).status
  const code = await codeFor(phone, email)
  for (let tries = 1; tries <= 5; tries++)
    expect(await check(String((Number(code) + tries) % 1_000_000).padStart(6, '0'))).toBe(401)
  expect(await check(code)).toBe(429)
  w.clock.advance(120)
  expect(await check(code)).toBe(401)
})

test('guessing is slowed more and more, and logged without secrets', async () => {
  const { magic_links } = await book()
  const [, right = ''] = String(magic_links[0]?.link).split('#')
  const wrong = `${right.slice(0, -4)}AAAA`
  const phone = new Phone(w)
  const statuses: number[] = []
  for (let tries = 0; tries < 7; tries++)
    statuses.push((await phone.ask('POST', '/sessions', { magic_link: wrong })).status)
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  expect(statuses.slice(5)).toEqual([429, 429])
  const slowed = await phone.ask('POST', '/sessions', { magic_link: right })
  expect(slowed.status).toBe(429)
  expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
  w.clock.advance(60)
  expect((await phone.ask('POST', '/sessions', { magic_link: right })).status).toBe(200)
  const metrics = await (await fetch(`${w.url}/metrics`)).text()
  expect(metrics).toMatch(/gatehouse_guest_guesses_total\{kind="link"\} [5-9]/)
})

test('no GET opens anything, and bad input is told what is wrong', async () => {
  const phone = new Phone(w)
  expect((await phone.ask('GET', '/sessions')).status).toBe(405)
  for (const body of [
    {},
    { magic_link: 'mml_nothing' },
    { magic_link: `mml_${'0'.repeat(20)}_${'A'.repeat(43)}`, ticket: 'x' },
    { ticket: 'x' },
    { more: 1 },
  ])
    expect(await phone.ask('POST', '/sessions', body)).toMatchObject({
      status: 400,
      body: { type: 'invalid_request' },
    })
  expect((await phone.ask('POST', '/email_codes', { email: 'no address' })).status).toBe(400)
  expect((await phone.ask('GET', '/home')).headers.get('www-authenticate')).toBe('Bearer')
})

test('any page may call it, without cookies; its document stands beside it', async () => {
  const answer = await fetch(`${w.url}/member/v1/home`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
  })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-allow-credentials')).toBe(null)
  expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization')
  const document = await (await fetch(`${w.url}/member/v1/openapi.json`)).json()
  expect(Object.keys(document.paths)).toContain('/gadgets/{gadget_id}/actions/{action_id}')
})

test('an invitation goes out in the language of the guest with link and PIN, also from a grant, and again', async () => {
  const granted = await tenant.client.grants.create({
    member: { language: 'es', starts_at: '2026-12-01T14:00:00Z', name: 'Secret label' },
    member_group_ids: [house.room],
    credentials: { emails: ['invitada@example.com'], magic_link: true, pin: {} },
    notify: true,
  } as never)
  const { id, magic_links, pins } = granted as never as Awaited<ReturnType<typeof book>>
  await sendInvitations(w.server.context)
  const mail = lastMail('invitada@example.com')
  expect(mail?.subject).toBe('Tu acceso a «Hotel Miramar»')
  expect(mail?.text).toContain(magic_links[0]?.link)
  expect(mail?.text).toContain(pins[0]?.pin)
  expect(mail?.text).toContain('martes, 1 de diciembre de 2026, 15:00')
  expect(mail?.text).not.toContain('Secret label')
  expect(await eventsOf({ 'object.type': 'invitation', 'object.member_id': id })).toMatchObject([
    { verb: 'create', object: { member_email_id: expect.stringMatching(/^me_/) } },
  ])
  const ask = (body: object) =>
    fetch(`${w.url}/v2/members/${id}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  tenant = { ...tenant, token: await tenant.tokenWith(['full_read_write']) }
  const again = await ask({ language: 'ar' })
  expect(await again.json()).toEqual({ member_email_ids: [expect.stringMatching(/^me_/)], language: 'ar' })
  await sendInvitations(w.server.context)
  expect(lastMail('invitada@example.com')?.subject).toBe('صلاحية دخولك إلى «Hotel Miramar»')
  await ask({ language: 'en' })
  await sendInvitations(w.server.context)
  expect(lastMail('invitada@example.com')?.text).toMatch(/From Tuesday,? 1 December 2026 at 15:00\n/)
  expect((await ask({ member_email_ids: ['me_00000000000000000000'] })).status).toBe(400)
})

test('who has no email cannot be invited; a member that is gone by then gets no mail', async () => {
  const { id } = await book({ magic_link: true })
  await expect(tenant.client.members.invite(id, {})).rejects.toMatchObject({ status: 400 })
  const gone = await book({ emails: ['gone@example.com'], magic_link: true })
  await tenant.client.members.invite(gone.id, {})
  await tenant.client.members.delete(gone.id)
  await sendInvitations(w.server.context)
  expect(lastMail('gone@example.com')).toBeUndefined()
})

test('an organization with thousands of members of an address hides nothing of the others', async () => {
  const email = 'drowned@example.com'
  const mine = await book({ emails: [email] }, { starts_at: '2026-11-20T00:00:00Z' })
  const crowd = await w.tenant('Crowd')
  const first = await crowd.client.grants.create({
    member: {},
    member_group_ids: [],
    credentials: { emails: [email] },
  })
  const copies = (table: string, prefix: string, more: string) =>
    w.server.context.db.query(
      `INSERT INTO ${table} SELECT copy.* FROM ${table} t, generate_series(1, 1100) n,
       LATERAL jsonb_populate_record(t, jsonb_build_object('id', '${prefix}_' || lpad(n::text, 20, '0')${more})) AS copy
       WHERE t.organization_id = $1`,
      [crowd.organization_id],
    )
  await copies('members', 'mem', '')
  await copies('member_emails', 'me', `, 'member_id', 'mem_' || lpad(n::text, 20, '0')`)
  const phone = new Phone(w)
  const code = await codeFor(phone, email)
  const { body } = await phone.ask<{ ticket: string; members: { member_id: string }[] }>(
    'POST',
    '/email_codes/check',
    { email, code },
  )
  const ids = body.members.map(({ member_id }) => member_id)
  expect(ids).toContain(mine.id)
  expect(ids.length).toBeLessThan(100)
  for (const member_id of [mine.id, first.id, `mem_${'1100'.padStart(20, '0')}`]) {
    const session = await phone.ask<SessionBody>('POST', '/sessions', { ticket: body.ticket, member_id })
    expect(session.body.home.member_id).toBe(member_id)
  }
})

test('an address gets five codes an hour, also when they are asked for at once', async () => {
  const email = 'hasty@example.com'
  await book({ emails: [email] })
  const ask = () => new Phone(w).ask('POST', '/email_codes', { email })
  await Promise.all(Array.from({ length: 30 }, ask))
  const sent = () => w.server.context.mailer.outbox?.filter(mail => mail.to === email).length
  await expect.poll(sent).toBeGreaterThanOrEqual(5)
  await new Promise(resolve => setTimeout(resolve, 500))
  expect(sent()).toBe(5)
})

test('nobody is flooded with invitations, and another organization may still invite', async () => {
  const email = 'flooded@example.com'
  const { id } = await book({ emails: [email] })
  for (let count = 0; count < 10; count++) await tenant.client.members.invite(id, {})
  await expect(tenant.client.members.invite(id, {})).rejects.toMatchObject({ status: 429 })
  const again = await book({ emails: [email.toUpperCase()] })
  await expect(tenant.client.members.invite(again.id, {})).rejects.toMatchObject({ status: 429 })
  const others = await w.tenant('Others')
  const member = await others.client.members.create({})
  await others.client.member_emails.create(member.id, { email })
  await others.client.members.invite(member.id, {})
  w.clock.advance(3601)
  await tenant.client.members.invite(id, {})
})
