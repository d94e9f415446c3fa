import { type World, world } from '@gatehouse-access/testkit'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BackupWatch } from '../../packages/server/src/backup/watch.ts'
import { ExpiryWatch } from '../../packages/server/src/certificates/expiry.ts'
import { createMetrics } from '../../packages/server/src/monitoring/metrics.ts'
import { listInstanceAlarms } from '../../packages/server/src/operator/instance-alarm.ts'
import { InstanceAlarms } from '../../packages/server/src/operator/instance-alarms.ts'
import { tellOperator } from '../../packages/server/src/operator/tell-operator.ts'
import { openSmtp, type Smtp } from '../telling/smtp.ts'

const silent = pino({ level: 'silent' })
const day = 86_400
const owned = new AsyncDisposableStack()
let w: World
let smtp: Smtp

beforeAll(async () => {
  smtp = owned.use(await openSmtp())
  w = owned.use(await world({ smtp_url: smtp.url, operator_email: 'operator@example.com' }))
})
beforeEach(async () => {
  await w.server.context.db.query('DELETE FROM instance_alarms')
  smtp.received.length = 0
  smtp.refusal = undefined
  smtp.hold = undefined
})
afterAll(() => owned.disposeAsync())

/** A process of the installation, which has just started. */
function open() {
  const { db, clock } = w.server.context
  const alarms = new InstanceAlarms({ db, clock, log: silent })
  const backups = new BackupWatch(silent, createMetrics(), undefined, alarms)
  return { alarms, backups }
}

async function after(seconds: number, { alarms }: ReturnType<typeof open>): Promise<void> {
  await alarms.settled()
  w.clock.advance(seconds)
  await tellOperator({ ...w.server.context, log: silent, instance_alarms: alarms })
}

const list = (is_on = false) => listInstanceAlarms(w.server.context.db, { is_on, limit: 10 })
const subjects = () => smtp.received.map(({ subject }) => subject)

test('the operator is mailed that backups fail, again the next day, and that they work', async () => {
  const process = open()
  for (const message of ['the folder is full', 'the folder is full', 'the folder is gone']) {
    process.backups.failed('base', message)
    await after(61, process)
  }
  expect(subjects()).toEqual(['Backups fail: localhost'])
  expect(smtp.received[0]?.to?.[0]?.address).toBe('operator@example.com')
  expect(smtp.received[0]?.text).toContain('backup_failed (base)')
  expect(await list()).toMatchObject([
    { type: 'backup_failed', message: 'the folder is gone', ended_at: null },
  ])
  await after(day - 60, process)
  expect(subjects()).toHaveLength(1)
  process.backups.look()
  await after(60, process)
  expect(subjects()).toHaveLength(2)
  process.backups.done('base', new Date().toISOString())
  await after(1, process)
  expect(subjects().at(-1)).toBe('Backups work again: localhost')
  await after(2 * day, process)
  expect(subjects()).toHaveLength(3)
  expect(await list(true)).toEqual([])
})

test('a restart neither ends an alarm nor tells of it again; several processes tell of it once', async () => {
  const first = open()
  first.backups.failed('drill', 'a file is missing')
  await after(5, first)
  const [next, other] = [open(), open()]
  // It does not know of drills yet.
  next.backups.done('wal', new Date().toISOString())
  await after(5, next)
  expect(await list(true)).toHaveLength(1)
  for (const { backups } of [next, other]) backups.failed('drill', 'a file is missing')
  await Promise.all([after(5, next), after(5, other)])
  expect(subjects()).toHaveLength(1)
  expect(await list()).toHaveLength(1)
})

test('a mail that is not accepted is tried again, and the end is told even if it comes in between', async () => {
  const process = open()
  smtp.refusal = { code: 451, text: 'later' }
  process.backups.failed('wal', 'the folder is gone')
  for (const seconds of [1, 61, 301]) await after(seconds, process)
  expect(subjects()).toEqual([])
  smtp.refusal = undefined
  process.backups.done('wal', new Date().toISOString())
  await after(1, process)
  expect(subjects()).toEqual(['Backups work again: localhost'])
})

test('a certificate is told of at 14, 7, 3 and 1 days, and once it is replaced', async () => {
  const process = open()
  const watch = new ExpiryWatch({ log: silent, alarms: process.alarms, name: 'doors.example' })
  const ends_at = Date.parse(w.clock.now()) + 90 * day * 1000
  const certificate = { chain: '', key: '', fingerprint: 'a', begins_at: Date.parse(w.clock.now()), ends_at }
  const counts: number[] = []
  for (const left of [20, 13, 11.9, 6, 2, 0.5]) {
    w.clock.set(new Date(ends_at - left * day * 1000).toISOString().replace('Z', '000Z'))
    watch.look(certificate, Date.parse(w.clock.now()))
    await after(0, process)
    counts.push(smtp.received.length)
  }
  expect(counts).toEqual([0, 1, 2, 3, 4, 5])
  watch.look({ ...certificate, fingerprint: 'b', ends_at: ends_at + 90 * day * 1000 }, ends_at)
  await after(1, process)
  expect(subjects().at(-1)).toBe('The certificate was replaced: localhost')
  expect(await list()).toMatchObject([{ place: 'doors.example', reason: 'not_renewed' }])
})

test('what no process finds for a day is over, and nobody is mailed of that', async () => {
  const gone = open()
  gone.backups.failed('base', 'the folder is full')
  await after(1, gone)
  const process = open()
  await after(day - 60, process)
  expect(await list(true)).toHaveLength(1)
  await after(120, process)
  expect(await list(true)).toEqual([])
  expect(subjects()).toEqual(['Backups fail: localhost'])
})

test('one mail is taken at a time, so that a slow server keeps no other longer than it is leased', async () => {
  const process = open()
  for (const kind of ['base', 'wal', 'drill'] as const) process.backups.failed(kind, 'the folder is full')
  await process.alarms.settled()
  const { db, clock } = w.server.context
  const left: number[] = []
  smtp.hold = async () => {
    const due = await db.query('SELECT 1 FROM instance_alarms WHERE mail_due_at <= $1', [clock.now()])
    left.push(due.length)
  }
  await after(0, process)
  expect(left).toEqual([2, 1, 0])
})
