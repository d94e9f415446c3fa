import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { getCACertificates } from 'node:tls'
import { splitHosts } from '../../../config/database-url.ts'
import { StartError } from '../../../config/start-error.ts'
import { messageOf } from '../../../flow/failures.ts'
import { present } from '../../../flow/present.ts'
import { decode, type Host, readHosts } from './hosts.ts'

export interface UrlOptions {
  /** May name several hosts. The one that `target_session_attrs` asks for is used. */
  readonly url: string
  /** The setting that the URL comes from, for messages. */
  readonly setting?: string
  /** Leads through a pooler that assigns each transaction another connection, so that sessions keep nothing. */
  readonly is_pooled?: boolean
  /** Only reads, so that a standby will do. */
  readonly is_reader?: boolean
}

export type ConnectionOptions =
  | UrlOptions
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string }

/** TLS modes, as in libpq. */
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof sslModes)[number]

/** Which of several servers may be used, as in libpq. */
const sessionAttributes = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
export type SessionAttributes = (typeof sessionAttributes)[number]

/** Where to reach a PostgreSQL, and how to sign in. */
export interface Address extends Host {
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  readonly sslmode: SslMode
  /** CA certificates in PEM. If undefined, the ones bundled with Node. */
  readonly authorities: string | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
  /** All other URL parameters, passed to PostgreSQL as session settings. */
  readonly settings: Readonly<Record<string, string>>
}

/** libpq parameters that are not session settings. */
const ofLibpq = new Set([
  ...['host', 'port', 'user', 'password', 'dbname', 'sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey'],
  ...['connect_timeout', 'target_session_attrs', 'channel_binding', 'gssencmode', 'application_name'],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count', 'tcp_user_timeout'],
])

/** Returns the address of the first host. */
export function addressOf(options: ConnectionOptions): Address {
  return present(placesOf(options).addresses[0], 'a host')
}

export interface Places {
  /** In the order of the URL. They differ in host and port only. */
  readonly addresses: readonly Address[]
  /** Undefined if the URL does not say. */
  readonly attributes: SessionAttributes | undefined
}

export function placesOf(options: ConnectionOptions): Places {
  if (!('url' in options)) return { addresses: [{ ...plain, ...options }], attributes: undefined }
  try {
    return readUrl(options.url)
  } catch (error) {
    if (!(error instanceof StartError) || !options.setting) throw error
    throw new StartError(error.message.replaceAll('DATABASE_URL', options.setting), { cause: error })
  }
}

const plain = {
  password: process.env.PGPASSWORD,
  sslmode: 'disable' as SslMode,
  authorities: undefined,
  certificate: undefined,
  key: undefined,
  settings: {},
}

/** Parses a URL as libpq does: a plus sign is literal, and `?host=/folder` names a Unix socket folder. */
function readUrl(text: string): Places {
  const split = splitHosts(text)
  const { url } = split
  const asked = new URLSearchParams(url.search.replaceAll('+', '%2B'))
  const user = decode(url.username) || asked.get('user') || process.env.PGUSER || userInfo().username
  const root = asked.get('sslrootcert')
  const shared = {
    user,
    password: decode(url.password) || asked.get('password') || process.env.PGPASSWORD,
    database: decode(url.pathname.slice(1)) || asked.get('dbname') || user,
    authorities: root === 'system' ? readAuthorities() : readPem('sslrootcert', root),
    certificate: readPem('sslcert', asked.get('sslcert')),
    key: readPem('sslkey', asked.get('sslkey')),
    settings: Object.fromEntries([...asked].filter(([name]) => !ofLibpq.has(name))),
  }
  const hosts = readHosts(split, asked)
  return {
    addresses: hosts.map(host => ({ ...host, ...shared, sslmode: readMode(asked, host.host, root) })),
    attributes: readAttributes(asked.get('target_session_attrs')),
  }
}

function readAttributes(text: string | null): SessionAttributes | undefined {
  const attributes = sessionAttributes.find(known => known === text)
  if (attributes || text === null) return attributes
  throw new StartError(
    `DATABASE_URL has target_session_attrs=${text}: it must be one of ${sessionAttributes.join(', ')}.`,
  )
}

/** Aliases that other clients use. */
const otherModes: { readonly [name: string]: SslMode } = { true: 'require', false: 'disable' }

function readMode(asked: URLSearchParams, host: string, root: string | null): SslMode {
  if (asked.get('channel_binding') === 'require')
    throw new StartError(
      'DATABASE_URL has channel_binding=require: only channel_binding=disable or prefer is supported.',
    )
  const text = asked.get('sslmode') ?? asked.get('ssl')
  if (host.startsWith('/')) return 'disable'
  if (text === null) return root ? 'verify-full' : 'prefer'
  const mode = sslModes.find(known => known === text) ?? otherModes[text]
  if (root === 'system' && mode !== 'verify-full')
    throw new StartError(
      `DATABASE_URL has sslrootcert=system with sslmode=${text}: anyone can get a certificate from a public authority, so sslmode must be verify-full.`,
    )
  if (mode) return mode
  throw new StartError(`DATABASE_URL has sslmode=${text}: it must be one of ${sslModes.join(', ')}.`)
}

/**
 * Returns the CA certificates of this machine and those bundled with Node, because a minimal machine has none
 * of its own.
 */
function readAuthorities(): string {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])].join('\n')
}

function readPem(name: string, path: string | null): string | undefined {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`DATABASE_URL has ${name}=${path}, which cannot be read: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}
