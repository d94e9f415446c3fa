import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { isLocal, isLoopback } from '../network/loopback.ts'
import { ConfigError } from './config-error.ts'
import { defaultQuotas, type QuotaLimits } from './quotas.ts'
import { loadSecretKeys, type SecretKeys } from './secret-key.ts'
import { type Setting, settings } from './settings.ts'

type Environment = Record<string, string | undefined>

/** What the service runs with. Read once, then handed down. */
export type Config = Readonly<{
  host: string
  port: number
  /** Absent: the embedded PostgreSQL. */
  database_url?: string
  data_dir: string
  /** Connections to the database. */
  pool_size: number
  /** How many may wait for one. */
  pool_queue: number
  /** Seconds that they wait at most. */
  pool_wait: number
  /** Seconds. */
  statement_timeout: number
  public_url: string
  /** Newest first: the first encrypts, all decrypt. */
  secret_keys: SecretKeys
  demo: boolean
  log_level: string
  rate_limit: number
  organization_rate_limit: number
  turn_wait: number
  quotas: QuotaLimits
  whitelabel_default: boolean
  /** Addresses and networks that deliveries may go to although they are blocked otherwise. */
  webhook_allow: readonly string[]
  /** Where checkpoints of the audit chain are kept outside of the database. */
  checkpoint_dirs: readonly string[]
  /** Absent: mails are kept for the outbox page, on loopback only. */
  smtp_url?: string
  smtp_tls: 'required' | 'optional'
  mail_from: string
  signup: 'open' | 'invited'
  second_factor: 'optional' | 'required'
  hardening: 'standard' | 'strict'
  /** Absent: only the list that comes along. */
  password_list?: string
  trusted_proxies: readonly string[]
  /** Whom a service that is started as root becomes; absent: the account that is made for it. */
  run_as?: string
  /** Networks, in addition to this machine, that can see metrics and the details of readiness. */
  monitoring_networks: readonly string[]
}>

/** Reads the environment; makes the data folder and its secret key where the embedded database needs them. */
export function readConfig(env: Environment): Config {
  const host = readOrDefault(env, settings.host)
  const port = readOrDefault(env, settings.port)
  refuseSeveralHosts(env[settings.database_url.name] ?? '')
  const database_url = read(env, settings.database_url)
  const data_dir = read(env, settings.data_dir) ?? defaultDataDir(database_url)
  const public_url = read(env, settings.public_url) ?? defaultPublicUrl(host, port)
  const smtp_url = read(env, settings.smtp_url)
  const hardening = readOrDefault(env, settings.hardening)
  const password_list = read(env, settings.password_list)
  const run_as = read(env, settings.run_as)
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
    signup: read(env, settings.signup) ?? (isLocal({ host, public_url }) ? 'open' : 'invited'),
    second_factor: hardening === 'strict' ? 'required' : readOrDefault(env, settings.second_factor),
    hardening,
    ...(password_list && { password_list }),
    ...(run_as && { run_as }),
    trusted_proxies: read(env, settings.trusted_proxies) ?? [],
    monitoring_networks: read(env, settings.monitoring_networks) ?? [],
    demo: read(env, settings.demo) ?? (!database_url && isLoopback(host) && !public_url.startsWith('https:')),
    log_level: readOrDefault(env, settings.log_level),
    rate_limit,
    organization_rate_limit: read(env, settings.organization_rate_limit) ?? rate_limit * 2,
    turn_wait: readOrDefault(env, settings.turn_wait),
    quotas: read(env, settings.quotas) ?? defaultQuotas,
    whitelabel_default: readOrDefault(env, settings.whitelabel_default),
    webhook_allow: read(env, settings.webhook_allow) ?? [],
  }
  // Last, since it may write: a wrong value elsewhere leaves no trace on the disk.
  const secret_keys = read(env, settings.secret_keys) ?? defaultSecretKeys(data_dir, database_url)
  return Object.freeze({
    ...values,
    ...(database_url && { database_url }),
    checkpoint_dirs: read(env, settings.checkpoint_dirs) ?? [defaultCheckpointDir(data_dir, database_url)],
    secret_keys,
  })
}

function read<Value>(env: Environment, setting: Setting<Value>): Value | undefined {
  // An empty variable counts as absent: compose files and unit files write them so.
  const text = env[setting.name]?.trim()
  return text ? parse(text, setting) : undefined
}

function readOrDefault<Value>(env: Environment, setting: Setting<Value>): Value {
  return read(env, setting) ?? parse(setting.default, setting)
}

function parse<Value>(text: string, setting: Setting<Value>): Value {
  const value = setting.parse(text)
  if (value !== undefined) return value
  const found = setting.is_secret ? 'has a wrong value' : `is ${JSON.stringify(text)}`
  throw new ConfigError(`${setting.name} ${found}: it must be ${setting.expected}.`)
}

/** As in libpq they would be separated by commas, in the place of the host or in the query. */
function refuseSeveralHosts(url: string): void {
  if (!/^\w+:\/\/([^/?]*@)?[^/?]*,/.test(url) && !/[?&]host=[^&]*(,|%2c)/i.test(url)) return
  throw new ConfigError(
    'DATABASE_URL names several hosts: it must name one, the address that leads to the primary, such as that of a proxy or a service name.',
  )
}

/** The usual folder is that of the embedded database: who uses another database has one of its own beside it. */
function defaultDataDir(database_url: string | undefined): string {
  const usual =
    process.getuid?.() === 0
      ? '/var/lib/gatehouse'
      : join(resolve(import.meta.dirname, '../../../..'), 'data')
  return database_url ? `${usual}-${nameOf(database_url)}` : usual
}

/** Tells databases apart, and keeps to itself who signs in to them. */
function nameOf(database_url: string): string {
  const { host, pathname, searchParams } = new URL(database_url)
  const place = [host, pathname, searchParams.get('host'), searchParams.get('port')]
  return hash('sha256', JSON.stringify(place)).slice(0, 12)
}

/** With a database elsewhere the data folder may be another installation's, so the name says whose checkpoints these are. */
function defaultCheckpointDir(data_dir: string, database_url: string | undefined): string {
  if (!database_url) return join(data_dir, 'checkpoints')
  const { host, pathname, searchParams } = new URL(database_url)
  const place = `${searchParams.get('host') ?? host}${pathname}`
  return join(data_dir, `checkpoints-${hash('sha256', place).slice(0, 12)}`)
}

/** What goes to this machine does not leave it. */
function defaultSmtpTls(smtp_url: string | undefined): 'required' | 'optional' {
  const host = smtp_url && new URL(smtp_url).hostname.replace(/^\[|\]$/g, '')
  return host && isLoopback(host) ? 'optional' : 'required'
}

function defaultPublicUrl(host: string, port: number): string {
  const is_local = isLoopback(host) || host === '0.0.0.0' || host === '::'
  const name = is_local ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return `http://${name}:${port}`
}

function defaultSecretKeys(data_dir: string, database_url: string | undefined): SecretKeys {
  if (!database_url) return loadSecretKeys(data_dir)
  const { name, expected } = settings.secret_keys
  throw new ConfigError(`${name} is missing: with DATABASE_URL it must be set to ${expected}.`)
}
