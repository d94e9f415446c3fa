import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { isLocal, isLoopback } from '../network/loopback.ts'
import { ConfigError } from './config-error.ts'
import { placeOf } from './database-url.ts'
import { usualDataDir } from './place.ts'
import { defaultQuotas, type QuotaLimits } from './quotas.ts'
import { loadSecretKeys, type SecretKeys } from './secret-key.ts'
import { type Environment, read, readOrDefault } from './setting.ts'
import { settings } from './settings.ts'
import { readTls, type Tls } from './tls.ts'

/** The configuration. Read once at start, then passed down. */
export type Config = Readonly<{
  host: string
  port: number
  /** The embedded PostgreSQL if absent. */
  database_url?: string
  /** Leads past the pooler of `database_url`, for what needs a session: notifications, locks, migrations. */
  database_direct_url?: string
  /** Standbys, for reads that need no lock. The primary if absent. */
  database_read_url?: string
  data_dir: string
  /** Programs of the PostgreSQL that made the embedded database, if this release brings another. */
  old_postgres_dir?: string
  /** Another release of the time zone database. That of the runtime if absent. */
  tzdata_dir?: string
  pool_size: number
  /** The most statements, and the most transactions, that can wait for a connection. */
  pool_queue: number
  /** The longest wait for a connection, in seconds. */
  pool_wait: number
  /** In seconds. */
  statement_timeout: number
  public_url: string
  /** Newest first: the first encrypts, all decrypt. */
  secret_keys: SecretKeys
  demo: boolean
  log_level: string
  /** Whether the log shows email and IP addresses. If absent, in installations from before it could hide them. */
  log_personal?: boolean
  rate_limit: number
  organization_rate_limit: number
  turn_wait: number
  quotas: QuotaLimits
  whitelabel_default: boolean
  /** Otherwise blocked addresses and networks that webhooks can deliver to. */
  webhook_allow: readonly string[]
  /** Folders for audit chain checkpoints, outside of the database. */
  checkpoint_dirs: readonly string[]
  /** If absent, no backups are made. */
  backup_dir?: string
  backup_hook?: string
  /** If absent, emails are kept for the outbox page, on loopback only. */
  smtp_url?: string
  smtp_tls: 'required' | 'optional'
  mail_from: string
  /** Who is told what is wrong with the installation itself. Nobody if absent. */
  operator_email?: string
  signup: 'open' | 'invited'
  second_factor: 'optional' | 'required'
  hardening: 'standard' | 'strict'
  /** If absent, only the built-in list is used. */
  password_list?: string
  /** Where traces and metrics go. */
  otlp_endpoint?: string
  traces_sampled: number
  trusted_proxies: readonly string[]
  /** The account that a service started as root switches to. If absent, the service picks or creates one. */
  run_as?: string
  /** Networks, in addition to this machine, that can read metrics and readiness details. */
  monitoring_networks: readonly string[]
  /** If absent, a proxy ends TLS. */
  tls?: Tls
  /** Whether a restore waits for `gatehouse restore confirm`. */
  restore_confirm: 'ask' | 'auto'
}>

/** Reads the environment. Creates the data folder and its secret key if the embedded database needs them. */
export function readConfig(env: Environment): Config {
  const host = readOrDefault(env, settings.host)
  const port = readOrDefault(env, settings.port)
  const database_url = read(env, settings.database_url)
  const others = readOtherUrls(env, database_url)
  const data_dir = read(env, settings.data_dir) ?? defaultDataDir(database_url)
  const scheme = readOrDefault(env, settings.tls) === 'off' ? 'http' : 'https'
  const public_url = read(env, settings.public_url) ?? defaultPublicUrl(scheme, host, port)
  const tls = readTls(env, { public_url, port })
  const smtp_url = read(env, settings.smtp_url)
  const operator_email = read(env, settings.operator_email) ?? read(env, settings.acme_email)
  const hardening = readOrDefault(env, settings.hardening)
  const password_list = read(env, settings.password_list)
  const otlp_endpoint = read(env, settings.otlp_endpoint)
  const run_as = read(env, settings.run_as)
  const backup_dir = read(env, settings.backup_dir)
  const backup_hook = read(env, settings.backup_hook)
  const old_postgres_dir = read(env, settings.old_postgres_dir)
  const tzdata_dir = read(env, settings.tzdata_dir)
  const log_personal = read(env, settings.log_personal)
  const rate_limit = readOrDefault(env, settings.rate_limit)
  const values = {
    host,
    port,
    data_dir,
    pool_size: readOrDefault(env, settings.pool_size),
    pool_queue: readOrDefault(env, settings.pool_queue),
    pool_wait: readOrDefault(env, settings.pool_wait),
    statement_timeout: readOrDefault(env, settings.statement_timeout),
    public_url,
    ...(smtp_url && { smtp_url }),
    smtp_tls: read(env, settings.smtp_tls) ?? defaultSmtpTls(smtp_url),
    mail_from: readOrDefault(env, settings.mail_from),
    ...(operator_email && { operator_email }),
    signup: read(env, settings.signup) ?? (isLocal({ host, public_url }) ? 'open' : 'invited'),
    second_factor: hardening === 'strict' ? 'required' : readOrDefault(env, settings.second_factor),
    hardening,
    ...(password_list && { password_list }),
    ...(run_as && { run_as }),
    ...(otlp_endpoint && { otlp_endpoint }),
    traces_sampled: readOrDefault(env, settings.traces_sampled),
    ...(tls && { tls }),
    ...(backup_dir && { backup_dir }),
    ...(backup_hook && { backup_hook }),
    ...(old_postgres_dir && { old_postgres_dir }),
    ...(tzdata_dir && { tzdata_dir }),
    trusted_proxies: read(env, settings.trusted_proxies) ?? [],
    monitoring_networks: read(env, settings.monitoring_networks) ?? [],
    restore_confirm: readOrDefault(env, settings.restore_confirm),
    demo: read(env, settings.demo) ?? (!database_url && isLoopback(host) && !public_url.startsWith('https:')),
    log_level: readOrDefault(env, settings.log_level),
    ...(log_personal !== undefined && { log_personal }),
    rate_limit,
    organization_rate_limit: read(env, settings.organization_rate_limit) ?? rate_limit * 2,
    turn_wait: readOrDefault(env, settings.turn_wait),
    quotas: read(env, settings.quotas) ?? defaultQuotas,
    whitelabel_default: readOrDefault(env, settings.whitelabel_default),
    webhook_allow: read(env, settings.webhook_allow) ?? [],
  }
  // Last, because it may write: an invalid value elsewhere must leave nothing on disk.
  const secret_keys = read(env, settings.secret_keys) ?? defaultSecretKeys(data_dir, database_url)
  return Object.freeze({
    ...values,
    ...(database_url && { database_url }),
    ...others,
    checkpoint_dirs: read(env, settings.checkpoint_dirs) ?? [defaultCheckpointDir(data_dir, database_url)],
    secret_keys,
  })
}

function readOtherUrls(
  env: Environment,
  database_url: string | undefined,
): Pick<Config, 'database_direct_url' | 'database_read_url'> {
  const database_direct_url = read(env, settings.database_direct_url)
  const database_read_url = read(env, settings.database_read_url)
  const lonely = database_direct_url
    ? settings.database_direct_url
    : database_read_url && settings.database_read_url
  if (lonely && !database_url)
    throw new ConfigError(`${lonely.name} is set without DATABASE_URL: set both, or neither.`)
  return {
    ...(database_direct_url && { database_direct_url }),
    ...(database_read_url && { database_read_url }),
  }
}

/** The usual folder belongs to the embedded database. Any other database gets its own folder next to it. */
function defaultDataDir(database_url: string | undefined): string {
  const usual = usualDataDir()
  return database_url ? `${usual}-${nameOf(database_url)}` : usual
}

/** Identifies a database without its credentials. */
function nameOf(database_url: string): string {
  const { hosts, rest } = placeOf(database_url)
  return hash('sha256', JSON.stringify([hosts, ...rest])).slice(0, 12)
}

/** With DATABASE_URL, another installation may own the data folder, so the name identifies the database. */
function defaultCheckpointDir(data_dir: string, database_url: string | undefined): string {
  if (!database_url) return join(data_dir, 'checkpoints')
  const { hosts, rest } = placeOf(database_url)
  const place = `${rest[1] ?? hosts}${rest[0]}`
  return join(data_dir, `checkpoints-${hash('sha256', place).slice(0, 12)}`)
}

/** TLS is optional for a local server, since emails to it do not leave this machine. */
function defaultSmtpTls(smtp_url: string | undefined): 'required' | 'optional' {
  const host = smtp_url && new URL(smtp_url).hostname.replace(/^\[|\]$/g, '')
  return host && isLoopback(host) ? 'optional' : 'required'
}

function defaultPublicUrl(scheme: string, host: string, port: number): string {
  const is_local = isLoopback(host) || host === '0.0.0.0' || host === '::'
  const name = is_local ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return new URL(`${scheme}://${name}:${port}`).origin
}

function defaultSecretKeys(data_dir: string, database_url: string | undefined): SecretKeys {
  if (!database_url) return loadSecretKeys(data_dir)
  const { name, expected } = settings.secret_keys
  throw new ConfigError(`${name} is missing: with DATABASE_URL it must be set to ${expected}.`)
}
