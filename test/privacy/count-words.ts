import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Database } from '@gatehouse-access/server'
import { touchedTables } from '../../packages/server/src/erasing/holdings.ts'
import { present } from '../../packages/server/src/flow/present.ts'
import { awaitOlder } from '../../packages/server/src/recovery/await-older.ts'

type Db = Pick<Database, 'query'>
type Hits = Readonly<Record<string, number>>

/** Stores long values as they are: compressed ones would hide words from a search of the files. */
export async function storeUncompressed(db: Db): Promise<void> {
  const columns = await db.query<{ table: string; column: string }>(
    `SELECT c.oid::regclass::text AS table, quote_ident(a.attname) AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND a.attstorage = 'x'`,
  )
  for (const { table, column } of columns)
    await db.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET STORAGE EXTERNAL`, [], { prepare: false })
}

/** Every row of every table as a text, as a logical dump has it. */
export async function dumpRows(db: Db): Promise<Map<string, string[]>> {
  const tables = await db.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
  )
  const dump = new Map<string, string[]>()
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`, [], {
      prepare: false,
    })
    dump.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return dump
}

/** Returns in how many rows each word stands, table by table. */
export function countRows(dump: ReadonlyMap<string, readonly string[]>, words: readonly string[]): Hits {
  const hits: Record<string, number> = {}
  for (const [table, rows] of dump)
    for (const row of rows)
      for (const word of words)
        if (row.includes(word)) hits[`${table} ${word}`] = (hits[`${table} ${word}`] ?? 0) + 1
  return hits
}

/** Where an ID stands, without what was sent of its events, and what waits to be written into the ledger. */
export function placesOf(dump: ReadonlyMap<string, readonly string[]>, id: string): Hits {
  const places: Record<string, number> = {}
  for (const [table, rows] of dump) {
    const count = rows.filter(row => row.includes(id)).length
    const name = table.replace(/^events_.*/, 'events')
    if (count > 0 && !/^(webhook|ledger)_/.test(table)) places[name] = (places[name] ?? 0) + count
  }
  return places
}

/** The write-ahead log: what it holds goes when it is reused. */
const isLog = (path: string) => path.split(sep).includes('pg_wal')

/** Returns how many of the words, given as text or bytes, stand in each file below a folder, without PostgreSQL's write-ahead log. */
export async function countFiles(folder: string, words: readonly (string | Uint8Array)[]): Promise<Hits> {
  const hits: Record<string, number> = {}
  // Others of the server come and go while it is read.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile() || isLog(entry.parentPath)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file).catch(() => Buffer.alloc(0))
    const found = words.filter(word => bytes.includes(word)).length
    if (found > 0) hits[file] = found
  }
  return hits
}

/** The same for the data folder of a running database, without other databases. */
export async function countDataFolder(db: Db, words: readonly (string | Uint8Array)[]): Promise<Hits> {
  await db.query('CHECKPOINT', [], { prepare: false })
  const [place] = await db.query<{ folder: string; base: string }>(
    `SELECT current_setting('data_directory') AS folder, 'base/' || oid AS base FROM pg_database WHERE datname = current_database()`,
  )
  const { folder, base } = present(place, 'the data folder')
  const shared = (await readdir(folder)).filter(name => name !== 'base')
  const hits: Record<string, number> = {}
  for (const name of [base, ...shared]) Object.assign(hits, await countFiles(join(folder, name), words))
  return hits
}

/**
 * What the promise about files asks for. Statistics from before an erasure are old versions of rows, too. Other tests have
 * transactions on the same server, which on a busy machine take longer than one waits for files.
 */
export async function rewriteTables(db: Db): Promise<void> {
  await awaitOlder(db)
  for (const table of [...touchedTables, 'pg_catalog.pg_statistic'])
    await db.query(`VACUUM FULL ${table}`, [], { prepare: false })
}

export function sum(hits: Hits): number {
  return Object.values(hits).reduce((total, count) => total + count, 0)
}
