import type { Endpoint } from '../../endpoints.ts'
import { type ErrorBody, type ErrorType, errorTypes } from '../../errors.ts'

const always: readonly ErrorType[] = [
  'invalid_request',
  'unauthenticated',
  'permission_denied',
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal',
  'unavailable',
]

/** Returns the errors that an endpoint can respond with, in catalog order. */
export function errorsOf(endpoint: Endpoint): ErrorType[] {
  const { method, params } = endpoint
  const types = new Set<ErrorType>(always)
  if (params.length > 0) types.add('not_found')
  if (method !== 'GET')
    for (const type of ['body_too_large', 'unsupported_media_type', 'storage_full'] as const) types.add(type)
  if (method === 'POST' || method === 'PATCH') types.add('quota_exceeded')
  if (endpoint.id === 'emergency.create') types.add('emergency_conflict')
  if (takesKey(endpoint)) types.add('idempotency_in_progress').add('idempotency_conflict')
  if (endpoint.verb === 'command')
    types.add('hardware_offline').add('hardware_failed').add('hardware_timeout')
  if (endpoint.id === 'job.start' || endpoint.id === 'job.undo') types.add('job_state')
  if (endpoint.id === 'job.start' || endpoint.id === 'bulk.edit') types.add('precondition_failed')
  if (takesPrecondition(endpoint)) types.add('precondition_failed')
  return inCatalogOrder(types)
}

export function inCatalogOrder(types: ReadonlySet<ErrorType>): ErrorType[] {
  return (Object.keys(errorTypes) as ErrorType[]).filter(type => types.has(type))
}

export function takesKey({ method, verb }: Endpoint): boolean {
  return method === 'POST' && verb !== 'query'
}

export function takesPrecondition({ verb }: Endpoint): boolean {
  return verb === 'edit' || verb === 'delete'
}

const requestId = 'req_9f2c4e7a1b3d_1k'

const samples: Readonly<Record<ErrorType, Omit<ErrorBody, 'type'>>> = {
  invalid_request: { message: 'limit must be an integer from 1 to 100, not "500"', args: { field: 'limit' } },
  quota_exceeded: {
    message:
      'an organization can have 10000 sites, and this one has reached that quota; delete some, or ask the operator for a larger quota',
    args: { kind: 'site', quota: '10000' },
  },
  emergency_conflict: {
    message:
      'an evacuation cannot start: emergency em_06gxjs3e7dds3ssctgw6 is active on door gad_06gxjs3e7dds3ssctgw6; end it, or name it in replaces',
    args: {
      field: 'targets',
      emergency_id: 'em_06gxjs3e7dds3ssctgw6',
      gadget_id: 'gad_06gxjs3e7dds3ssctgw6',
    },
  },
  unauthenticated: { message: 'the access token is unknown, expired or revoked; get a new one', args: {} },
  permission_denied: {
    message: 'this requires a token with the scope full_read_write',
    args: { reason: 'scope_too_small', scope: 'full_read_write' },
  },
  not_found: { message: 'there is no member with this id', args: {} },
  method_not_allowed: { message: 'PUT is not allowed here; allowed are GET, HEAD, PATCH, OPTIONS', args: {} },
  request_timeout: { message: 'the request did not arrive in time', args: {} },
  idempotency_in_progress: {
    message: 'a request with this Idempotency-Key is still running; try again shortly',
    args: {},
  },
  job_running: {
    message: 'job_06gxjs3e7dds3ssctgw6 is running and syncs the same source; wait for its end, or cancel it',
    args: { job_id: 'job_06gxjs3e7dds3ssctgw6' },
  },
  job_state: {
    message: 'only a dry run that awaits its start can be started; this job is succeeded',
    args: { state: 'succeeded' },
  },
  hardware_offline: { message: 'the device of this gadget is not connected; nothing was done', args: {} },
  gone: { message: 'the file expired on 2026-11-21T09:30:00.123456Z', args: {} },
  cursor_ahead: {
    message:
      'the cursor 27560610.734.52 is ahead of the event log, which was restored or lost its end: events you have seen no longer exist; continue after 27473210.691.48',
    args: { field: 'after', cursor: '27473210.691.48' },
  },
  precondition_failed: {
    message: 'the object has changed since; its ETag is "5f0d1c9be2"',
    args: { etag: '"5f0d1c9be2"' },
  },
  body_too_large: { message: 'the body is larger than 1 MiB', args: {} },
  uri_too_long: { message: 'the request line is longer than 8192 characters', args: {} },
  unsupported_media_type: { message: 'the body must have the Content-Type application/json', args: {} },
  idempotency_conflict: {
    message: 'this Idempotency-Key was already used with a different request; use a new key',
    args: {},
  },
  rate_limited: { message: 'more than 500 requests per second; try again in 1 s', args: {} },
  headers_too_large: { message: 'the header fields are larger than 16 KiB', args: {} },
  internal: {
    message: `something went wrong on our side; request ${requestId}`,
    args: { request_id: requestId },
  },
  unavailable: {
    message: 'the database cannot be reached; try again shortly',
    args: { request_id: requestId },
  },
  storage_full: {
    message:
      'the disk is nearly full: reads, deletions and doors keep working, other writes are refused until there is room',
    args: {},
  },
  hardware_failed: {
    message: 'the device tried, but the hardware did not do it',
    args: { reason: 'failed' },
  },
  hardware_timeout: {
    message: 'the device did not confirm in time; whether the action happened is unknown',
    args: {},
  },
}

export function exampleError(type: ErrorType): ErrorBody {
  return { type, ...samples[type] }
}
