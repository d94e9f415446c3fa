import {
  companionOf,
  type EngineRow,
  engineFields,
  type Field,
  policyResources,
  type Resource,
  resourceOf,
  resources,
} from '@gatehouse-access/api'
import { type PolicyKind, type PolicyRow, policyKinds } from '@gatehouse-access/core'
import type { Row } from '../database/db.ts'

/** The source of the rows of one kind of object. `t` is its table. */
export interface Source<Name extends PolicyKind = PolicyKind, Read = PolicyRow<Name>> {
  readonly name: Name
  readonly resource: Resource
  readonly columns: string
  readonly from: string
  readonly dead: string
  /** How many rows are read at once. */
  readonly page: number
  /** Converts a row for the engine. Lists arrive as text, so that callers can parse many rows in steps. */
  parse(row: Row): Read
}

type Sources<Rows extends { [Name in PolicyKind]: unknown }> = {
  readonly [Name in PolicyKind]: readonly Source<Name, Rows[Name]>[]
}

function declaredSources(): Sources<{ [Name in PolicyKind]: EngineRow<Name> }> {
  const named = (name: string) => policyResources.filter(({ policy }) => policy?.rows === name)
  const declared = policyKinds.map(name => [name, named(name).map(resource => sourceOf(name, resource))])
  return { ...Object.fromEntries(declared), overrides: [overrides] } as never
}

/** Overrides have the ids of their gadgets, whose events tell of them. */
const overrides: Source<'overrides', Row> = {
  name: 'overrides',
  resource: resources.gadget,
  columns: 't.id, t.mode, t.lasts, t.until, t.set_at, t.is_deleted',
  from: 'overrides t',
  dead: 't.is_deleted',
  page: 1000,
  parse: row => row,
}

function sourceOf(name: PolicyKind, resource: Resource): Omit<Source, 'parse'> & { parse(row: Row): Row } {
  const fields = engineFields(resource)
  const lists = fields.filter(([, field]) => isList(field)).map(([name]) => name)
  const { from, dead } = livingOf(resource)
  const columns = fields.map(([name, field]) => columnOf(name, field))
  const kind = resource.policy?.kind
  return {
    name,
    resource,
    columns: ['t.id', ...columns, ...(kind ? [`'${kind}' AS kind`] : []), `${dead} AS is_deleted`].join(', '),
    from,
    dead,
    page: pageOf(fields.map(([, field]) => field)),
    parse: row => parseLists(row, lists),
  }
}

/** An object that belongs to another also counts as deleted if that one is deleted, and one that has ended does. */
function livingOf(resource: Resource): { from: string; dead: string } {
  const companion = companionOf(resource)
  const ended = resource.policy?.ends_with
  if (ended) return { from: `${resource.table} t`, dead: `(t.is_deleted OR t.${ended} IS NOT NULL)` }
  if (!companion) return { from: `${resource.table} t`, dead: 't.is_deleted' }
  const { field, kind } = companion
  const join = `JOIN ${resourceOf(kind).table} c ON c.organization_id = t.organization_id AND c.id = t.${field}`
  return { from: `${resource.table} t ${join}`, dead: '(t.is_deleted OR c.is_deleted)' }
}

/** Lists are read as the text of JSON. */
function columnOf(name: string, field: Field): string {
  if (!isList(field)) return `t.${name}`
  const value = field.type.column === 'text[]' ? `to_jsonb(t.${name})` : `t.${name}`
  return `${value}::text AS ${name}`
}

function isList({ type }: Field): boolean {
  return type.schema.type === 'array'
}

/** Rows with long lists may have a hundred kilobytes each. */
function pageOf(fields: readonly Field[]): number {
  const lists = fields.filter(isList)
  if (lists.some(({ type }) => Number(type.schema.maxItems) > 100)) return 50
  return lists.length > 0 ? 200 : 1000
}

function parseLists(row: Row, lists: readonly string[]): Row {
  if (lists.length === 0) return row
  return { ...row, ...Object.fromEntries(lists.map(name => [name, JSON.parse(String(row[name]))])) }
}

/** Sources by the engine's names. Does not compile if a declaration misses a field that the engine reads. */
export const sources: Sources<{ [Name in PolicyKind]: PolicyRow<Name> }> = declaredSources()

export const allSources: readonly Source[] = policyKinds.flatMap<Source>(name => sources[name])
