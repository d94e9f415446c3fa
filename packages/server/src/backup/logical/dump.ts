import { join } from 'node:path'
import type { Session } from '../../database/session.ts'
import { present } from '../../flow/present.ts'
import { type Entry, writeEntries } from '../archive/entries.ts'
import { type Manifest, writeManifest } from '../archive/manifest.ts'
import { recoveryKeyId } from '../archive/recovery-key.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { archiveName, makeId, manifestPath } from '../folder/backup-folder.ts'
import { writeDurably } from '../folder/durable-file.ts'
import { type Facts, readFacts } from '../folder/facts.ts'
import { quote } from '../folder/tables.ts'
import { type BaseOptions, keyEntry, textEntry } from '../physical/base.ts'
import { Pacer, usualPace } from '../physical/pace.ts'
import { type About, readMonths, readSequences, readTables } from './schema.ts'

/** Writes all rows of any PostgreSQL, as they are in one snapshot. */
export async function backUpLogically(session: Session, options: BaseOptions): Promise<Manifest> {
  const { folder, readers } = options
  const began_at = new Date().toISOString()
  const id = makeId(began_at)
  const name = archiveName(id)
  const dump = new Dump(session, options)
  await session.query('SET idle_in_transaction_session_timeout = 0')
  const { key, ...sizes } = await session.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', () =>
    writeDurably(join(folder, name), sink =>
      writeArchive(sink, { name, readers }, writeEntries(dump.read()), options.signal),
    ),
  )
  options.onFile?.(join(folder, name))
  const manifest: Manifest = {
    id,
    kind: 'logical',
    ...present(dump.facts, 'the facts of the dump'),
    began_at,
    finished_at: new Date().toISOString(),
    rows: dump.rows,
    archive: { name, ...sizes },
    recovery_key: readers.recovery_key ? recoveryKeyId(readers.recovery_key) : null,
  }
  const path = manifestPath(folder, id)
  await writeDurably(path, sink => sink.write(Buffer.from(writeManifest(manifest, key))))
  options.onFile?.(path)
  return manifest
}

/** Reads all rows for a database that is loaded at the same time, in the transaction of the session. */
export function readRows(
  session: Session,
  options: DumpOptions,
): { readonly content: AsyncIterable<Uint8Array>; readonly rows: Readonly<Record<string, number>> } {
  const dump = new Dump(session, options)
  return { content: writeEntries(dump.read()), rows: dump.rows }
}

type DumpOptions = Pick<BaseOptions, 'service_keys' | 'pace'>

class Dump {
  facts: Facts | undefined
  readonly rows: Record<string, number> = {}
  readonly #session: Session
  readonly #options: DumpOptions
  readonly #pacer: Pacer

  constructor(session: Session, options: DumpOptions) {
    this.#session = session
    this.#options = options
    this.#pacer = new Pacer(options.pace ?? usualPace)
  }

  async *read(): AsyncGenerator<Entry> {
    this.facts = await readFacts(this.#session)
    const about: About = {
      migrations: this.facts.migrations,
      tables: await readTables(this.#session),
      sequences: await readSequences(this.#session),
      months: await readMonths(this.#session),
    }
    yield keyEntry(this.#options)
    yield textEntry('about.json', JSON.stringify(about))
    for (const table of about.tables) yield { path: `tables/${table.name}`, content: this.#copy(table) }
  }

  async *#copy({ name, columns }: About['tables'][number]): AsyncGenerator<Buffer> {
    const text = `COPY (SELECT ${columns.map(quote).join(', ')} FROM ${quote(name)}) TO STDOUT`
    const rows = this.#session.copyOut(text)
    try {
      for (;;) {
        const { done, value } = await rows.next()
        if (done) {
          this.rows[name] = value
          return
        }
        await this.#pacer.take(value.length)
        yield value
      }
    } finally {
      await rows.return(0)
    }
  }
}
