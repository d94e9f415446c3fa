import { sendWeeklyReports } from '@gatehouse-access/server'
import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let organization_id: string

const path = () => `/account/organizations/${organization_id}/weekly_report`
const set = (body: object) => owner.account<Record<string, unknown>>('PATCH', path(), body)
const asked = (method: string, rest: string, body?: object) =>
  owner.account<{ id: string; events?: object[] }>(method, `/v2${rest}`, body, {
    'x-organization-id': organization_id,
  })

const mails = () => w.server.context.mailer.outbox ?? []
const sendAll = () => sendWeeklyReports(w.server.context)

beforeAll(async () => {
  ;({ w, owner, organization_id } = await openStage())
})
afterAll(() => w[Symbol.asyncDispose]())

test('nobody gets a report who has not asked for it', async () => {
  expect((await owner.account('GET', path())).body).toEqual({ is_on: false, next_at: null })
  expect((await set({ is_on: true, zone: 'Europe/Atlantis' })).body).toMatchObject({
    args: { field: 'zone' },
  })
  expect((await set({})).status).toBe(400)
})

test('the last week comes on Monday at seven, once, and again a week later', async () => {
  const { body: site } = await asked('POST', '/sites', { name: 'S', timezone: 'Europe/Madrid' })
  const { body: lock } = await asked('POST', '/devices', {
    name: 'L',
    site_id: site.id,
    product_id: 'controller',
  })
  const { body: door } = await asked('POST', '/gadgets', { name: 'Front door', device_id: lock.id })
  // A Wednesday.
  w.clock.set('2026-11-18T12:00:00Z')
  await owner.signIn('owner@example.com', 'correct horse battery staple')
  expect((await set({ is_on: true, zone: 'Europe/Madrid' })).body).toMatchObject({
    is_on: true,
    next_at: expect.stringMatching(/^2026-11-23T06:00:00/),
  })
  await asked('POST', `/gadgets/${door.id}/actions/open`)
  const sent = mails().length

  w.clock.set('2026-11-23T05:59:00Z')
  await sendAll()
  expect(mails()).toHaveLength(sent)
  w.clock.set('2026-11-23T06:00:00Z')
  await Promise.all([sendAll(), sendAll()])
  expect(mails()).toHaveLength(sent + 1)
  const [mail] = mails()
  expect(mail?.text).toContain(
    'From 16 November 2026 to 22 November 2026\n\nOpened: 1 · Denied: 0 · People: 0 · Doors: 1',
  )
  expect(mail?.text).toContain('Front door · Opened: 1 · Denied: 0')
  expect(mail?.text).toContain(
    `/o/${organization_id}/reports?when=2026-11-15T23:00:00.000000Z/2026-11-22T23:00:00.000000Z`,
  )
  await sendAll()
  expect(mails()).toHaveLength(sent + 1)
  expect((await owner.account('GET', path())).body).toMatchObject({
    next_at: expect.stringMatching(/^2026-11-30T06:00:00/),
  })
})

test('a mail that cannot be sent is tried again, and given up after some attempts until next week', async () => {
  w.clock.set('2026-11-30T06:00:00Z')
  await owner.signIn('owner@example.com', 'correct horse battery staple')
  const failing = {
    ...w.server.context,
    mailer: { ...w.server.context.mailer, send: () => Promise.reject(new Error('no mail server')) },
    log: { ...w.server.context.log, error: () => undefined },
  } as never
  const next = async () => (await owner.account<{ next_at: string }>('GET', path())).body.next_at
  for (const _ of Array(5)) {
    await sendWeeklyReports(failing)
    expect(await next()).toMatch(/^2026-11-30/)
    w.clock.advance(900)
  }
  await sendWeeklyReports(failing)
  expect(await next()).toMatch(/^2026-12-07T06:00:00/)
})

test('who no longer sees the whole organization gets none, and who ends it neither', async () => {
  const sent = mails().length
  w.clock.set('2026-12-07T06:00:00Z')
  await w.server.context.db.query(
    `UPDATE organization_users SET duty = 'front_desk' WHERE organization_id = $1`,
    [organization_id],
  )
  await sendAll()
  expect(mails()).toHaveLength(sent)
  await w.server.context.db.query('UPDATE organization_users SET duty = NULL WHERE organization_id = $1', [
    organization_id,
  ])
  await owner.signIn('owner@example.com', 'correct horse battery staple')
  expect((await set({ is_on: false })).body).toEqual({ is_on: false, next_at: null })
  w.clock.set('2026-12-14T06:00:00Z')
  await sendAll()
  expect(mails()).toHaveLength(sent)
})
