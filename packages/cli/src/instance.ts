import {
  type Config,
  connect,
  connectionsOf,
  findConnection,
  type Pool,
  readConfig,
  systemClock,
} from '@gatehouse-access/server'
import { CommandError } from './command.ts'

/** The database of an instance, open while a command runs. */
export interface Instance extends AsyncDisposable {
  readonly config: Config
  readonly db: Pool
  readonly clock: typeof systemClock
}

/** Reads the settings without the keys. Reading the keys would create a key file if there is none. */
export function readPlainConfig(env: NodeJS.ProcessEnv): Config {
  const unused = Buffer.alloc(32).toString('base64')
  return readConfig({ ...env, GATEHOUSE_SECRET_KEY: unused })
}

/** Connects to the database of the instance that the environment selects. It must be running. */
export async function openInstance(env: NodeJS.ProcessEnv): Promise<Instance> {
  const config = readPlainConfig(env)
  const db = connect(connectionsOf(config)?.direct ?? findConnection(config.data_dir), 4)
  try {
    await db.query('SELECT 1')
  } catch (cause) {
    await db[Symbol.asyncDispose]()
    throw new CommandError(explainAway(config, cause as NodeJS.ErrnoException), { cause })
  }
  return { config, db, clock: systemClock, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
}

/** Like `openInstance`, but also requires the tables to exist. */
export async function openMigrated(env: NodeJS.ProcessEnv): Promise<Instance> {
  const instance = await openInstance(env)
  const [row] = await instance.db.query<{ found: string | null }>(
    `SELECT to_regclass('schema_migrations')::text AS found`,
  )
  if (row?.found) return instance
  await instance[Symbol.asyncDispose]()
  throw new CommandError('The database has no tables yet: run gatehouse migrate, or start the service once.')
}

function explainAway({ database_url, data_dir }: Config, error: NodeJS.ErrnoException): string {
  const reason = error.code ?? error.message
  if (database_url) return `The database of DATABASE_URL cannot be used: ${error.message || reason}.`
  if (error.code === 'EACCES')
    return `The database in ${data_dir} belongs to another user: run the command as the user who started the service.`
  return `No instance is running in ${data_dir} (${reason}): start it with npm start or gatehouse serve, or name another with GATEHOUSE_DATA_DIR or DATABASE_URL.`
}
