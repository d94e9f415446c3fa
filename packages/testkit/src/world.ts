import { randomBytes } from 'node:crypto'
import { addSeconds } from '@gatehouse-access/core'
import { type Client, createClient } from '@gatehouse-access/sdk'
import {
  type AppOptions,
  createApplication,
  createOrganization,
  type DeliveryOptions,
  defaultQuotas,
  type GatewayOptions,
  installApplication,
  issueAccessToken,
  type QuotaLimits,
  type Server,
  type ServerOptions,
  startServer,
} from '@gatehouse-access/server'
import { inject } from 'vitest'
import { ManualClock } from './clock.ts'
import { newDatabase } from './database.ts'
import { findFreePort } from './service.ts'
import { ManualTimers } from './timers.ts'

export interface WorldOptions {
  readonly rate_limit?: number
  readonly organization_rate_limit?: number
  /** Long by default: a busy machine would otherwise reject the concurrent requests of a test. */
  readonly turn_wait?: number
  /** Overrides of the default quotas. */
  readonly quotas?: Partial<QuotaLimits>
  readonly log_level?: string
  /** True: jobs run on their own schedule. */
  readonly jobs?: boolean
  /** Routes the database connection differently, for example through an unreliable network. */
  readonly route?: (database_url: string) => Promise<string>
  /** A database of the test's own, instead of a new one, and the keys that belong to it. */
  readonly database?: { readonly url: string; readonly secret_keys: SecretKeys }
  /** Where the log goes, and what reports an unavailable database in it. */
  readonly log?: ServerOptions['log']
  readonly absence?: ServerOptions['absence']
  /** True: events are delivered and sealed while the test runs. */
  readonly delivery?: boolean | DeliveryOptions
  readonly public_url?: string
  readonly webhook_allow?: readonly string[]
  readonly checkpoint_dirs?: readonly string[]
  readonly mail_from?: string
  readonly operator_email?: string
  /** Where mails go. Without it the service keeps them. */
  readonly smtp_url?: string
  readonly signup?: 'open' | 'invited'
  readonly second_factor?: 'optional' | 'required'
  readonly hardening?: 'standard' | 'strict'
  readonly password_list?: string
  readonly trusted_proxies?: readonly string[]
  readonly monitoring_networks?: readonly string[]
  /** Where traces and metrics go. */
  readonly otlp_endpoint?: string
  /** A folder with other zone data than the runtime's. */
  readonly tzdata_dir?: string
  /** Listens on the port of `public_url`, so that redirects and cookies work as for users. */
  readonly is_reachable?: boolean
  /** Shorter timeouts for devices. */
  readonly devices?: GatewayOptions
  /** Shorter timeouts for stream readers. */
  readonly http?: AppOptions
}

type SecretKeys = readonly [Buffer, ...Buffer[]]

/** An organization with an application that acts for it. */
export interface Tenant {
  readonly organization_id: string
  readonly oauth_application_id: string
  readonly token: string
  /** A client that uses `token`. */
  readonly client: Client
  /** Issues another token with other scopes, for the same application unless another is given. */
  tokenWith(scopes: readonly string[], oauth_application_id?: string): Promise<string>
  clientWith(scopes: readonly string[], oauth_application_id?: string): Client
}

/** A service with its own database, a clock that the test moves, and timers that it can advance. */
export interface World extends AsyncDisposable {
  readonly url: string
  readonly database_url: string
  readonly clock: ManualClock
  readonly timers: ManualTimers
  readonly server: Server
  tenant(name?: string): Promise<Tenant>
}

export async function world(options: WorldOptions = {}): Promise<World> {
  const owned = new AsyncDisposableStack()
  const database = options.database ?? owned.use(await newDatabase(inject('databases')))
  const clock = new ManualClock()
  const timers = new ManualTimers()
  const port = options.is_reachable ? await findFreePort() : 0
  const {
    delivery = false,
    jobs = false,
    devices = {},
    http = {},
    log,
    absence,
    public_url = `http://localhost:${port || 8080}`,
  } = options
  const url = (await options.route?.(database.url)) ?? database.url
  const config = { ...configFor(url, options), port, public_url }
  const told = { ...(log && { log }), ...(absence && { absence }) }
  const server = owned.use(
    await startServer(config, { clock, timers, jobs, delivery, devices, http, ...told }),
  )
  return {
    url: server.url,
    database_url: database.url,
    clock,
    timers,
    server,
    tenant: (name = 'Test organization') => createTenant(server, name),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function configFor(database_url: string, options: WorldOptions) {
  return Object.freeze({
    host: '127.0.0.1',
    port: 0,
    database_url,
    data_dir: '/nonexistent',
    pool_size: 10,
    pool_queue: 1000,
    // Long, because a busy machine would otherwise fail what a test asks for. An unreliable network needs the usual.
    ...(options.route ? { pool_wait: 5, statement_timeout: 20 } : { pool_wait: 60, statement_timeout: 120 }),
    webhook_allow: options.webhook_allow ?? [],
    checkpoint_dirs: options.checkpoint_dirs ?? [],
    secret_keys: options.database?.secret_keys ?? ([randomBytes(32)] as const),
    demo: false,
    log_level: options.log_level ?? 'error',
    rate_limit: options.rate_limit ?? 0,
    organization_rate_limit: options.organization_rate_limit ?? (options.rate_limit ?? 0) * 2,
    turn_wait: options.turn_wait ?? 120_000,
    quotas: { ...defaultQuotas, ...options.quotas },
    whitelabel_default: true,
    mail_from: options.mail_from ?? 'Gatehouse <gatehouse@localhost>',
    ...(options.operator_email && { operator_email: options.operator_email }),
    smtp_tls: 'optional' as const,
    ...(options.smtp_url && { smtp_url: options.smtp_url }),
    signup: options.signup ?? ('open' as const),
    second_factor: options.second_factor ?? (options.hardening === 'strict' ? 'required' : 'optional'),
    hardening: options.hardening ?? ('standard' as const),
    ...(options.password_list && { password_list: options.password_list }),
    ...(options.otlp_endpoint && { otlp_endpoint: options.otlp_endpoint }),
    ...(options.tzdata_dir && { tzdata_dir: options.tzdata_dir }),
    traces_sampled: 1,
    trusted_proxies: options.trusted_proxies ?? [],
    monitoring_networks: options.monitoring_networks ?? [],
    restore_confirm: 'ask' as const,
  })
}

async function createTenant({ context, url }: Server, name: string): Promise<Tenant> {
  const organization_id = await createOrganization(context, context.db, name)
  const oauth_application_id = await createApplication(context, context.db, `${name} integration`)
  await installApplication(context, context.db, organization_id, oauth_application_id, [
    'full_read_write',
    'offline',
  ])
  const tokenWith = async (scopes: readonly string[], application = oauth_application_id) => {
    if (application !== oauth_application_id)
      await installApplication(context, context.db, organization_id, application, scopes)
    return issueAccessToken(context, { organization_id, oauth_application_id: application, scopes })
  }
  const token = await tokenWith(['full_read_write'])
  const clientWith = (scopes: readonly string[], application?: string) =>
    createClient({
      base_url: `${url}/v2`,
      retries: 0,
      token: freshTokens(context, () => tokenWith(scopes, application)),
    })
  return {
    organization_id,
    oauth_application_id,
    token,
    client: clientWith(['full_read_write']),
    tokenWith,
    clientWith,
  }
}

/** Returns a token that is renewed when the world's clock has passed most of its hour. */
function freshTokens({ clock }: Server['context'], make: () => Promise<string>): () => Promise<string> {
  let token: Promise<string> | undefined
  let until = ''
  return () => {
    if (token === undefined || clock.now() > until) {
      until = addSeconds(clock.now(), 3000)
      token = make()
    }
    return token
  }
}
