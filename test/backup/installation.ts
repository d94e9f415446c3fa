import { createClient } from '@gatehouse-access/sdk'
import {
  createApplication,
  createOrganization,
  installApplication,
  issueAccessToken,
  readConfig,
  type Server,
  type ServerOptions,
  startServer,
} from '@gatehouse-access/server'
import { type DataFolder, makeDataFolder, makeEmptyFolder } from '@gatehouse-access/testkit'
import { gatehouse, type Said } from '../../packages/cli/test/gatehouse.ts'

/** A data folder with an embedded database, and a folder for its backups. */
export interface Installation extends AsyncDisposable {
  readonly data: DataFolder
  readonly backups: string
  readonly env: Record<string, string>
  readonly recovery_key: string
  run(args: readonly string[], input?: string): Promise<Said>
  start(options?: ServerOptions): Promise<Server>
}

/** Makes an installation with a recovery key. `backups` is a folder of the caller. */
export async function makeInstallation(backups?: string): Promise<Installation> {
  const owned = new AsyncDisposableStack()
  const data = owned.use(await makeDataFolder())
  const folder = backups ?? owned.use(await makeEmptyFolder()).path
  const env = environmentOf(data.path, folder)
  const run = (args: readonly string[], input = '') => gatehouse(args, env, input)
  const made = await run(['backup', 'key'])
  return {
    data,
    backups: folder,
    env,
    recovery_key: made.stdout.split('\n', 1)[0] ?? '',
    run,
    start: options => startQuickly(env, options),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export function environmentOf(data_dir: string, backup_dir?: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    GATEHOUSE_DATA_DIR: data_dir,
    ...(backup_dir && { GATEHOUSE_BACKUP_DIR: backup_dir }),
    GATEHOUSE_DEMO: 'false',
    GATEHOUSE_LOG_LEVEL: 'fatal',
    GATEHOUSE_RATE_LIMIT: '0',
    PORT: '0',
  }
}

/** Starts a service that archives its log often. */
export function startQuickly(env: Record<string, string>, options: ServerOptions = {}): Promise<Server> {
  return startServer(readConfig(env), {
    backups: { archive: 400, look: 400, retry: 200, drills: false, gives_way: false },
    ...options,
  })
}

/** Returns a client of a new organization. */
export async function newClient({ context, url }: Server) {
  const organization_id = await createOrganization(context, context.db, 'Hotel')
  const oauth_application_id = await createApplication(context, context.db, 'Desk')
  const scopes = ['full_read_write']
  await installApplication(context, context.db, organization_id, oauth_application_id, scopes)
  return clientFor({ context, url }, { organization_id, oauth_application_id })
}

export async function clientFor(
  { context, url }: Pick<Server, 'context' | 'url'>,
  ids: { organization_id: string; oauth_application_id: string },
) {
  const token = await issueAccessToken(context, { ...ids, scopes: ['full_read_write'] })
  return { ...ids, client: createClient({ base_url: `${url}/v2`, token, retries: 0 }) }
}

/** Returns the ids of what is listed of a kind, the oldest first. */
export async function listIds(house: Installation, kind: string): Promise<string[]> {
  const { stdout } = await house.run(['backup', 'list', '--json'])
  return JSON.parse(stdout || '[]').flatMap((entry: { id: string; kind: string }) =>
    entry.kind === kind ? [entry.id] : [],
  )
}
