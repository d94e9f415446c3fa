import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, migrate, startEmbedded, systemClock } from '@gatehouse/server'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { administer, type TestDatabases, withDatabase } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databases: TestDatabases
  }
}

const template = 'gatehouse_template'

/** Once per run: a PostgreSQL of our own, or the one of GATEHOUSE_TEST_DATABASE_URL, with a migrated template. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const owned = new AsyncDisposableStack()
  const admin_url = process.env.GATEHOUSE_TEST_DATABASE_URL ?? (await startOwn(owned))
  await administer(admin_url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
  await administer(admin_url, `CREATE DATABASE ${template}`)
  await using db = connect({ url: withDatabase(admin_url, template) })
  await migrate(db, systemClock.now())
  provide('databases', { admin_url, template })
  return () => owned.disposeAsync()
}

async function startOwn(owned: AsyncDisposableStack): Promise<string> {
  const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  owned.defer(() => rm(data_dir, { recursive: true, force: true }))
  const log = pino({ level: 'warn' })
  const embedded = owned.use(
    await startEmbedded({ data_dir, log, durable: false, settings: { max_connections: '200' } }),
  )
  const { host, port, user, database } = embedded.connection
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
