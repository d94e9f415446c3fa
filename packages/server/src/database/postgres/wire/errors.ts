/** Names of the ErrorResponse fields by their letter. */
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

/** PostgreSQL rejected a statement. `code` is the SQLSTATE. */
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
    // Poolers omit `V`, the severity that is never translated.
    this.severity ??= fields.get('S')
  }
}

/**
 * The connection could not be opened or was lost. The outcome of statements in flight is unknown. `code` is
 * defined here, or comes from the system or from PostgreSQL if connecting failed.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** The pool is overloaded. Nothing was sent. */
export class BusyError extends Error {
  override name = 'BusyError'
  readonly code = 'POOL_BUSY'
}

/** The server may close the connection together with its first response, before handlers are attached. */
export function lostAtOnce(): ConnectionError {
  return closed('it was ended as soon as it was there')
}

export function closed(reason: string, cause?: unknown): ConnectionError {
  return new ConnectionError('CONNECTION_CLOSED', `the connection to the database was lost: ${reason}`, cause)
}

/** The peer violated the PostgreSQL protocol. */
export function malformed(what: string): ConnectionError {
  return new ConnectionError('PROTOCOL_VIOLATION', `what answered does not speak as PostgreSQL does: ${what}`)
}
