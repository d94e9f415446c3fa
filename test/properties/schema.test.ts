import {
  type Filter,
  filtersOf,
  isColumn,
  type Resource,
  resourceOf,
  resources,
  sortsOf,
  usualSort,
} from '@gatehouse-access/api'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sortExpression } from '../../packages/server/src/store/columns.ts'
import { eachExpression, equalExpression } from '../../packages/server/src/store/where.ts'
import { type Index, normalizeExpression, readIndexes } from './indexes.ts'

const owned = new AsyncDisposableStack()
let w: World
let indexes: Map<string, Index[]>

beforeAll(async () => {
  w = owned.use(await world())
  indexes = await readIndexes(w.server.context.db)
})
afterAll(() => owned.disposeAsync())

/** Columns that services store in addition to the declared object. */
const undeclared: Record<string, readonly string[]> = {
  users: [
    'email_key text',
    'password_hash text null',
    'email_verified_at timestamp with time zone null',
    'deleted_at timestamp with time zone null',
    'language text null',
    'notification_settings jsonb null',
  ],
  sites: ['floor_plan bytea null', 'floor_plan_type text null'],
  organizations: ['logo bytea null', 'logo_type text null', 'logo_hash text null'],
  oauth_applications: [
    'secret_hash bytea null',
    'redirect_uris text[]',
    'is_deleted boolean',
    'developer_id text null',
    'is_public boolean',
    'requires_pkce boolean',
    'key_of text null',
    'key_hint text null',
    'key_expires_at timestamp with time zone null',
    'logo bytea null',
    'logo_type text null',
  ],
  events: ['epoch integer', 'transaction_id xid8', 'sequence bigint', 'touches_policy boolean'],
}

const all: [string, Resource][] = Object.values(resources as Record<string, Resource>)
  .filter(({ fields }) => 'id' in fields)
  .map(resource => [resource.table, resource])

describe('columns', () => {
  test.each(all)('%s', async (table, resource) => {
    expect((await columnsOf(table)).sort()).toEqual(
      [...declaredColumns(resource), ...(undeclared[table] ?? [])].sort(),
    )
  })
})

function declaredColumns({ fields, search }: Resource): string[] {
  const columns = Object.entries(fields)
    .filter(([, field]) => isColumn(field))
    .map(([name, { type, nullable }]) => `${name} ${type.column}${nullable ? ' null' : ''}`)
  return search && !search.through ? [...columns, 'search_text text'] : columns
}

async function columnsOf(table: string): Promise<string[]> {
  const rows = await w.server.context.db.query<{ column: string }>(
    `SELECT attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN '' ELSE ' null' END AS column
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  )
  return rows.map(({ column }) => column)
}

/** The product catalog has only a few rows, so a sequential scan is the fastest plan. */
const listed = all.filter(([table, { verbs }]) => verbs.includes('list') && table !== 'products')

describe('an index for every sort', () => {
  const cases = listed.flatMap(([table, resource]) =>
    sortsOf(resource).map(sort => [table, sort, resource] as const),
  )
  test.each(cases)('%s by %s', async (table, sort, resource) => {
    const keys =
      sort === 'id' ? ['organization_id', 'id'] : [...leading(resource), await column(resource, sort), 'id']
    expect(keysOf(table)).toContainEqual(expect.stringMatching(begins(keys)))
  })
})

describe('an index for every filter', () => {
  const cases = listed.flatMap(([table, resource]) =>
    [...filtersOf(resource).values()]
      .filter(filter => isSelective(resource, filter))
      .map(filter => [table, filter.name, filter, resource] as const),
  )
  test.each(cases)('%s by %s', async (table, _name, { each, path, operator, through }, resource) => {
    if (through) {
      const { table: child, fields } = resourceOf(through.kind)
      if (through.held_as) {
        const held = keysOf(resources[through.held_as].table)
        expect(held).toContainEqual(
          expect.stringMatching(begins(['organization_id', 'is_deleted', 'member_id'])),
        )
      }
      if (fields[through.column]?.type.column === 'text[]')
        return expect(keysOf(child, 'gin')).toContain(`organization_id, ${through.column}`)
      const ways = [['organization_id'], ['organization_id', 'is_deleted']]
      return expect(
        ways.some(way => keysOf(child).some(key => begins([...way, through.column]).test(key))),
      ).toBe(true)
    }
    if (each) {
      const names = await expression(resource, eachExpression(path, each))
      return expect(keysOf(table, 'gin')).toContain(`organization_id, ${names} jsonb_path_ops`)
    }
    if (operator === 'has_all') return expect(keysOf(table, 'gin')).toContain(`organization_id, ${path}`)
    const keys =
      operator === 'equal'
        ? [...leading(resource), await expression(resource, equalExpression(path)), usualSort(resource), 'id']
        : [...leading(resource), await column(resource, path)]
    expect(keysOf(table)).toContainEqual(expect.stringMatching(begins(keys)))
  })
})

describe('an index for metadata and for q', () => {
  test.each(listed)('%s', (table, { fields, search }) => {
    const gin = keysOf(table, 'gin')
    if (fields.metadata) expect(gin).toContain('organization_id, metadata jsonb_path_ops')
    if (search && !search.through) expect(gin).toContain('organization_id, search_text gin_trgm_ops')
  })
})

/** Every object that a token can reach has the same organization, so the default order serves that filter. */
function isSelective({ kind }: Resource, { name, computed }: Filter): boolean {
  if (kind === 'webhook_delivery' && ofDeliveries.includes(name)) return false
  if (kind === 'calendar_day' && name === 'calendar_id') return false
  // What is computed goes along the order of the list, and looks up each object by a key.
  if (computed) return false
  return name !== 'organization_id'
}

/** A webhook has one delivery per event. Only the rare statuses have an index, which is partial. */
const ofDeliveries = ['webhook_id', 'event_id', 'status']

/** Every index starts with the organization, then with the deleted flag if there is one. */
function leading({ fields, kind }: Resource): string[] {
  // There are many deliveries, and they are only listed within their webhook.
  if (kind === 'webhook_delivery') return ['organization_id', 'webhook_id']
  // Only listed within their calendar.
  if (kind === 'calendar_day') return ['organization_id', 'is_deleted', 'calendar_id']
  return 'is_deleted' in fields ? ['organization_id', 'is_deleted'] : ['organization_id']
}

function column(resource: Resource, name: string): Promise<string> {
  return expression(resource, sortExpression(resource, name))
}

function expression({ table }: Resource, sql: string): Promise<string> {
  return normalizeExpression(w.server.context.db, table, sql.replaceAll('t.', ''))
}

function keysOf(table: string, method = 'btree'): string[] {
  return (indexes.get(table) ?? []).filter(index => index.method === method).map(index => index.keys)
}

function begins(keys: readonly string[]): RegExp {
  return new RegExp(`^${keys.map(key => RegExp.escape(key)).join(', ')}(, |$)`)
}
