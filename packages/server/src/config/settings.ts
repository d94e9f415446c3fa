import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isNetwork } from '../network/networks.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { mailSettings } from './mail-settings.ts'
import { parseQuotas, type QuotaLimits } from './quotas.ts'
import { parseSecretKeys, type SecretKeys } from './secret-key.ts'
import { parseWhole, type Setting } from './setting.ts'
import { tlsSettings } from './tls-settings.ts'

const log_levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const settings = {
  port: {
    name: 'PORT',
    default: '8080',
    meaning: 'TCP port to listen on. 0 takes any free port.',
    expected: 'a whole number from 0 to 65535',
    parse: text => parseWhole(text, 65_535),
  } satisfies Setting<number>,
  host: {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on. `0.0.0.0` or `::` for all addresses.',
    expected: 'an IP address or a host name',
    parse: text => (/^[\w.:-]+$/.test(text) ? text : undefined),
  } satisfies Setting<string>,
  database_url: {
    name: 'DATABASE_URL',
    default: '(the embedded PostgreSQL)',
    meaning:
      'Your own PostgreSQL, version 15 or newer. May name several hosts, of which the primary is used ([high availability](high-availability.md)).',
    expected: 'a URL that begins with postgres:// or postgresql://',
    parse: parseDatabaseUrl,
    is_secret: true,
  } satisfies Setting<string>,
  database_direct_url: {
    name: 'DATABASE_DIRECT_URL',
    default: '(DATABASE_URL)',
    meaning:
      'The same PostgreSQL without the pooler, if DATABASE_URL leads through one that gives each transaction another connection (PgBouncer with `pool_mode = transaction`). Each process keeps two connections there.',
    expected: 'a URL that begins with postgres:// or postgresql://',
    parse: parseDatabaseUrl,
    is_secret: true,
  } satisfies Setting<string>,
  database_read_url: {
    name: 'DATABASE_READ_URL',
    default: '(none: everything is read from the primary)',
    meaning:
      'Standbys that lists and exports of events are read from, as long as they have everything that was acknowledged ([high availability](high-availability.md#reads-from-standbys)).',
    expected: 'a URL that begins with postgres:// or postgresql://',
    parse: parseDatabaseUrl,
    is_secret: true,
  } satisfies Setting<string>,
  pool_size: {
    name: 'GATEHOUSE_POOL_SIZE',
    default: '10',
    meaning:
      'Connections to the database, in addition to one that listens, up to four for what changes of doors ask within their transactions and, with the embedded one, up to eight for jobs. Statements share them; transactions use at most four in five.',
    expected: 'a whole number from 2 to 500',
    parse: text => parseWhole(text, 500, 2),
  } satisfies Setting<number>,
  pool_queue: {
    name: 'GATEHOUSE_POOL_QUEUE',
    default: '1000',
    meaning:
      'How many statements, and how many transactions, can wait for a connection. Further ones get 503 immediately.',
    expected: 'a whole number from 1 to 100000',
    parse: text => parseWhole(text, 100_000, 1),
  } satisfies Setting<number>,
  pool_wait: {
    name: 'GATEHOUSE_POOL_WAIT',
    default: '5',
    meaning: 'Seconds that they wait for a connection before they get 503.',
    expected: 'a whole number from 1 to 600',
    parse: text => parseWhole(text, 600, 1),
  } satisfies Setting<number>,
  statement_timeout: {
    name: 'GATEHOUSE_STATEMENT_TIMEOUT',
    default: '20',
    meaning: 'Seconds after which the database cancels a statement.',
    expected: 'a whole number from 1 to 3600',
    parse: text => parseWhole(text, 3600, 1),
  } satisfies Setting<number>,
  data_dir: {
    name: 'GATEHOUSE_DATA_DIR',
    default:
      '(`data` in the checkout, `~/.local/share/gatehouse` if installed by npm; as root `/var/lib/gatehouse`; with DATABASE_URL a folder next to it, named after the database)',
    meaning: 'Folder of the embedded database, its log and the secret key.',
    expected: 'a path',
    parse: text => resolve(text),
  } satisfies Setting<string>,
  old_postgres_dir: {
    name: 'GATEHOUSE_OLD_POSTGRES',
    default: '(those that the release brings, that a service started as root has copied, or of Debian)',
    meaning:
      'Folder with the programs of the PostgreSQL major version that made the embedded database, if this release brings a newer one ([operations](operations.md#a-new-major-version-of-postgresql)).',
    expected: 'a path',
    parse: text => resolve(text),
  } satisfies Setting<string>,
  tzdata_dir: {
    name: 'GATEHOUSE_TZDATA',
    default: '(the time zones of the runtime)',
    meaning:
      'Folder with another release of the time zone database, compiled or as IANA source ([operations](operations.md#time-zones)).',
    expected: 'a path',
    parse: text => resolve(text),
  } satisfies Setting<string>,
  public_url: {
    name: 'GATEHOUSE_PUBLIC_URL',
    default: '(`http://localhost:PORT`, or with HOST if other machines use it to reach the service)',
    meaning: 'Public URL of the service. The API is at this URL followed by `/v2`.',
    expected: 'an http or https URL without path, query or user',
    parse: parseOrigin,
  } satisfies Setting<string>,
  secret_keys: {
    name: 'GATEHOUSE_SECRET_KEY',
    default: '(created once as `secret-key` in the data folder; required with DATABASE_URL)',
    meaning:
      'Encrypts PINs, links and other secrets at rest. Give several keys newest first: the first encrypts, all decrypt.',
    expected: '32 bytes in base64, or several such keys separated by commas',
    parse: parseSecretKeys,
    is_secret: true,
  } satisfies Setting<SecretKeys>,
  demo: {
    name: 'GATEHOUSE_DEMO',
    default:
      '(`true` with the embedded database on a loopback HOST and without https in the public URL, else `false`)',
    meaning: 'Seed demo data on the first start, and print how to sign in.',
    expected: 'true or false',
    parse: parseBoolean,
  } satisfies Setting<boolean>,
  log_level: {
    name: 'GATEHOUSE_LOG_LEVEL',
    default: 'info',
    meaning: 'Lowest level that is logged.',
    expected: `one of ${log_levels.join(', ')}`,
    parse: text => log_levels.find(level => level === text),
  } satisfies Setting<string>,
  log_personal: {
    name: 'GATEHOUSE_LOG_PERSONAL',
    default: '(`false`; `true` in installations that are older than this setting)',
    meaning:
      'Whether the log shows email and IP addresses. If not, it has keyed hashes in their place ([privacy](privacy.md#the-log)).',
    expected: 'true or false',
    parse: parseBoolean,
  } satisfies Setting<boolean>,
  otlp_endpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '(none)',
    meaning:
      'Where to send traces and metrics over OTLP/HTTP, such as `http://localhost:4318`. Other standard variables apply too ([operations](operations.md)).',
    expected: 'a URL that begins with http:// or https://',
    parse: text => (/^https?:\/\/./.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : undefined),
    is_secret: true,
  } satisfies Setting<string>,
  traces_sampled: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    meaning:
      'The share of traces that is sent, if they begin here. A request with a `traceparent` brings the decision of its caller.',
    expected: 'a number from 0 to 1, such as 0.05',
    parse: text => (/^(0|1|[01]?\.\d{1,9})$/.test(text) && Number(text) <= 1 ? Number(text) : undefined),
  } satisfies Setting<number>,
  rate_limit: {
    name: 'GATEHOUSE_RATE_LIMIT',
    default: '500',
    meaning:
      'Requests per second for each application in an organization and for each user, however many tokens they hold, and for each address that is not identified yet. 0 turns all limits off.',
    expected: 'a whole number from 0 to 1000000',
    parse: text => parseWhole(text, 1_000_000),
  } satisfies Setting<number>,
  organization_rate_limit: {
    name: 'GATEHOUSE_ORGANIZATION_RATE_LIMIT',
    default: '(twice `GATEHOUSE_RATE_LIMIT`)',
    meaning: 'Requests per second for each organization, for all its applications and users together.',
    expected: 'a whole number from 1 to 1000000',
    parse: text => parseWhole(text, 1_000_000) || undefined,
  } satisfies Setting<number>,
  turn_wait: {
    name: 'GATEHOUSE_TURN_WAIT',
    default: '600',
    meaning:
      'Milliseconds that a request can wait for its turn. If more arrive than can be served in time, the newest get 503 with `Retry-After`.',
    expected: 'a whole number from 1 to 600000',
    parse: text => parseWhole(text, 600_000) || undefined,
  } satisfies Setting<number>,
  quotas: {
    name: 'GATEHOUSE_QUOTAS',
    default: '(the [quotas](#quotas) below)',
    meaning: 'Other quotas for kinds of objects: `member=50000,user.organization=3`.',
    expected: 'names of quotas with a whole number each, like site=100,user.organization=3',
    parse: parseQuotas,
  } satisfies Setting<QuotaLimits>,
  whitelabel_default: {
    name: 'GATEHOUSE_WHITELABEL_DEFAULT',
    default: 'true',
    meaning: 'Whether new organizations have the whitelabel feature.',
    expected: 'true or false',
    parse: parseBoolean,
  } satisfies Setting<boolean>,
  webhook_allow: {
    name: 'GATEHOUSE_WEBHOOK_ALLOW',
    default: '(none; loopback while HOST and the public URL are loopback)',
    meaning: 'Private and other special addresses that webhooks can use anyway: `10.1.0.0/16,192.168.1.7`.',
    expected: 'IP addresses or networks like 10.1.0.0/16, separated by commas',
    parse: parseNetworks,
  } satisfies Setting<readonly string[]>,
  checkpoint_dirs: {
    name: 'GATEHOUSE_CHECKPOINT_DIR',
    default:
      '(`checkpoints` in the data folder; with DATABASE_URL a folder there that is named after the database)',
    meaning:
      'Folders outside the database for the signed checkpoints of the audit chain, separated by commas. Each process can have its own ([audit](audit.md)).',
    expected: 'a path, or several separated by commas',
    parse: parsePaths,
  } satisfies Setting<readonly string[]>,
  backup_dir: {
    name: 'GATEHOUSE_BACKUP_DIR',
    default: '(none: no backups are made)',
    meaning:
      'Folder for [backups](backup.md), preferably on another disk or machine: a mount, or what a tool copies away.',
    expected: 'a path',
    parse: text => resolve(text),
  } satisfies Setting<string>,
  backup_hook: {
    name: 'GATEHOUSE_BACKUP_HOOK',
    default: '(none)',
    meaning: 'Command that is run after each file in the backup folder, with its path as the last argument.',
    expected: 'a shell command',
    parse: text => text,
  } satisfies Setting<string>,
  ...mailSettings,
  signup: {
    name: 'GATEHOUSE_SIGNUP',
    default: '(`open` if only this machine can reach the service, otherwise `invited`)',
    meaning: 'Who can sign up: everyone, or only people who were invited.',
    expected: 'open or invited',
    parse: text => (['open', 'invited'] as const).find(choice => choice === text),
  } satisfies Setting<'open' | 'invited'>,
  second_factor: {
    name: 'GATEHOUSE_SECOND_FACTOR',
    default: 'optional',
    meaning:
      'Whether users need a passkey or an authenticator app to act for any organization. Otherwise each organization decides.',
    expected: 'optional or required',
    parse: text => (['optional', 'required'] as const).find(choice => choice === text),
  } satisfies Setting<'optional' | 'required'>,
  hardening: {
    name: 'GATEHOUSE_HARDENING',
    default: 'standard',
    meaning:
      '`strict`: a second factor for everyone, PKCE for every application, authorization codes valid for 10 minutes, no repeated refresh, a sign-in before anyone is sent to an application, authenticator app codes only within their own 30 seconds ([security](security.md)).',
    expected: 'standard or strict',
    parse: text => (['standard', 'strict'] as const).find(choice => choice === text),
  } satisfies Setting<'standard' | 'strict'>,
  password_list: {
    name: 'GATEHOUSE_PASSWORD_LIST',
    default: '(only the built-in list)',
    meaning: 'File of leaked passwords, one per line, that no one can choose.',
    expected: 'the path of a file',
    parse: text => (existsSync(resolve(text)) ? resolve(text) : undefined),
  } satisfies Setting<string>,
  run_as: {
    name: 'GATEHOUSE_RUN_AS',
    default:
      '(if started as root: `gatehouse`, which is created if it is missing; otherwise the user who starts it)',
    meaning: 'Account that a service started as root switches to before it listens; `root` to stay root.',
    expected: 'the name of an account, or root',
    parse: text => (/^[A-Za-z_][\w.-]*$/.test(text) ? text : undefined),
  } satisfies Setting<string>,
  monitoring_networks: {
    name: 'GATEHOUSE_MONITORING_NETWORKS',
    default: '(none)',
    meaning:
      "Networks, in addition to loopback, that can read `/metrics` and the details of `/readyz`. Behind a proxy of GATEHOUSE_TRUSTED_PROXIES, the caller's address counts.",
    expected: 'addresses or networks like 10.0.0.0/8, separated by commas',
    parse: parseNetworks,
  } satisfies Setting<readonly string[]>,
  restore_confirm: {
    name: 'GATEHOUSE_RESTORE_CONFIRM',
    default: 'ask',
    meaning:
      'For tests. `auto`: a restored service confirms itself when it starts, instead of waiting for `gatehouse restore confirm`.',
    expected: 'ask or auto',
    parse: text => (['ask', 'auto'] as const).find(choice => choice === text),
  } satisfies Setting<'ask' | 'auto'>,
  trusted_proxies: {
    name: 'GATEHOUSE_TRUSTED_PROXIES',
    default: '(none)',
    meaning: "Proxies whose `X-Forwarded-For` gives the caller's address.",
    expected: 'addresses or networks like 10.0.0.0/8, separated by commas',
    parse: parseNetworks,
  } satisfies Setting<readonly string[]>,
  ...tlsSettings,
}

/** All settings as a Markdown table. */
export function describeSettings(): string {
  const rows = Object.values(settings).map(
    setting => `| \`${setting.name}\` | ${describeDefault(setting.default)} | ${setting.meaning} |`,
  )
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

function describeDefault(text: string): string {
  return text.startsWith('(') ? text.slice(1, -1) : `\`${text}\``
}

function parseBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}

function parseNetworks(text: string): readonly string[] | undefined {
  const networks = text.split(',').map(entry => entry.trim())
  return networks.every(isNetwork) ? networks : undefined
}

function parsePaths(text: string): readonly string[] | undefined {
  const paths = text.split(',').map(path => path.trim())
  return paths.every(Boolean) ? paths.map(path => resolve(path)) : undefined
}

function parseOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const is_origin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return is_origin ? url.origin : undefined
}
