import {
  type EventObject,
  type EventSubject,
  type ObjectType,
  objectIdFields,
  type Resource,
} from '@gatehouse/api'
import type { Caller } from '../caller.ts'
import { type EventDraft, insertEvent, logEvents } from '../events/log.ts'
import { finishRow, selectList, storedValues, tenantColumn } from './columns.ts'
import type { Database, Row } from './db.ts'
import { searchText } from './search.ts'
import { Statement } from './statement.ts'

/**
 * The only door to the domain tables. Every function writes the row and its event in one statement, so that there is
 * no row without its event and no event without its row, also outside a transaction.
 */
export interface Write {
  readonly db: Database
  readonly caller: Caller
  readonly now: string
}

export async function insertObject(
  { db, caller, now }: Write,
  resource: Resource,
  values: Row,
): Promise<Row> {
  const statement = new Statement()
  const stored = storedValues(resource, withSearch(resource, values))
  const columns = stored.map(([name]) => name).join(', ')
  const bound = stored.map(([, value]) => statement.bind(value)).join(', ')
  const draft = draftOf(caller, now, resource, 'create', values)
  const text = `WITH t AS (INSERT INTO ${resource.table} (${columns}) VALUES (${bound}) RETURNING *),
    logged AS (${insertEvent(statement, draft)}) SELECT ${selectList(resource)} FROM t`
  return one(resource, await db.query(text, statement.params))
}

/** Changes columns of one object. `current` is the object before, whose ids the event names. */
export async function updateObject(
  write: Write,
  resource: Resource,
  current: Row,
  changes: Row,
  verb: 'edit' | 'delete' = 'edit',
): Promise<Row> {
  const statement = new Statement()
  const after = { ...current, ...changes }
  const searched = resource.search?.fields.some(name => name in changes) ? withSearch(resource, after) : after
  const names = [...Object.keys(changes), ...(searched === after ? [] : ['search_text'])]
  const sets = storedValues(resource, searched)
    .filter(([name]) => names.includes(name))
    .map(([name, value]) => `${name} = ${statement.bind(value)}`)
  const key = keyConditions(statement, resource, write.caller, current)
  const draft = draftOf(write.caller, write.now, resource, verb, after)
  const text = `WITH t AS (UPDATE ${resource.table} SET ${sets.join(', ')} WHERE ${key} RETURNING *),
    logged AS (${insertEvent(statement, draft)}) SELECT ${selectList(resource)} FROM t`
  return one(resource, await write.db.query(text, statement.params))
}

/** Deletes all objects of `resource` whose column is one of `ids`, an event each, and answers them. */
export async function deleteObjects(
  write: Write,
  resource: Resource,
  column: string,
  ids: readonly string[],
): Promise<Row[]> {
  const rows = await write.db.query(
    `UPDATE ${resource.table} t SET is_deleted = true WHERE organization_id = $1 AND ${column} = ANY($2::text[]) AND NOT is_deleted RETURNING ${selectList(resource)}`,
    [write.caller.organization_id, ids],
  )
  await logEvents(
    write.db,
    rows.map(row => draftOf(write.caller, write.now, resource, 'delete', row)),
  )
  return rows
}

/** An event about an object that does not change it, such as a reveal; answers its id. */
export async function logObject(
  write: Write,
  resource: Resource,
  verb: EventDraft['verb'],
  row: Row,
  object: Partial<EventObject> = {},
): Promise<string> {
  const draft = draftOf(write.caller, write.now, resource, verb, row)
  const [id] = await logEvents(write.db, [{ ...draft, object: { ...draft.object, ...object } }])
  return id as string
}

/** The use of a gadget's action: the event, and when gadget and credential were last used, in one statement. */
export async function logUse(
  { db, caller, now }: Write,
  subject: EventSubject,
  object: EventObject,
): Promise<void> {
  const statement = new Statement()
  const draft = {
    organization_id: caller.organization_id,
    subject,
    verb: 'use',
    object,
    recorded_at: now,
  } as const
  const marks = [
    ['gadgets', 'last_action_at', object.gadget_id],
    ...credentialTables.map(table => [
      table,
      'last_used_at',
      subject[`${table.slice(0, -1)}_id` as 'member_pin_id'],
    ]),
  ].filter(([, , id]) => id != null)
  const updates = marks.map(
    ([table, column, id], index) =>
      `mark_${index} AS (${touch(statement, caller, now, [table, column, id] as never)})`,
  )
  await db.query(`WITH ${updates.join(', ')} ${insertEvent(statement, draft)}`, statement.params)
}

const credentialTables = [
  'member_emails',
  'member_magic_links',
  'member_pins',
  'member_cards',
  'member_tokens',
] as const

function touch(
  statement: Statement,
  caller: Caller,
  now: string,
  [table, column, id]: [string, string, string],
): string {
  const at = statement.bind(now, 'timestamptz')
  const key = `organization_id = ${statement.bind(caller.organization_id)} AND id = ${statement.bind(id)}`
  return `UPDATE ${table} SET ${column} = greatest(${column}, ${at}) WHERE ${key}`
}

/** An event about something that is no row of a declared kind: a user, an invitation, an installation. */
export async function logHappening(
  { db, caller, now }: Write,
  verb: EventDraft['verb'],
  object: EventObject,
): Promise<void> {
  await logEvents(db, [
    { organization_id: caller.organization_id, subject: caller.subject(), verb, object, recorded_at: now },
  ])
}

/** A denied attempt has a type of its own, so that nothing that waits for openings mistakes one for it. */
export async function logDenial(
  { db, caller, now }: Write,
  subject: EventSubject,
  object: EventObject,
  explanation: object,
): Promise<void> {
  await logEvents(db, [
    {
      organization_id: caller.organization_id,
      subject,
      verb: 'create',
      object,
      explanation,
      recorded_at: now,
    },
  ])
}

export function draftOf(
  caller: Caller,
  now: string,
  resource: Resource,
  verb: EventDraft['verb'],
  row: Row,
): EventDraft {
  return {
    organization_id: caller.organization_id,
    subject: caller.subject(),
    verb,
    object: eventObject(resource, row),
    recorded_at: now,
  }
}

/** The object's own id and those of the objects it hangs on, as far as events name them. */
function eventObject(resource: Resource, row: Row): EventObject {
  const object: Row = { type: resource.kind as ObjectType, [`${resource.kind}_id`]: row.id }
  for (const name of namedIds(resource)) if (row[name] != null) object[name] = row[name]
  return object as EventObject
}

const named = new WeakMap<Resource, readonly string[]>()

function namedIds(resource: Resource): readonly string[] {
  const known = named.get(resource)
  if (known) return known
  const isNamed = (name: string) => resource.fields[name] && !resource.fields[name].hidden
  const names = objectIdFields.filter(name => name !== 'organization_id' && isNamed(name))
  named.set(resource, names)
  return names
}

function withSearch(resource: Resource, values: Row): Row {
  return resource.search && !resource.search.through
    ? { ...values, search_text: searchText(resource, values) }
    : values
}

function keyConditions(statement: Statement, resource: Resource, caller: Caller, row: Row): string {
  const id = `id = ${statement.bind(row.id)}`
  return tenantColumn(resource) === 'organization_id'
    ? `organization_id = ${statement.bind(caller.organization_id)} AND ${id}`
    : id
}

function one(resource: Resource, rows: Row[]): Row {
  const [row] = rows
  if (!row) throw new Error(`a write to ${resource.table} touched no row`)
  return finishRow(resource)(row)
}
