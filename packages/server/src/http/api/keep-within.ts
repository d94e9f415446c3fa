import { type Resource, resourceOf } from '@gatehouse-access/api'
import { notFound } from '../../services/objects/objects.ts'
import { requireConfinedMember } from '../../services/roles/bounds.ts'
import { findObject } from '../../store/find.ts'
import { type Exchange, workOf } from './exchange.ts'

/**
 * For callers whose role is limited to some sites: what the path names must be seen by them, and a member whom
 * they change must have no access elsewhere. Runs for every endpoint, so that none can forget to ask.
 */
export function keepWithin(exchange: Exchange): void | Promise<void> {
  if (exchange.caller.bounds) return check(exchange)
}

async function check(exchange: Exchange): Promise<void> {
  const { caller, db, endpoint, ids } = exchange
  const { organization_id, bounds } = caller
  for (const { kind, name } of endpoint.params) {
    if (kind === 'product' || kind === 'action') continue
    const resource: Resource = resourceOf(kind)
    const parent = parentOf(resource, ids)
    if (!(await findObject(db, resource, { organization_id, bounds, parent }, ids[name] ?? '')))
      throw notFound(resource)
  }
  const isOfGroup = endpoint.resource.kind === 'member_group_association'
  if (endpoint.scope === 'write' && ids.member_id !== undefined && !isOfGroup)
    await requireConfinedMember(workOf(exchange, db), ids.member_id)
}

function parentOf({ parent }: Resource, ids: Exchange['ids']): { field: string; id: string } | undefined {
  const field = `${parent}_id`
  const id = ids[field]
  return parent === undefined || id === undefined ? undefined : { field, id }
}
