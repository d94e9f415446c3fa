import {
  type ChangesOf,
  type ColumnsOf,
  type EventObject,
  type EventSubject,
  type NewOf,
  objectIdFields,
  type Resource,
  type StoredOf,
  touchesPolicy,
} from '@gatehouse-access/api'
import type { Database, Row } from '../database/db.ts'
import { present } from '../flow/present.ts'
import type { Caller } from './caller.ts'
import { finishRow, selectList, storedColumns, tenantColumn } from './columns.ts'
import { tellChanges } from './edits/changes.ts'
import { reasonOf } from './edits/reasons.ts'
import { type EventDraft, type EventRow, eventRow, insertEvent, logEvents } from './event-log.ts'
import { searchText } from './search.ts'
import { type Bind, statementsByShape } from './statement.ts'

/**
 * The only way to write to the domain tables. Every function writes the row and its event in a single
 * statement, so that neither exists without the other, even outside a transaction. The exceptions are
 * `deleteObjects` and write-many.ts, which take two statements and need a transaction.
 */
export interface Write {
  readonly db: Database
  readonly caller: Caller
  readonly now: string
}

/** The parameters of a write: the column values, the organization in the key of the row, and the event. */
interface Written {
  readonly values: Row
  readonly organization_id: string
  readonly event: EventRow
}

const inserts = statementsByShape<Written>()

export async function insertObject<R extends Resource>(
  write: Write,
  resource: R,
  values: NewOf<R>,
): Promise<StoredOf<R>>
export async function insertObject(
  { db, caller, now }: Write,
  resource: Resource,
  values: Row,
): Promise<Row> {
  const searched = withSearch(resource, values)
  const { text, paramsOf } = inserts(`${resource.kind} ${Object.keys(searched)}`, bind => {
    const columns = storedColumns(resource, searched)
    const bound = columns.map(name => bind(written => written.values[name]))
    return `WITH t AS (INSERT INTO ${resource.table} (${columns.join(', ')}) VALUES (${bound.join(', ')}) RETURNING *),
    logged AS (${insertEvent(bind)}) SELECT ${selectList(resource)} FROM t`
  })
  const { organization_id } = caller
  const event = eventRow(draftOf(caller, now, resource, 'create', values))
  const rows = await db.query<Row>(text, paramsOf({ values: searched, organization_id, event }))
  db.afterCommit('events_written')
  return one(resource, rows)
}

const updates = statementsByShape<Written>()

/** Changes columns of one object. `current` is the object before the change; the event names its ids. */
export async function updateObject<R extends Resource>(
  write: Write,
  resource: R,
  current: StoredOf<R>,
  changes: ChangesOf<R>,
  verb?: 'edit' | 'delete',
): Promise<StoredOf<R>>
export async function updateObject(
  { db, caller, now }: Write,
  resource: Resource,
  current: Row,
  changes: Row,
  verb: 'edit' | 'delete' = 'edit',
): Promise<Row> {
  const after = { ...current, ...changes }
  const isSearched = resource.search?.fields.some(name => name in changes)
  const values = isSearched ? withSearch(resource, after) : after
  const columns = storedColumns(resource, values).filter(name => name in changes || !(name in after))
  const { text, paramsOf } = updates(`${resource.kind} ${columns}`, bind => {
    const sets = columns.map(name => `${name} = ${bind(written => written.values[name])}`)
    return `WITH t AS (UPDATE ${resource.table} SET ${sets.join(', ')} WHERE ${keyConditions(bind, resource)} RETURNING *),
    logged AS (${insertEvent(bind)}) SELECT ${selectList(resource)} FROM t`
  })
  const { organization_id } = caller
  const draft = {
    ...draftOf(caller, now, resource, verb, after),
    touches_policy: touchesPolicy(resource, changes),
  }
  const reason = reasonOf(resource, current, changes)
  const told = verb === 'edit' ? tellChanges(resource, current, changes) : {}
  const event = eventRow({ ...draft, object: { ...draft.object, ...(reason && { reason }), ...told } })
  const rows = await db.query<Row>(text, paramsOf({ values, organization_id, event }))
  db.afterCommit('events_written')
  return one(resource, rows)
}

/** Deletes all objects of `resource` whose `column` is one of `ids`, with an event each. Returns them. */
export async function deleteObjects<R extends Resource>(
  write: Write,
  resource: R,
  column: keyof ColumnsOf<R> & string,
  ids: readonly string[],
): Promise<StoredOf<R>[]>
export async function deleteObjects(
  write: Write,
  resource: Resource,
  column: string,
  ids: readonly string[],
): Promise<Row[]> {
  const rows = await write.db.query<Row>(
    `UPDATE ${resource.table} t SET is_deleted = true WHERE organization_id = $1 AND ${column} = ANY($2::text[]) AND NOT is_deleted RETURNING ${selectList(resource)}`,
    [write.caller.organization_id, ids],
  )
  await logEvents(
    write.db,
    rows.map(row => draftOf(write.caller, write.now, resource, 'delete', row)),
  )
  return rows
}

/** Logs an event about an object that does not change it, such as a reveal. Returns the event id. */
export async function logObject(
  write: Write,
  resource: Resource,
  verb: EventDraft['verb'],
  row: Row,
  object: Partial<EventObject> = {},
): Promise<string> {
  const draft = draftOf(write.caller, write.now, resource, verb, row)
  const [id] = await logEvents(write.db, [{ ...draft, object: { ...draft.object, ...object } }])
  return present(id, 'the id of an event')
}

interface Used {
  readonly now: string
  readonly organization_id: string
  readonly ids: Row
  readonly event: EventRow
}

const uses = statementsByShape<Used>()

/** Logs the use of a gadget action, and updates the last use of gadget and credential, in one statement. */
export async function logUse(
  { db, caller, now }: Write,
  subject: EventSubject,
  object: EventObject,
): Promise<void> {
  const { organization_id } = caller
  const ids: Row = { ...subject, gadget_id: object.gadget_id }
  const touched = lastUses.filter(({ id }) => ids[id] != null)
  const { text, paramsOf } = uses(touched.map(({ table }) => table).join(), bind => {
    const marks = touched.map((use, index) => `mark_${index} AS (${touch(bind, use)})`)
    return `WITH ${marks.join(', ')} ${insertEvent(bind)}`
  })
  const event = eventRow({ organization_id, subject, verb: 'use', object, recorded_at: now })
  await db.query(text, paramsOf({ now, organization_id, ids, event }))
  db.afterCommit('events_written')
}

/** The columns that store the last use of something, and the id in the event that identifies the row. */
const lastUses = [
  { table: 'gadgets', column: 'last_action_at', id: 'gadget_id' },
  { table: 'member_emails', column: 'last_used_at', id: 'member_email_id' },
  { table: 'member_magic_links', column: 'last_used_at', id: 'member_magic_link_id' },
  { table: 'member_pins', column: 'last_used_at', id: 'member_pin_id' },
  { table: 'member_cards', column: 'last_used_at', id: 'member_card_id' },
  { table: 'member_tokens', column: 'last_used_at', id: 'member_token_id' },
] as const

function touch(bind: Bind<Used>, { table, column, id }: (typeof lastUses)[number]): string {
  const at = bind(({ now }) => now, 'timestamptz')
  const tenant = bind(({ organization_id }) => organization_id)
  return `UPDATE ${table} SET ${column} = greatest(${column}, ${at}) WHERE organization_id = ${tenant} AND id = ${bind(({ ids }) => ids[id])}`
}

/** Logs an event about what is no row of a declared kind: a user, an invitation, an installation. */
export async function logHappening(
  { db, caller, now }: Write,
  verb: EventDraft['verb'],
  object: EventObject,
): Promise<void> {
  await logEvents(db, [
    { organization_id: caller.organization_id, subject: caller.subject(), verb, object, recorded_at: now },
  ])
}

/** A denied attempt has its own object type, so that consumers cannot mistake it for an opening. */
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
    object: { ...eventObject(resource, row), ...jobOf(caller) },
    recorded_at: now,
  }
}

/** What a job has written is found by it. */
function jobOf({ job_id }: Caller): Pick<EventObject, 'job_id'> {
  return job_id === undefined ? {} : { job_id }
}

/** Returns the id of the object and of the objects it belongs to, as far as events include them. */
function eventObject(resource: Resource, row: Row): EventObject {
  const object: Row = { type: resource.kind, [`${resource.kind}_id`]: row.id }
  for (const name of namedIds(resource)) if (row[name] != null) object[name] = row[name]
  if (row.is_drill === true) object.is_drill = true
  // The rest of the URL may hold a secret, and is for its application only.
  if (resource.kind === 'webhook') object.name = URL.parse(String(row.url))?.host ?? null
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

export function withSearch(resource: Resource, values: Row): Row {
  return resource.search && !resource.search.through
    ? { ...values, search_text: searchText(resource, values) }
    : values
}

function keyConditions(bind: Bind<Written>, resource: Resource): string {
  const id = `id = ${bind(({ values }) => values.id)}`
  return tenantColumn(resource) === 'organization_id'
    ? `organization_id = ${bind(({ organization_id }) => organization_id)} AND ${id}`
    : id
}

function one(resource: Resource, rows: Row[]): Row {
  const [row] = rows
  if (!row) throw new Error(`a write to ${resource.table} touched no row`)
  return finishRow(resource)(row)
}
