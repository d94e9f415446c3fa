/** The catalog of every error type of the API, with its status and its meaning. */
export const errorTypes = {
  invalid_request: {
    status: 400,
    about: 'The request is malformed or breaks a rule. `args.field` is the path of the field.',
  },
  quota_exceeded: {
    status: 400,
    about:
      'The organization already has `args.quota` objects of the kind `args.kind`, the most its quota allows. Delete some, or ask the operator for more.',
  },
  emergency_conflict: {
    status: 400,
    about:
      'A door cannot be in a lockdown and in an evacuation at once: `args.emergency_id` is active on `args.gadget_id`. End it, or name it in `replaces`.',
  },
  unauthenticated: { status: 401, about: 'The access token is missing, unknown, expired or revoked.' },
  permission_denied: {
    status: 403,
    about: 'The token or the member does not have permission. `args.reason` is a stable code.',
  },
  not_found: { status: 404, about: 'The organization has no such object, or the path does not exist.' },
  method_not_allowed: {
    status: 405,
    about: 'The path exists but does not support this method. See the `Allow` header.',
  },
  request_timeout: { status: 408, about: 'The request did not arrive in time.' },
  idempotency_in_progress: { status: 409, about: 'A request with this Idempotency-Key is still running.' },
  job_running: {
    status: 409,
    about: 'A job that excludes this one is queued or running: `args.job_id`.',
  },
  job_state: { status: 409, about: 'The state of the job does not allow this: `args.state`.' },
  hardware_offline: { status: 409, about: "The gadget's device is not connected. Nothing was done." },
  cursor_ahead: {
    status: 410,
    about:
      'The cursor of the event stream is ahead of the log, which was restored from a backup or lost its end. Continue from `args.cursor`.',
  },
  gone: { status: 410, about: 'The file has expired, or was fetched already and is shown only once.' },
  precondition_failed: { status: 412, about: 'The object has changed since the ETag given in `If-Match`.' },
  body_too_large: { status: 413, about: 'The body is larger than 1 MiB.' },
  uri_too_long: { status: 414, about: 'The request line is too long.' },
  unsupported_media_type: { status: 415, about: 'The body is not `application/json`.' },
  idempotency_conflict: {
    status: 422,
    about: 'This Idempotency-Key was already used with a different request.',
  },
  rate_limited: {
    status: 429,
    about:
      'Too many requests from this application, user, organization or address. Retry after `Retry-After` seconds.',
  },
  headers_too_large: { status: 431, about: 'The request headers are too large.' },
  internal: {
    status: 500,
    about: 'Something failed in the service. Quote the request ID when reporting it.',
  },
  hardware_failed: {
    status: 502,
    about: 'The device reported that the action was not done. `args.reason` is `failed` or `refused`.',
  },
  unavailable: {
    status: 503,
    about:
      'The database cannot be reached, the service is overloaded (`args.reason` is `overloaded`), or it was restored from a backup and is read-only until its operator confirms (`recovered`). Retry after `Retry-After` seconds.',
  },
  storage_full: {
    status: 503,
    about:
      'The disk is nearly full. Reads, deletions, revocations and doors keep working; other writes are refused.',
  },
  hardware_timeout: {
    status: 504,
    about: 'The device did not confirm in time. Whether the action happened is unknown.',
  },
} as const

export type ErrorType = keyof typeof errorTypes

export interface ErrorBody {
  type: ErrorType
  message: string
  args: Record<string, string>
}

/** The only error class for requests. It holds what the caller is told; the cause is kept for the log. */
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
