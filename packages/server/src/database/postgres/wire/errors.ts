/** Fields of an ErrorResponse, by their letter. */
const names: Record<string, string> = {
  S: 'severity_local',
  V: 'severity',
  C: 'code',
  D: 'detail',
  H: 'hint',
  P: 'position',
  p: 'internal_position',
  q: 'internal_query',
  W: 'where',
  s: 'schema_name',
  t: 'table_name',
  c: 'column_name',
  d: 'type_name',
  n: 'constraint_name',
  F: 'file',
  L: 'line',
  R: 'routine',
}

/** PostgreSQL refused a statement; `code` is its SQLSTATE. */
export class PostgresError extends Error {
  override name = 'PostgresError'
  declare readonly code: string
  declare readonly severity?: string | undefined
  declare readonly routine?: string
  declare readonly constraint_name?: string

  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get('M') ?? 'PostgreSQL gave no reason')
    for (const [letter, value] of fields) {
      const name = names[letter]
      if (name) Object.assign(this, { [name]: value })
    }
    // Poolers leave out the one that is never translated.
    this.severity ??= fields.get('S')
  }
}

/**
 * There is no connection, or no longer: nothing is known of what was under way. `code` is our own word, or what the system or
 * PostgreSQL said when connecting.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** More was asked for than the pool can carry. Nothing of it was sent. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly code = 'POOL_BUSY'
}

/** Its goodbye may come in one piece with its first answer: before anybody watches over it. */
export function lostAtOnce(): ConnectionError {
  return closed('it was ended as soon as it was there')
}

export function closed(reason: string, cause?: unknown): ConnectionError {
  return new ConnectionError('CONNECTION_CLOSED', `the connection to the database was lost: ${reason}`, cause)
}

/** What was said is not the protocol of PostgreSQL. */
export function malformed(what: string): ConnectionError {
  return new ConnectionError('PROTOCOL_VIOLATION', `what answered does not speak as PostgreSQL does: ${what}`)
}
