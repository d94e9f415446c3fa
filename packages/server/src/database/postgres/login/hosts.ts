import type { DatabaseUrl } from '../../../config/database-url.ts'
import { StartError } from '../../../config/start-error.ts'

export interface Host {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
}

/** Returns the hosts of a URL in their order. The parameters `host` and `port` take precedence. */
export function readHosts({ url, named }: DatabaseUrl, asked: URLSearchParams): Host[] {
  const pairs = named.length > 0 ? named.map(readPair) : [[url.hostname, url.port] as const]
  const hosts = asked.get('host')?.split(',') ?? pairs.map(([host]) => decode(host))
  const ports = asked.get('port')?.split(',') ?? pairs.map(([, port]) => port)
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new StartError(
      `DATABASE_URL names ${hosts.length} hosts and ${ports.length} ports: give one port for all of them, or one for each.`,
    )
  return hosts.map((host, index) => ({
    host: host.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: readPort((ports.length > 1 ? ports[index] : ports[0]) || '5432'),
  }))
}

/** The error does not quote the text, which may be the password. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new StartError(
      'DATABASE_URL has a % that is not followed by two digits of a character: write a percent sign as %25.',
      { cause },
    )
  }
}

function readPair(text: string): readonly [host: string, port: string] {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? [text, text]
  return [host, port]
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text)
  throw new StartError(`DATABASE_URL has port=${text}: it must be a whole number from 1 to 65535.`)
}
