import type { ErrorBody, ErrorType } from '@gatehouse/api'

/** The service returned an error. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** `unknown` if something between here and the service responded instead. */
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

/** There was no response: the service cannot be reached, or was too slow. Whether it did the work is unknown. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}
