import type { Attempt } from '@gatehouse-access/api'
import { codeOf } from '../flow/failures.ts'

type ErrorName = NonNullable<Attempt['error']>

const codes: Record<string, ErrorName> = {
  ADDRESS_REFUSED: 'address_refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  EBADNAME: 'name_not_found',
  EREFUSED: 'name_not_found',
  ESERVFAIL: 'name_not_found',
  ETIMEOUT: 'timeout',
  ENODATA: 'name_not_found',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_SOCKET: 'connection_closed',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_HEADERS_OVERFLOW: 'invalid_answer',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'invalid_answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_answer',
  // The library asserts that a status has three digits.
  ERR_ASSERTION: 'invalid_answer',
}

/** Names a failed request for people and programs. */
export function nameError(error: unknown): ErrorName {
  const name = error instanceof Error ? error.name : ''
  const code = codeOf(error) ?? ''
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout'
  if (codes[code]) return codes[code]
  if (name === 'HTTPParserError') return 'invalid_answer'
  if (/^(ERR_(SSL|TLS)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls_failed'
  return 'connection_failed'
}
