import { type Config, connect, defaultQuotas, type Pool, systemClock } from '@gatehouse-access/server'
import { cloneDatabase, type TestDatabases } from '@gatehouse-access/testkit'
import { Quotas } from '../../packages/server/src/store/quotas.ts'
import { openVault, type Vault } from '../../packages/server/src/vault/vault.ts'
import type { ForgetfulDatabase } from './forgetful-database.ts'

/** A database in which seeds run one after another, each in its own organization. */
export interface Lane extends AsyncDisposable {
  readonly db: Pool
  readonly config: Config
  readonly vault: Vault
  readonly quotas: Quotas
}

/** A lane whose database can crash. */
export interface ForgetfulLane extends Omit<Lane, 'db'> {
  readonly db: ForgetfulDatabase
}

export async function openLane(databases: TestDatabases, month: string): Promise<Lane> {
  const owned = new AsyncDisposableStack()
  const database = owned.use(await cloneDatabase(databases))
  const db = owned.use(connect({ url: database.url }, 4))
  await db.query('SELECT make_event_partition($1::date)', [month])
  const secret_keys = [Buffer.alloc(32, 7)]
  const config = { secret_keys, whitelabel_default: true } as unknown as Config
  return {
    db,
    config,
    vault: openVault(secret_keys),
    quotas: new Quotas(defaultQuotas, systemClock),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
