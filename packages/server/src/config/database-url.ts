/** A URL that names one host at most, which the platform can parse, and the hosts that were taken out of it. */
export interface DatabaseUrl {
  readonly url: URL
  /** As in the URL, each with its port. Empty if there is only one. */
  readonly named: readonly string[]
}

const several = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)/

/** Like libpq, allows several hosts before the path: `postgres://user@db1:5432,db2:5433/name`. */
export function splitHosts(text: string): DatabaseUrl {
  const [start, before = '', hosts = ''] = several.exec(text) ?? []
  if (start === undefined) return { url: new URL(text), named: [] }
  return { url: new URL(`${before}several${text.slice(start.length)}`), named: hosts.split(',') }
}

export function parseDatabaseUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\/./.test(text)) return undefined
  try {
    return splitHosts(text) && text
  } catch {
    return undefined
  }
}

/** Identifies a database without its credentials, and whatever the order of its hosts. */
export function placeOf(text: string): { readonly hosts: string; readonly rest: readonly (string | null)[] } {
  const { url, named } = splitHosts(text)
  const { pathname, searchParams } = url
  const hosts = named.length > 0 ? [...named].sort().join() : url.host
  return { hosts, rest: [pathname, searchParams.get('host'), searchParams.get('port')] }
}
