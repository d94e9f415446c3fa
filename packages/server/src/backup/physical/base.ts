import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Session } from '../../database/session.ts'
import { present } from '../../flow/present.ts'
import { type Entry, writeEntries } from '../archive/entries.ts'
import { type Manifest, writeManifest } from '../archive/manifest.ts'
import { recoveryKeyId } from '../archive/recovery-key.ts'
import type { Readers } from '../archive/wrapped-keys.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { archiveName, makeId, manifestPath } from '../folder/backup-folder.ts'
import { writeDurably } from '../folder/durable-file.ts'
import { type Facts, readFacts } from '../folder/facts.ts'
import { parseLsn } from '../folder/lsn.ts'
import { readNote } from '../folder/own-files.ts'
import { countRows } from '../folder/tables.ts'
import { readDatabaseFiles } from './database-files.ts'
import { Pacer, usualPace } from './pace.ts'
import { currentTimeline } from './slot.ts'
import { readLogFiles } from './wal-files.ts'

export interface BaseOptions {
  readonly folder: string
  readonly data_dir: string
  readonly readers: Readers
  /** The keys of the service, as its key file has them. */
  readonly service_keys: readonly Uint8Array[]
  readonly pace?: number
  readonly signal?: AbortSignal | undefined
  /** Called with the path of each file that is finished. */
  readonly onFile?: (path: string) => void
  /** Called with the bytes that were copied so far. */
  readonly onProgress?: (bytes: number) => void
}

/** Tables of more rows are not counted while requests wait. */
const mostCounted = 200_000

/** Copies a running embedded database, with the log that makes the copy consistent. */
export async function backUpPhysically(session: Session, options: BaseOptions): Promise<Manifest> {
  const { folder, readers } = options
  const began_at = new Date().toISOString()
  const id = makeId(began_at)
  const base = new Base(session, options)
  const name = archiveName(id)
  const archive = await writeDurably(join(folder, name), sink =>
    writeArchive(sink, { name, readers }, writeEntries(base.read()), options.signal),
  )
  options.onFile?.(join(folder, name))
  const { key, ...sizes } = archive
  const manifest: Manifest = {
    id,
    kind: 'physical',
    ...present(base.facts, 'the facts of the backup'),
    began_at,
    finished_at: present(base.finished_at, 'the end of the backup'),
    archive: { name, ...sizes },
    recovery_key: readers.recovery_key ? recoveryKeyId(readers.recovery_key) : null,
    wal: present(base.place, 'the place of the backup'),
  }
  const path = manifestPath(folder, id)
  await writeDurably(path, sink => sink.write(Buffer.from(writeManifest(manifest, key))))
  options.onFile?.(path)
  return manifest
}

class Base {
  finished_at: string | undefined
  place: Manifest['wal']
  facts: (Facts & Pick<Manifest, 'rows'>) | undefined
  readonly #session: Session
  readonly #options: BaseOptions
  readonly #pacer: Pacer
  #bytes = 0

  constructor(session: Session, options: BaseOptions) {
    this.#session = session
    this.#options = options
    this.#pacer = new Pacer(options.pace ?? usualPace)
  }

  async *read(): AsyncGenerator<Entry> {
    const { data_dir } = this.#options
    const database_dir = join(data_dir, 'database')
    yield keyEntry(this.#options)
    const start = await this.#start()
    for await (const entry of readDatabaseFiles(database_dir)) yield this.#inside(entry)
    // What is true now is true of the backup: it ends later.
    this.facts = { ...(await readFacts(this.#session)), rows: await countRows(this.#session, mostCounted) }
    const { label, ...stop } = await this.#stop()
    yield textEntry('database/backup_label', label)
    const from = parseLsn(start.lsn)
    for await (const entry of readLogFiles(database_dir, stop.timeline, from, parseLsn(stop.wal_end)))
      yield this.#inside(entry)
    this.place = {
      system_identifier: stop.system_identifier,
      timeline: stop.timeline,
      start_lsn: start.lsn,
      stop_lsn: stop.lsn,
      wal_end: stop.wal_end,
      line: (await readNote(data_dir, 'line'))?.id ?? null,
    }
  }

  /** A slot of the session keeps the log that the copy needs, until the session ends. */
  async #start(): Promise<{ lsn: string }> {
    const slot = `gatehouse_base_${randomBytes(6).toString('hex')}`
    await this.#session.query(
      'SELECT pg_create_physical_replication_slot($1::name, true, true)::text AS slot',
      [slot],
    )
    const [row] = await this.#session.query<{ lsn: string }>(
      `SELECT pg_backup_start('gatehouse', true)::text AS lsn`,
    )
    return present(row, 'the start of the backup')
  }

  async #stop() {
    const [row] = await this.#session.query<{ lsn: string; label: string }>(
      `SELECT lsn::text AS lsn, labelfile AS label FROM pg_backup_stop(false)`,
    )
    this.finished_at = new Date().toISOString()
    const [place] = await this.#session.query<{
      wal_end: string
      timeline: number
      system_identifier: string
    }>(
      `SELECT pg_current_wal_flush_lsn()::text AS wal_end, ${currentTimeline} AS timeline, system_identifier::text AS system_identifier
       FROM pg_control_system()`,
    )
    return { ...present(row, 'the end of the backup'), ...present(place, 'the place in the log') }
  }

  #inside({ path, content, ...entry }: Entry): Entry {
    return { ...entry, path: `database/${path}`, ...(content && { content: this.#count(content) }) }
  }

  async *#count(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      await this.#pacer.take(chunk.length)
      this.#bytes += chunk.length
      this.#options.onProgress?.(this.#bytes)
      yield chunk
    }
  }
}

/** The key of the service: an owner of the recovery key has all that is needed. */
export function keyEntry({ service_keys }: Pick<BaseOptions, 'service_keys'>): Entry {
  return textEntry('secret-key', service_keys.map(key => `${Buffer.from(key).toString('base64')}\n`).join(''))
}

export function textEntry(path: string, text: string): Entry {
  return {
    path,
    content: (async function* () {
      yield Buffer.from(text)
    })(),
  }
}
