import { capabilitiesOf, invalid, type Kind, type Resource, resourceOf } from '@gatehouse/api'
import type { Row } from '../store/db.ts'
import { deleteObjects } from '../store/write.ts'
import type { Work } from './behaviour.ts'
import { checkPrecondition } from './etag.ts'
import { deleteLocked, getObject, type Target } from './objects.ts'

export interface DeleteOptions {
  readonly cascade: boolean
  readonly dry_run: boolean
  readonly if_match: string | undefined
}

interface Child {
  readonly kind: Kind
  readonly id: string
  readonly name: string | null
}

/** Deletes a site or a device: refused while others live inside it, unless they go too. */
export async function deleteWithChildren(
  work: Work,
  target: Target,
  id: string,
  options: DeleteOptions,
): Promise<Row> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const before = await getObject(inner, target, id, true)
    checkPrecondition(target.resource, before, options.if_match)
    const children = before.is_deleted ? [] : await livingChildren(inner, target.resource, before)
    if (options.dry_run) return { ...before, would_delete: children }
    if (children.length > 0 && !options.cascade) throw hasChildren(target.resource, children)
    for (const kind of target.resource.children ?? [])
      await deleteObjects(inner, resourceOf(kind), `${target.resource.kind}_id`, [id])
    return deleteLocked(inner, target.resource, before)
  })
}

/** The one gadget of a single-gadget device is part of it, not a child that stands in the way. */
async function livingChildren(work: Work, resource: Resource, row: Row): Promise<Child[]> {
  if (capabilitiesOf(String(row.product_id)).gadgets === 'single') return []
  const found: Child[] = []
  for (const kind of resource.children ?? []) {
    const { table, fields } = resourceOf(kind)
    const name = fields.name ? 'name' : 'NULL'
    const rows = await work.db.query<{ id: string; name: string | null }>(
      `SELECT id, ${name} AS name FROM ${table} WHERE organization_id = $1 AND ${resource.kind}_id = $2 AND NOT is_deleted ORDER BY created_at, id FOR UPDATE`,
      [work.caller.organization_id, row.id],
    )
    found.push(...rows.map(child => ({ kind, id: child.id, name: child.name })))
  }
  return found
}

function hasChildren(resource: Resource, children: readonly Child[]) {
  const named = children
    .slice(0, 20)
    .map(({ kind, id, name }) => `${kind} ${id}${name === null ? '' : ` (${name})`}`)
  const more = children.length > 20 ? ` and ${children.length - 20} more` : ''
  return invalid(
    'cascade',
    `the ${resource.kind} still holds ${named.join(', ')}${more}; delete them first or add ?cascade=true`,
  )
}
