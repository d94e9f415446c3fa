import type { Config } from '../config/config.ts'
import type { UrlOptions } from './postgres/login/address.ts'

/** The ways to a database that is not embedded. */
export interface Connections {
  readonly main: UrlOptions
  /** For what needs a session. The same as `main`, unless that leads through a pooler. */
  readonly direct: UrlOptions
  /** For reads from standbys. */
  readonly read: UrlOptions | undefined
}

/** Returns undefined for the embedded database. */
export function connectionsOf(
  config: Pick<Config, 'database_url' | 'database_direct_url' | 'database_read_url'>,
): Connections | undefined {
  const { database_url, database_direct_url, database_read_url } = config
  if (!database_url) return undefined
  const main = {
    url: database_url,
    setting: 'DATABASE_URL',
    is_pooled: database_direct_url !== undefined,
  }
  return {
    main,
    direct: database_direct_url ? { url: database_direct_url, setting: 'DATABASE_DIRECT_URL' } : main,
    read: database_read_url
      ? { url: database_read_url, setting: 'DATABASE_READ_URL', is_reader: true }
      : undefined,
  }
}
