import { deriveAuditKey } from '../audit/keys.ts'
import { BackupError } from '../backup/archive/backup-error.ts'
import { DamagedError } from '../backup/archive/damaged-error.ts'
import { type Entry, readEntries } from '../backup/archive/entries.ts'
import { type Archive, openArchive } from '../backup/archive/read-archive.ts'
import { parseRecoveryKey } from '../backup/archive/recovery-key.ts'
import type { BackupConfig } from '../backup/make-backup.ts'
import type { Config } from '../config/config.ts'
import { connectionFor } from '../database/embedded/connection-for.ts'
import { beginEpoch } from '../database/epochs.ts'
import { Session } from '../database/session.ts'
import { databaseOf } from '../database/session-database.ts'
import type { Clock } from '../flow/clock.ts'
import { openVault } from '../vault/vault.ts'
import type { About } from './about.ts'
import { type Arrived, arrive } from './arrive.ts'
import { requireImportable } from './check.ts'
import { continueChain } from './continue-chain.ts'
import { forgetImport, holdImport, removeLoaded } from './discard.ts'
import { explainImport } from './explain.ts'
import { fileName } from './export.ts'
import { loadRows, type Means, makeMonth, turnRows } from './load.ts'
import { early } from './tables.ts'

export interface ImportOptions {
  /** The path of the file. */
  readonly from: string
  /** What the export has printed. */
  readonly key: string
  readonly clock: Clock
  /** Called once the file may be imported, before anything changes. */
  readonly onPlan?: (about: About) => void
  readonly onProgress?: (rows: number) => void
  /** Called once all rows are loaded, before their audit chain is verified. */
  readonly onLoaded?: () => void
  /** Only tells what it would do. */
  readonly is_trial?: boolean
}

type ImportConfig = BackupConfig & Pick<Config, 'quotas'>

export interface Imported extends Arrived {
  readonly about: About
}

/**
 * Imports an organization. Its rows are loaded in small transactions, and belong to nobody until the last one
 * creates the organization: whenever the import is interrupted, nothing of it can be reached, and the next
 * import or the service removes what is left.
 */
export async function importOrganization(config: ImportConfig, options: ImportOptions): Promise<Imported> {
  try {
    return await importFile(config, options)
  } catch (error) {
    throw explainImport(error, options.from)
  }
}

async function importFile(config: ImportConfig, options: ImportOptions): Promise<Imported> {
  await using archive = await openFile(options)
  using session = await Session.open(connectionFor(config))
  const entries = readEntries(archive.read())
  const about = await readAbout(entries)
  // Nobody else can finish an import of it between the check and the end of this one.
  await holdImport(session, about.organization.id)
  await requireImportable(databaseOf(session), config, about)
  options.onPlan?.(about)
  if (options.is_trial) return { about, users: [], applications: [], over_quota: [] }
  return await new Import(session, config, options, about).run(entries)
}

async function openFile({ from, key }: ImportOptions): Promise<Archive> {
  const recovery_key = parseRecoveryKey(key, 'The key')
  try {
    return await openArchive(from, { recovery_key }, fileName)
  } catch (error) {
    if (error instanceof BackupError)
      throw new BackupError(`This key does not open ${from}: give the one that its export has printed.`)
    throw error
  }
}

async function readAbout(entries: AsyncGenerator<Entry>): Promise<About> {
  const { value } = await entries.next()
  if (value?.path !== 'about.json' || !value.content) throw new DamagedError('it does not say what it holds')
  const about = JSON.parse((await readWhole(value.content)).toString('utf8')) as About
  if (about.format !== 1)
    throw new BackupError('The file was written by a newer version of Gatehouse: use that version here too.')
  return about
}

async function readWhole(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

class Import {
  readonly #session: Session
  readonly #config: ImportConfig
  readonly #options: ImportOptions
  readonly #about: About
  readonly #means: Means
  #rows = 0

  constructor(session: Session, config: ImportConfig, options: ImportOptions, about: About) {
    this.#session = session
    this.#config = config
    this.#options = options
    this.#about = about
    this.#means = {
      vault: openVault(config.secret_keys),
      key: deriveAuditKey(config.secret_keys[0]),
      trusted: about.public_keys,
    }
  }

  async run(entries: AsyncIterable<Entry>): Promise<Imported> {
    await this.#begin()
    try {
      return { about: this.#about, ...(await this.#perform(entries)) }
    } catch (error) {
      await this.#discard().catch(() => undefined)
      throw error
    }
  }

  async #begin(): Promise<void> {
    const { id } = this.#about.organization
    await this.#session.query('SET idle_in_transaction_session_timeout = 0')
    const db = databaseOf(this.#session)
    await beginEpoch(db)
    const begun = await db.query(
      `INSERT INTO organization_imports (organization_id, began_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`,
      [id, this.#options.clock.now()],
    )
    if (begun.length === 0) await removeLoaded(db, id)
  }

  async #perform(entries: AsyncIterable<Entry>): Promise<Arrived> {
    const { months } = this.#about
    const db = databaseOf(this.#session)
    for (const month of months) await makeMonth(db, month)
    const late = await this.#loadAll(entries)
    this.#options.onLoaded?.()
    const head = await continueChain(db, this.#means.key, this.#about)
    const { clock } = this.#options
    const { quotas } = this.#config
    return arrive(this.#session, { about: this.#about, key: this.#means.key, head, late, clock, quotas })
  }

  /** Reads the file to its end, which authenticates it. Returns the rows that are to be stored last. */
  async #loadAll(entries: AsyncIterable<Entry>): Promise<Map<string, Buffer>> {
    const late = new Map<string, Buffer>()
    const missing = new Set<string>(this.#about.tables.map(({ name }) => name))
    for await (const { path, content } of entries) {
      const table = this.#about.tables.find(({ name }) => path === `tables/${name}`)
      if (!table || !content || !missing.delete(table.name))
        throw new DamagedError(`it holds ${JSON.stringify(path)}, which it does not tell of`)
      const rows = turnRows(this.#means, table, content)
      const loading = { session: this.#session, organization_id: this.#about.organization.id, table }
      if (isEarly(table.name)) await loadRows(loading, rows, count => this.#count(count))
      else {
        late.set(table.name, await readWhole(rows))
        this.#count(table.rows)
      }
    }
    const [lost] = missing
    if (lost) throw new DamagedError(`it holds no ${lost}`)
    return late
  }

  #count(rows: number): void {
    this.#rows += rows
    this.#options.onProgress?.(this.#rows)
  }

  async #discard(): Promise<void> {
    const db = databaseOf(this.#session)
    await removeLoaded(db, this.#about.organization.id)
    await forgetImport(db, this.#about.organization.id)
  }
}

function isEarly(name: string): boolean {
  return early.some(one => one === name)
}
