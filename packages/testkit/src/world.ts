import { randomBytes } from 'node:crypto'
import {
  createApplication,
  createOrganization,
  installApplication,
  issueAccessToken,
  type Server,
  startServer,
} from '@gatehouse/server'
import { inject } from 'vitest'
import { ManualClock } from './clock.ts'
import { cloneDatabase } from './database.ts'

export interface WorldOptions {
  readonly rate_limit?: number
  readonly log_level?: string
}

/** An organization with an application that acts for it. */
export interface Tenant {
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly token: string
  /** Another token: of the same application unless one is given, with other scopes. */
  tokenWith(scopes: readonly string[], oauth_application_id?: string): Promise<string>
}

/** A service over a database of its own, with a clock that the test moves. */
export interface World extends AsyncDisposable {
  readonly url: string
  readonly database_url: string
  readonly clock: ManualClock
  readonly server: Server
  tenant(name?: string): Promise<Tenant>
}

export async function world(options: WorldOptions = {}): Promise<World> {
  const owned = new AsyncDisposableStack()
  const database = owned.use(await cloneDatabase(inject('databases')))
  const clock = new ManualClock()
  const server = owned.use(await startServer(configFor(database.url, options), { clock, jobs: false }))
  return {
    url: server.url,
    database_url: database.url,
    clock,
    server,
    tenant: name => createTenant(server, name ?? 'Test organization'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function configFor(database_url: string, options: WorldOptions) {
  return Object.freeze({
    host: '127.0.0.1',
    port: 0,
    database_url,
    data_dir: '/nonexistent',
    public_url: 'http://localhost:8080',
    secret_keys: [randomBytes(32)],
    demo: false,
    log_level: options.log_level ?? 'error',
    rate_limit: options.rate_limit ?? 0,
    whitelabel_default: true,
  })
}

async function createTenant({ context }: Server, name: string): Promise<Tenant> {
  const organization_id = await createOrganization(context, context.db, name)
  const oauth_application_id = await createApplication(context, context.db, `${name} integration`)
  await installApplication(context, context.db, organization_id, oauth_application_id, [
    'full_read_write',
    'offline',
  ])
  const tokenWith = (scopes: readonly string[], application = oauth_application_id) =>
    issueAccessToken(context, { organization_id, oauth_application_id: application, scopes })
  return { organization_id, oauth_application_id, token: await tokenWith(['full_read_write']), tokenWith }
}
