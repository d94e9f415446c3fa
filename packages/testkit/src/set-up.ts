import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beginLedger, connect, migrate, openFeed, startEmbedded, systemClock } from '@gatehouse-access/server'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
// @ts-expect-error: plain JavaScript, since it also runs before anything is installed
import { buildService } from '../../../scripts/build-service.mjs'
import { administer, type TestDatabases, withDatabase } from './database.ts'
import { endScratch } from './scratch.ts'
import { copyFiles, programVariable } from './service.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databases: TestDatabases
  }
}

const template = 'gatehouse_template'

const settings = {
  max_connections: '200',
  // Creating or dropping a database scans all shared buffers, so they are small.
  shared_buffers: '64MB',
  autovacuum: 'off',
  // A lock on a table would otherwise be logged for standbys under a transaction id, and the event feeds of all
  // databases wait while that is open.
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/**
 * Runs once per test run. Starts a PostgreSQL, or uses that of GATEHOUSE_TEST_DATABASE_URL, and creates a
 * migrated template.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const owned = new AsyncDisposableStack()
  owned.defer(endScratch)
  const given = process.env.GATEHOUSE_TEST_DATABASE_URL
  const [program, { admin_url, files }] = await Promise.all([
    buildService() as Promise<string>,
    given ? { admin_url: given, files: undefined } : startOwn(owned),
    buildPages(),
  ])
  process.env[programVariable] = program
  await administer(admin_url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
  await administer(admin_url, `CREATE DATABASE ${template}`)
  await migrateDatabase({ url: withDatabase(admin_url, template) })
  provide('databases', { admin_url, template, files })
  // The workers load it all. Each would write it when it ends, one over the other, which takes many seconds.
  flushCompileCache()
  return () => owned.disposeAsync()
}

/**
 * Copies the database files before the server is used: a service with an embedded database starts much faster
 * from them than from nothing.
 */
async function startOwn(owned: AsyncDisposableStack): Promise<{ admin_url: string; files: string }> {
  const data_dir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  owned.defer(() => rm(data_dir, { recursive: true, force: true }))
  const options = { data_dir, log: pino({ level: 'warn' }), durable: false, settings: { autovacuum: 'off' } }
  const files = join(data_dir, 'files')
  await using first = await startEmbedded(options)
  await migrateDatabase(first.connection)
  await first.stop()
  await copyFiles(join(data_dir, 'database'), files)
  const { host, port, user, database } = owned.use(await startEmbedded({ ...options, settings })).connection
  return {
    admin_url: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    files,
  }
}

/** Also does what the first start does in every empty database. */
async function migrateDatabase(connection: Parameters<typeof connect>[0]): Promise<void> {
  await using db = connect(connection)
  await migrate(db, systemClock.now())
  await using feed = await openFeed(db, pino({ level: 'warn' }))
  await beginLedger({ db, clock: systemClock, feed })
}

/** Builds what is not built yet, in a process of its own, so that the start of the database need not wait. */
async function buildPages(): Promise<void> {
  const script = resolve(import.meta.dirname, '../../../scripts/build-web.mjs')
  // What vitest sets it to would make pages for development.
  const { NODE_ENV: _, ...env } = process.env
  await promisify(execFile)(process.execPath, [script], { env })
}
