/** The catalogue: every error type of the API, its status and its meaning. */
export const errorTypes = {
  invalid_request: {
    status: 400,
    about: 'The request is malformed or breaks a rule; `args.field` names the field as a path.',
  },
  quota_exceeded: {
    status: 400,
    about:
      'There are as many objects of the kind `args.kind` as the quota `args.quota` allows; delete some or ask the operator.',
  },
  unauthenticated: { status: 401, about: 'No access token, or one that is unknown, expired or revoked.' },
  permission_denied: {
    status: 403,
    about: 'The token or the member may not do this; `args.reason` holds a stable code.',
  },
  not_found: { status: 404, about: 'The organization has no such object, or the path does not exist.' },
  method_not_allowed: { status: 405, about: 'The path exists, the method does not; see the `Allow` header.' },
  request_timeout: { status: 408, about: 'The request did not arrive in time.' },
  idempotency_in_progress: { status: 409, about: 'A request with this Idempotency-Key is still running.' },
  hardware_offline: { status: 409, about: "The gadget's device is not connected; nothing was done." },
  cursor_ahead: {
    status: 410,
    about:
      'The cursor of the event stream lies ahead of the log, which was restored or lost its end; `args.cursor` says where to go on.',
  },
  precondition_failed: { status: 412, about: 'The object changed since the ETag given in If-Match.' },
  body_too_large: { status: 413, about: 'The body is larger than 1 MiB.' },
  uri_too_long: { status: 414, about: 'The request line is too long.' },
  unsupported_media_type: { status: 415, about: 'Bodies are application/json.' },
  idempotency_conflict: { status: 422, about: 'This Idempotency-Key was used with another request.' },
  rate_limited: {
    status: 429,
    about:
      'Too many requests of this application, user, organization or address; `Retry-After` says when to go on.',
  },
  headers_too_large: { status: 431, about: 'The header fields are too large.' },
  internal: { status: 500, about: 'A fault of the service; quote the request id.' },
  hardware_failed: {
    status: 502,
    about: 'The device answered that the action was not done; `args.reason` is `failed` or `refused`.',
  },
  unavailable: {
    status: 503,
    about:
      'The database cannot be reached, or more is asked than can be answered within a second (`args.reason` is `overloaded`); try again after `Retry-After`.',
  },
  storage_full: {
    status: 503,
    about:
      'The disk is nearly full: reads, deletions, revocations and doors go on, other writes are refused.',
  },
  hardware_timeout: {
    status: 504,
    about: 'The device did not confirm in time; whether the action happened is unknown.',
  },
} as const

export type ErrorType = keyof typeof errorTypes

export interface ErrorBody {
  type: ErrorType
  message: string
  args: Record<string, string>
}

/** The one error class of requests: what the caller is told, with the cause kept for the log. */
export class RequestError extends Error {
  readonly type: ErrorType
  readonly args: Record<string, string>
  readonly headers: Record<string, string>

  constructor(
    type: ErrorType,
    message: string,
    options: { args?: Record<string, string>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'RequestError'
    this.type = type
    this.args = options.args ?? {}
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return errorTypes[this.type].status
  }

  toBody(): ErrorBody {
    return { type: this.type, message: this.message, args: this.args }
  }
}

export function invalid(field: string, message: string): RequestError {
  return new RequestError('invalid_request', message, field === '' ? {} : { args: { field } })
}
