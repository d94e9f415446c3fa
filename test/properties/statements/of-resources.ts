import {
  type Expand,
  isAnswered,
  parseExpand,
  type Resource,
  resourceOf,
  resources,
  storedDefaults,
} from '@gatehouse-access/api'
import type { Database } from '@gatehouse-access/server'
import { expandObjects } from '../../../packages/server/src/store/expand.ts'
import type { Claims } from './claims.ts'
import { declaredShape } from './shapes.ts'

/** Makes the service assemble a statement. */
export interface Hearing {
  run(db: Database): Promise<unknown>
  /** Selects the statement if others are recorded with it. */
  readonly only?: RegExp
  /** What a declaration claims about the rows. */
  readonly claims?: Claims
}

export const stored: readonly Resource[] = Object.values<Resource>(resources).filter(
  ({ path }) => path !== '',
)
/** The resources that can be deleted. */
export const alive = stored.filter(({ fields }) => fields.is_deleted && fields.organization_id)
export const changed = alive.filter(({ verbs }) => verbs.includes('edit'))
export const reach = { organization_id: 'any', oauth_application_id: 'any' }
/** Of a role that is limited to some sites. */
export const boundReach = {
  ...reach,
  bounds: {
    site_ids: ['any'],
    gadget_ids: new Set(['any']),
    tag_ids: new Set(['any']),
    schedule_ids: ['any'],
    member_group_ids: ['any'],
    confined_group_ids: new Set(['any']),
  },
}

/** The rows of a resource as the store reads them. Derived fields are added later. */
function claimsOf({ fields }: Resource, hidden: readonly string[] = []): Claims {
  const read = Object.entries(fields).filter(
    ([name, field]) => (isAnswered(field) && !field.derive) || hidden.includes(name),
  )
  const columns = read.map(
    ([name, { type }]) => [name, { shapes: [declaredShape(type)], is_optional: false }] as const,
  )
  return { columns: new Map(columns), is_open: false }
}

export function ofEach(
  some: readonly Resource[],
  run: (db: Database, resource: Resource) => Promise<unknown>,
): Hearing[] {
  return some.map(resource => ({ run: db => run(db, resource), claims: claimsOf(resource) }))
}

/** Includes every column that is stored but never returned. */
export function withHidden(
  some: readonly Resource[],
  run: (db: Database, resource: Resource, hidden: string[]) => Promise<unknown>,
): Hearing[] {
  return some.map(resource => {
    const hidden = Object.keys(resource.fields).filter(name => resource.fields[name]?.hidden)
    return { run: db => run(db, resource, hidden), claims: claimsOf(resource, hidden) }
  })
}

export function newRow(resource: Resource) {
  return { ...storedDefaults(resource), id: 'any' }
}

export function expansions(): Hearing[] {
  return stored.flatMap(resource =>
    Object.entries(resource.expands).map(([name, expand]) => ({
      run: (db: Database) =>
        expandObjects(
          { db, context: undefined as never },
          resource,
          reach,
          [holderOf(expand)],
          parseExpand(resource, [name]),
        ),
      claims: claimsOf(resourceOf(expand.kind)),
    })),
  )
}

/** Returns an object into which others are to be expanded. */
function holderOf({ field, inside }: Expand): Record<string, unknown> {
  const [first = field, second] = field.split('.')
  const held = { [first]: second === undefined ? 'any' : { [second]: 'any' } }
  return { id: 'any', ...(inside ? { [inside]: [held] } : held) }
}
