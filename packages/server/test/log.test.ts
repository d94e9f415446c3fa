import { randomBytes } from 'node:crypto'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/database/db.ts'
import { openLog } from '../src/monitoring/log.ts'
import { LogMask } from '../src/monitoring/log-mask.ts'
import { openVault } from '../src/vault/vault.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

/** Returns the log output of `tell`. */
function logged(tell: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = []
  tell(openLog('info', { write: line => void lines.push(line) }))
  return lines.join('')
}

async function failure(statement: string, params: unknown[] = []): Promise<Error> {
  return w.server.context.db.query(statement, params).then(
    () => expect.unreachable(),
    error => error,
  )
}

test('an error of the database is logged without the row it failed with', async () => {
  const error = await failure(
    `INSERT INTO mail_codes (email_key, purpose, code_hash, tries, payload, created_at, expires_at)
     VALUES ($1, 'no such purpose', '\\x00', 0, '{}', now(), now())`,
    ['guest@example.com'],
  )
  expect((error as { detail?: string }).detail).toContain('guest@example.com')
  const alone = logged(log => log.error({ err: error }, 'it failed'))
  expect(alone).toContain('mail_codes_purpose_check')
  expect(alone).toContain('23514')
  for (const text of [
    alone,
    logged(log => log.warn({ error }, 'it failed')),
    logged(log => log.warn(error)),
    logged(log => log.child({}).error({ err: new Error('outer', { cause: error }) })),
    logged(log => log.error({ err: new AggregateError([error], 'several') })),
    logged(log => log.error({ err: Object.assign(new Error('outer'), { inner: error }) })),
  ]) {
    expect(text).toContain('"stack"')
    expect(text).not.toContain('guest@example.com')
  }
})

test('what a function of the database was called with is not logged either', async () => {
  const error = await failure(`DO $$ BEGIN PERFORM 1 / (length('my secret') - 9); END $$`)
  expect((error as { where?: string }).where).toContain('my secret')
  expect(logged(log => log.error({ err: error }))).not.toContain('my secret')
})

test('what is refused to everybody alike is told once and counted, in whatever it is wrapped', async () => {
  await using db = connect({ url: w.database_url }, 1, { waiting: 0 })
  const [, busy] = await Promise.allSettled([
    db.query('SELECT pg_sleep(0.1)'),
    db.transaction(async () => {}),
  ])
  const full = await failure(`DO $$ BEGIN RAISE SQLSTATE '53100' USING MESSAGE = 'no room'; END $$`)
  const cause = (busy as PromiseRejectedResult).reason
  expect(cause.code).toBe('POOL_BUSY')
  const text = logged(log => {
    for (let times = 0; times < 100; times++)
      for (const error of [cause, new Error('outer', { cause }), full]) log.error({ err: error }, 'it failed')
  })
  expect(
    text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).msg),
  ).toEqual([
    'too much is waiting for the database; further requests are refused',
    'the disk of the database is full; writes are refused',
  ])
})

/** Returns the lines of a log that hides email and IP addresses, or shows them. */
function masked(log_personal: boolean | undefined, tell: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = []
  const mask = new LogMask(vault, log_personal)
  tell(openLog('info', { write: line => void lines.push(line) }, undefined, undefined, mask))
  return lines.join('')
}
const vault = openVault([randomBytes(32)])

const people = [
  'ana.garcia+door@example.com',
  'Ana.Garcia+door@example.com',
  'jörg@müller.example',
  "o'neill@example.co",
  '203.0.113.7',
  '2001:db8::7',
  '2001:db8:0:0:0:0:0:7',
  '::ffff:203.0.113.7',
]
const others = [
  '127.0.0.1',
  '::1',
  '0.0.0.0',
  '12:34:56',
  '/node_modules/@fastify/websocket/a.js:12:3',
  'v1.2.3',
]

test('the log hides email and IP addresses wherever they are, by keyed hashes', () => {
  const tell = (log: ReturnType<typeof openLog>) => {
    for (const [index, word] of [...people, ...others].entries()) {
      log.warn({ [`field_${index}`]: word }, 'as a field')
      log.warn(`<${word}>, in a text: ${word}.`)
      log.error({ err: new Error(`550 5.1.1 <${word}>: unknown`) }, 'in an error')
    }
  }
  const hidden = masked(false, tell)
  expect(people.filter(word => hidden.includes(word))).toEqual([])
  expect(others.filter(word => !hidden.includes(word))).toEqual([])
  for (const line of hidden.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  const shown = masked(true, tell)
  expect(people.filter(word => !shown.includes(word))).toEqual([])
  expect(masked(undefined, tell)).not.toContain('203.0.113.7')
})

test('equal addresses have equal hashes, and other keys give others', () => {
  const line = masked(false, log =>
    log.info({ a: 'Ana@example.com', b: 'ana@example.com', c: 'bob@example.com' }),
  )
  const { a, b, c } = JSON.parse(line)
  expect(a).toMatch(/^email:[0-9a-f]{12}$/)
  expect(b).toBe(a)
  expect(c).not.toBe(a)
})

test('an installation that is older than the setting logs as before, until the operator says otherwise', async () => {
  const { db } = w.server.context
  const mask = new LogMask(vault, undefined)
  await mask.decide(db, undefined)
  expect(mask.mask('203.0.113.7')).toMatch(/^ip:/)
  await db.query(
    "UPDATE schema_migrations SET applied_at = applied_at - interval '1 day' WHERE name LIKE '001%'",
  )
  await mask.decide(db, undefined)
  expect(mask.mask('203.0.113.7')).toBe('203.0.113.7')
  await mask.decide(db, false)
  expect(mask.mask('203.0.113.7')).toMatch(/^ip:/)
})
