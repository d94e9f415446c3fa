import {
  type AnyObject,
  capabilitiesOf,
  invalid,
  type Kind,
  type Resource,
  resourceOf,
} from '@gatehouse-access/api'
import type { Work } from './context.ts'

export interface Child {
  readonly kind: Kind
  readonly id: string
  readonly name: string | null
}

/**
 * Returns and locks the non-deleted contents of a site or device. The gadget of a single-gadget device is
 * part of the device, not a child.
 */
export async function findLivingChildren(work: Work, resource: Resource, row: AnyObject): Promise<Child[]> {
  if (capabilitiesOf(String(row.product_id)).gadgets === 'single') return []
  const found: Child[] = []
  for (const kind of resource.children ?? []) {
    const { table, fields } = resourceOf(kind)
    const rows = await work.db.query<{ id: string; name: string | null }>(
      `SELECT id, ${fields.name ? 'name' : 'NULL'} AS name FROM ${table}
       WHERE organization_id = $1 AND ${resource.kind}_id = $2 AND NOT is_deleted ORDER BY created_at, id FOR UPDATE`,
      [work.caller.organization_id, row.id],
    )
    found.push(...rows.map(child => ({ kind, id: child.id, name: child.name })))
  }
  return found
}

export async function refuseLivingChildren(work: Work, resource: Resource, row: AnyObject): Promise<void> {
  const children = await findLivingChildren(work, resource, row)
  if (children.length === 0) return
  const named = children
    .slice(0, 20)
    .map(({ kind, id, name }) => `${kind} ${id}${name === null ? '' : ` (${name})`}`)
  const more = children.length > 20 ? ` and ${children.length - 20} more` : ''
  throw invalid(
    'cascade',
    `the ${resource.kind} still contains ${named.join(', ')}${more}; delete them first, or DELETE it with ?cascade=true`,
  )
}
