import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { getCACertificates } from 'node:tls'
import { StartError } from '../../../config/start-error.ts'
import { messageOf } from '../../../flow/failures.ts'

export type ConnectionOptions =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string }

/** TLS modes, as in libpq. */
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof sslModes)[number]

/** Where to reach a PostgreSQL, and how to sign in. */
export interface Address {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
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

/**
 * libpq parameters that are not session settings. `target_session_attrs` is ignored: only a writable server
 * is ever used.
 */
const ofLibpq = new Set([
  ...['host', 'port', 'user', 'password', 'dbname', 'sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey'],
  ...['connect_timeout', 'target_session_attrs', 'channel_binding', 'gssencmode', 'application_name'],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count', 'tcp_user_timeout'],
])

export function addressOf(options: ConnectionOptions): Address {
  return 'url' in options ? readUrl(options.url) : { ...plain, ...options }
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
function readUrl(text: string): Address {
  const url = new URL(text)
  const asked = new URLSearchParams(url.search.replaceAll('+', '%2B'))
  const user = decode(url.username) || asked.get('user') || process.env.PGUSER || userInfo().username
  const host = asked.get('host') ?? (decode(url.hostname) || 'localhost')
  const port = asked.get('port') ?? (url.port || '5432')
  refuseSeveral(host, port)
  const root = asked.get('sslrootcert')
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: readPort(port),
    user,
    password: decode(url.password) || asked.get('password') || process.env.PGPASSWORD,
    database: decode(url.pathname.slice(1)) || asked.get('dbname') || user,
    sslmode: readMode(asked, host, root),
    authorities: root === 'system' ? readAuthorities() : readPem('sslrootcert', root),
    certificate: readPem('sslcert', asked.get('sslcert')),
    key: readPem('sslkey', asked.get('sslkey')),
    settings: Object.fromEntries([...asked].filter(([name]) => !ofLibpq.has(name))),
  }
}

/** The error does not quote the text, which may be the password. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new StartError(
      'DATABASE_URL has a % that is not followed by two digits of a character: write a percent sign as %25.',
      { cause },
    )
  }
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text)
  throw new StartError(`DATABASE_URL has port=${text}: it must be a whole number from 1 to 65535.`)
}

function refuseSeveral(host: string, port: string): void {
  if (`${host}${port}`.includes(','))
    throw new StartError(
      'The URL of the database names several hosts: it must name one, the address that leads to the primary.',
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
