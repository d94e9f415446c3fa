import type { ErrorBody, ErrorType } from '@gatehouse/api'

/** The service answered with an error. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** `unknown` when something between here and the service answered in its place. */
  readonly type: ErrorType | 'unknown'
  readonly args: Record<string, string>
  /** Names the request in the logs of the service. */
  readonly request_id: string | undefined
  readonly headers: Headers

  constructor(response: Response, body: Partial<ErrorBody> | undefined) {
    super(body?.message ?? `the answer has status ${response.status} and is no answer of the service`)
    this.status = response.status
    this.type = body?.type ?? 'unknown'
    this.args = body?.args ?? {}
    this.request_id = response.headers.get('x-request-id') ?? undefined
    this.headers = response.headers
  }
}

/** No answer came: the service cannot be reached, or was too slow. Whether it did the work is unknown. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}
