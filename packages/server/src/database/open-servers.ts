import { StartError } from '../config/start-error.ts'
import { type ConnectionOptions, placesOf, type SessionAttributes } from './postgres/login/address.ts'
import { Servers } from './postgres/servers.ts'

/** Reads where the servers are. Several pools can share the result, and then always use the same server. */
export function openServers(connection: ConnectionOptions): Servers {
  const places = placesOf(connection)
  const options = 'url' in connection ? connection : undefined
  const attributes = options?.is_reader
    ? (places.attributes ?? 'prefer-standby')
    : forWriting(places.attributes, options?.setting)
  return new Servers(places, attributes, options?.is_pooled)
}

/** Whatever libpq would accept, the service needs a server that it can write to. */
function forWriting(asked: SessionAttributes | undefined, setting = 'DATABASE_URL'): SessionAttributes {
  if (asked === undefined || asked === 'any' || asked === 'primary' || asked === 'read-write')
    return 'read-write'
  throw new StartError(
    `${setting} has target_session_attrs=${asked}: Gatehouse writes, so it must be read-write, primary or any; a URL for reads is set with DATABASE_READ_URL.`,
  )
}
