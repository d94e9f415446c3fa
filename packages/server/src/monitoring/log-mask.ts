import { isIP } from 'node:net'
import type { Database } from '../database/db.ts'
import { isLoopback } from '../network/loopback.ts'
import { digestFor } from '../vault/contexts.ts'
import type { Vault } from '../vault/vault.ts'

/**
 * What an email address may consist of in a line of JSON. A package in a path (`/@scope/name`) is none. It begins behind a
 * separator, so that a long word is read once.
 */
const email =
  /(?<![^\s"'`<>()[\]{},;:=/\\@])[^\s"'`<>()[\]{},;:=/\\@]+@(?:[\p{L}\d-]+\.)*[\p{L}\d-]*\p{L}{2}/gu
/** Candidates: whether it is an address is then asked of the runtime. A time of the day has no `::`. */
const address =
  /(?<![\w.:])(?:[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?::?\d+(?:\.\d+){3})?|\d+(?:\.\d+){3})(?![\w:]|\.\d)/gi

const ownAddresses = new Set(['0.0.0.0', '::'])

/**
 * Writes keyed hashes in place of email and IP addresses, wherever they are in a line of the log: also in what a mail server
 * answered, or in the text of an error. Equal ones have equal hashes, so that lines about the same person can be found.
 */
export class LogMask {
  readonly #vault: Vault
  #isOn: boolean

  /** Undefined: hides everything until `decide` knows better. */
  constructor(vault: Vault, log_personal: boolean | undefined) {
    this.#vault = vault
    this.#isOn = log_personal !== true
  }

  mask(line: string): string {
    if (!this.#isOn) return line
    return line
      .replace(email, found => this.#hash('email', found.toLowerCase()))
      .replace(address, found => (isPersonal(found) ? this.#hash('ip', found) : found))
  }

  /** Unless the operator has said: logs stay as they were where the service ran before it could hide anything. */
  async decide(db: Database, log_personal: boolean | undefined): Promise<void> {
    this.#isOn = log_personal === undefined ? await isNewInstallation(db) : !log_personal
  }

  #hash(kind: string, value: string): string {
    const [digest] = this.#vault.digests(value, digestFor.log)
    return `${kind}:${digest?.toString('hex', 0, 6)}`
  }
}

function isPersonal(candidate: string): boolean {
  return isIP(candidate) !== 0 && !isLoopback(candidate) && !ownAddresses.has(candidate)
}

/** A database that was new when it got the migration has it since the same moment as its first one. */
async function isNewInstallation(db: Database): Promise<boolean> {
  const [row] = await db.query<{ moments: number }>(
    `SELECT count(DISTINCT applied_at)::integer AS moments FROM schema_migrations
     WHERE name IN ('001-organizations.sql', '141-privacy.sql')`,
  )
  return row?.moments === 1
}
