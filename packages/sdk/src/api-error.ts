import type { ErrorBody, ErrorType } from '@gatehouse-access/api'

/** The service returned an error. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** `unknown` if an intermediary responded instead of the service. */
  readonly type: ErrorType | 'unknown'
  readonly args: Record<string, string>
  /** Identifies the request in the service's logs. */
  readonly request_id: string | undefined
  readonly headers: Headers

  constructor(response: Response, body: Partial<ErrorBody> | undefined) {
    super(body?.message ?? `the response has status ${response.status} and is not from the service`)
    this.status = response.status
    this.type = body?.type ?? 'unknown'
    this.args = body?.args ?? {}
    this.request_id = response.headers.get('x-request-id') ?? undefined
    this.headers = response.headers
  }
}

/** No response: the service is unreachable or too slow. Whether it processed the request is unknown. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}
