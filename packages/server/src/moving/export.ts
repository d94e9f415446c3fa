import { existsSync } from 'node:fs'
import { BackupError } from '../backup/archive/backup-error.ts'
import { type Entry, writeEntries } from '../backup/archive/entries.ts'
import { makeRecoveryKey } from '../backup/archive/recovery-key.ts'
import { writeArchive } from '../backup/archive/write-archive.ts'
import { writeDurably } from '../backup/folder/durable-file.ts'
import type { BackupConfig } from '../backup/make-backup.ts'
import { textEntry } from '../backup/physical/base.ts'
import { fullPace, Pacer } from '../backup/physical/pace.ts'
import { connectionFor } from '../database/embedded/connection-for.ts'
import { Session } from '../database/session.ts'
import { databaseOf } from '../database/session-database.ts'
import { openVault } from '../vault/vault.ts'
import { type About, describeOrganization, requireWholeChain } from './about.ts'
import { countRows, mapRows } from './copy-text.ts'
import { openSecrets } from './secrets.ts'
import { selectRows } from './tables.ts'

/** What the file claims to be, whatever it is called. */
export const fileName = 'organization'

export interface ExportOptions {
  readonly organization_id: string
  /** The path of the file. */
  readonly to: string
  /** Called before anything is written. */
  readonly onBegin?: (about: About) => void
  readonly onProgress?: (rows: number) => void
}

export interface Exported {
  readonly about: About
  /** Opens the file, and is kept nowhere. */
  readonly key: string
  readonly bytes: number
}

/** Writes an organization into a file, as it is in one snapshot. Changes nothing in the database. */
export async function exportOrganization(config: BackupConfig, options: ExportOptions): Promise<Exported> {
  const { organization_id, to } = options
  if (existsSync(to)) throw new BackupError(`There is a file ${to} already: name another with --to.`)
  using session = await Session.open(connectionFor(config))
  await session.query('SET idle_in_transaction_session_timeout = 0')
  const { text, public_key } = makeRecoveryKey()
  const readers = { recovery_key: public_key, service_key: undefined }
  return await session.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async () => {
    const db = databaseOf(session)
    const about = await describeOrganization(db, config, organization_id)
    options.onBegin?.(about)
    await requireWholeChain(db, config, about)
    const entries = writeEntries(readEntriesOf(session, config, about, options.onProgress))
    const { bytes } = await writeDurably(to, sink => writeArchive(sink, { name: fileName, readers }, entries))
    return { about, key: text, bytes }
  })
}

async function* readEntriesOf(
  session: Session,
  { secret_keys }: BackupConfig,
  about: About,
  onProgress: ExportOptions['onProgress'],
): AsyncGenerator<Entry> {
  const vault = openVault(secret_keys)
  const pacer = new Pacer(fullPace)
  let rows = 0
  const pass = async (part: Uint8Array) => {
    rows += countRows(part)
    onProgress?.(rows)
    await pacer.take(part.length)
  }
  yield textEntry('about.json', JSON.stringify(about))
  for (const { name, columns } of about.tables) {
    const content = session.copyOut(`COPY (${selectRows(name, columns, about.organization.id)}) TO STDOUT`)
    const change = openSecrets(vault, name, columns)
    yield { path: `tables/${name}`, content: passing(change ? mapRows(content, change) : content, pass) }
  }
}

async function* passing(
  content: AsyncIterable<Uint8Array>,
  pass: (part: Uint8Array) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    await pass(part)
    yield part
  }
}
