import { setImmediate } from 'node:timers/promises'
import { parseCsv } from '@gatehouse-access/core'
import { manyOr, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { fileOf, importFile } from './importing.ts'

const owned = new AsyncDisposableStack()
const lines: string[] = []
let w: World
let tenant: Tenant

beforeAll(async () => {
  const log = { write: (line: string) => void lines.push(line) }
  w = owned.use(await world({ rate_limit: 0, log_level: 'trace', log }))
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

/** Every row of every table as text. Bytes are in hex. */
async function dump(): Promise<string> {
  const { db } = w.server.context
  const tables = await db.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  )
  const texts: string[] = []
  for (const { name } of tables)
    for (const { row } of await db.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`))
      texts.push(row)
  return texts.join('\n')
}

const tail = 8

/**
 * Which of many words a long text contains. They are found by their ends: many begin alike. Lets the service go on, which runs in this
 * process: a connection that it could not tend for minutes would be closed on its next request.
 */
async function wordsIn(text: string, words: readonly string[]): Promise<string[]> {
  const byEnd = Map.groupBy(words, word => word.slice(-tail))
  const found = new Set<string>()
  for (let end = tail; end <= text.length; end++) {
    if (end % 1_000_000 === 0) await setImmediate()
    for (const word of byEnd.get(text.slice(end - tail, end)) ?? [])
      if (text.startsWith(word, end - word.length)) found.add(word)
  }
  return [...found]
}

/** How a text could lie in a dump, if nobody had encrypted it. */
function disguises(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), bytes.toString('base64').replaceAll('=', '')]
}

/** PINs are long here, so that none occurs by chance in an id, a time or a hash. */
const length = 20
const count = manyOr(25)
const given = (n: number) => `9070503${String(n * 7919).padStart(length - 7, '0')}`

test(
  'PINs and links of an import are neither in the database nor in the log, and each is revealed by an event',
  within(60),
  async () => {
    // A statement that fails is told in the log.
    await w.server.context.db.query(`ALTER TABLE members ADD CONSTRAINT no_canary CHECK (name <> 'Canary')`)
    const wish = { defaults: { credentials: { pin: { length }, magic_link: true } } }
    const rows = Array.from({ length: count }, (_, n) => `N${n},New ${n},new\nG${n},Given ${n},${given(n)}\n`)
    const file = `external_id,name,pin\n${rows.join('')}B,Broken,${given(0)}\nC,Short,${given(1).slice(1)}\nD,Canary,${given(count)}\n`
    const tried = await importFile(tenant, file, { ...wish, dry_run: true })
    const { id } = await tenant.client.jobs.start(tried.id)
    const job = await tenant.client.jobs.wait(id)
    expect(job).toMatchObject({
      state: 'partly_succeeded',
      summary: { created: 2 * count, credentials_created: 4 * count },
      progress: { failed: 3 },
    })
    const [, ...made] = parseCsv(await fileOf(tenant, job, 'results.csv')).map(({ cells }) => cells)
    const generated = made.flatMap(cells => (cells[4] ? [cells[4]] : []))
    const links = made.map(cells => cells[5]?.split('#')[1] ?? '')
    expect([generated.length, links.length]).toEqual([count, 2 * count])
    const told = [
      ...(await Promise.all(['errors.csv'].map(name => fileOf(tenant, job, name)))),
      ...(await Promise.all(['errors.csv', 'diff.ndjson'].map(name => fileOf(tenant, tried, name)))),
      JSON.stringify([tried, job]),
    ].join('\n')
    const secrets = [...generated, ...links, ...Array.from({ length: count + 1 }, (_, n) => given(n))]
    const [stored, logged] = [await dump(), lines.join('\n')]
    const disguised = secrets.flatMap(disguises)
    for (const text of [stored, logged, told]) expect(await wordsIn(text, disguised)).toEqual([])
    // The search finds what is there.
    expect((await wordsIn(stored, [`Given ${count - 1}`, id])).toSorted()).toEqual([`Given ${count - 1}`, id])
    expect(logged).toContain('a batch of a job failed')
    let revealed = 0
    for await (const _ of tenant.client.events.all({ verb: 'reveal' })) revealed++
    expect(revealed).toBe(3 * count)
    await expect(fileOf(tenant, job, 'results.csv')).rejects.toMatchObject({ status: 410 })
  },
)
