import { type Config, connect, defaultQuotas, type Pool, systemClock } from '@gatehouse-access/server'
import { cloneDatabase, type TestDatabases } from '@gatehouse-access/testkit'
import { Quotas } from '../../packages/server/src/store/counts/quotas.ts'
import { openVault, type Vault } from '../../packages/server/src/vault/vault.ts'
import { openZones } from '../../packages/server/src/zones/open-zones.ts'
import type { ZoneTables } from '../../packages/server/src/zones/zone-data.ts'
import type { ForgetfulDatabase } from './forgetful-database.ts'

/** A database in which seeds run one after another, each in its own organization. */
export interface Lane extends AsyncDisposable {
  readonly db: Pool
  readonly config: Config
  readonly vault: Vault
  readonly quotas: Quotas
  /** Of the year of the night. Shared, because it takes milliseconds to find the changes of a zone. */
  readonly zones: ZoneTables
}

/** A lane whose database can crash. */
export interface ForgetfulLane extends Omit<Lane, 'db'> {
  readonly db: ForgetfulDatabase
}

export async function openLane(databases: TestDatabases, night: string): Promise<Lane> {
  const owned = new AsyncDisposableStack()
  const database = owned.use(await cloneDatabase(databases))
  const db = owned.use(connect({ url: database.url }, 4))
  await db.query('SELECT make_event_partition($1::date)', [night.slice(0, 10)])
  const secret_keys = [Buffer.alloc(32, 7)]
  const config = { secret_keys, whitelabel_default: true } as unknown as Config
  return {
    db,
    config,
    vault: openVault(secret_keys),
    quotas: new Quotas(defaultQuotas, systemClock),
    zones: openZones({}, { now: () => night }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
