import { prefixes, RequestError, type Resource, resourceOf, resources } from '@gatehouse-access/api'
import type { Database, Row } from '../../database/db.ts'
import { isRecord } from '../../flow/record.ts'
import type { Work } from '../../services/objects/context.ts'
import type { Caller } from '../../store/caller.ts'
import { findObject } from '../../store/find.ts'
import { logObject } from '../../store/write.ts'
import { digest } from '../../vault/vault.ts'
import { type Exchange, workOf } from './exchange.ts'

/**
 * Throws if a secret in a replayed answer is no longer valid, or if the caller may not learn it: whoever repeats a bulk may have
 * fewer rights than whoever sent it first. Logs each secret as revealed.
 */
export async function repeatSecrets(exchange: Exchange, db: Database, text: string): Promise<void> {
  const { caller } = exchange
  const { organization_id, oauth_application_id } = caller
  const work = workOf(exchange, db)
  for (const { resource, id, secret } of findSecrets(JSON.parse(text))) {
    requireWrite(caller, resource)
    const hidden = resource === resources.device ? ['secret_hash'] : []
    const row = await findObject(db, resource, { organization_id, oauth_application_id }, id, { hidden })
    if (!row || !(await isAlive(work, row, secret))) throw gone(resource)
    const { secret_hash: _, ...object } = row
    await logObject(work, resource, 'reveal', object, hidden.length > 0 ? { type: 'hardware' } : {})
  }
}

function requireWrite({ scopes }: Caller, { owned_by_application }: Resource): void {
  if (owned_by_application || scopes.includes('full_read_write')) return
  throw new RequestError('permission_denied', 'this requires a token with the scope full_read_write', {
    args: { reason: 'scope_too_small', scope: 'full_read_write' },
  })
}

interface Secret {
  readonly resource: Resource
  readonly id: string
  readonly secret: string
}

/** Finds the secrets at any depth of an answer. The id of the enclosing object tells the kind of each. */
function findSecrets(value: unknown): Secret[] {
  if (value === null || typeof value !== 'object') return []
  const own = isRecord(value) ? secretOf(value) : undefined
  return [...(own ? [own] : []), ...Object.values(value).flatMap(findSecrets)]
}

function secretOf(object: Row): Secret | undefined {
  const { id, device_id, secret } = object
  if (typeof device_id === 'string' && typeof secret === 'string')
    return { resource: resources.device, id: device_id, secret }
  const kind = typeof id === 'string' ? kinds.get(id.slice(0, id.indexOf('_'))) : undefined
  if (typeof id !== 'string' || kind === undefined) return undefined
  const name = Object.keys(resourceOf(kind).reveals ?? {}).find(key => key in object)
  return name === undefined ? undefined : { resource: resourceOf(kind), id, secret: String(object[name]) }
}

const kinds = new Map(
  Object.entries<string>(prefixes).flatMap(([kind, prefix]) =>
    kind in resources ? [[prefix, kind] as const] : [],
  ),
)

/** A device's secret must be its current one. A credential is valid only as long as its member exists. */
async function isAlive({ db }: Work, row: Row, secret: string): Promise<boolean> {
  if (row.is_deleted) return false
  const { secret_hash, organization_id, member_id } = row
  if (secret_hash !== undefined)
    return secret_hash instanceof Uint8Array && digest(secret).equals(secret_hash)
  if (typeof organization_id !== 'string' || typeof member_id !== 'string') return true
  const member = await findObject(db, resources.member, { organization_id }, member_id)
  return member?.is_deleted === false
}

function gone({ kind }: Resource): RequestError {
  const what = kind.replaceAll('_', ' ')
  return new RequestError(
    'not_found',
    `the first response for this Idempotency-Key contained the secret of a ${what} that has since been deleted or replaced; it is not repeated`,
  )
}
