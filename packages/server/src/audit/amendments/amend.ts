import { randomBytes } from 'node:crypto'
import { resources } from '@gatehouse-access/api'
import { fromMilliseconds, idMilliseconds, type Steps } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { planOnce, planUsually } from '../../database/plans.ts'
import type { EventColumns } from '../../events/feed-event.ts'
import { inGaps } from '../../flow/gaps.ts'
import { selectList } from '../../store/columns.ts'
import { digestEvent } from '../chain.ts'
import { type AuditKey, seal } from '../keys.ts'
import { type Act, type Amendment, amendmentText } from './amendment.ts'

export interface Amended {
  /** The events that were amended now. */
  readonly events: readonly EventColumns[]
  /** The events that are not linked yet: what was read of them will be sealed, so they cannot change before. */
  readonly early: readonly string[]
  /** The IDs that it did not come to. */
  readonly left_over: readonly string[]
}

interface Means {
  readonly key: AuditKey
  readonly act: Act
  /** Events of one statement: a few where others wait for the database and for this process. */
  readonly at_once?: number
  /** Whether the transaction should end, asked after each statement. */
  readonly isOver?: () => boolean
}

/**
 * Replaces events by what `left` leaves of them, in a transaction of the caller; undefined deletes an event whole. The old salt is
 * destroyed, so nothing about the event before can be proved or tried. Repeating it changes nothing more, unless `left` does.
 * The caller chooses how many events one transaction takes, and ends the act with `receiptOf`.
 */
export async function amendEvents(
  db: Database,
  { key, act, at_once = Infinity, isOver = () => false }: Means,
  ids: readonly string[],
  left: (event: EventColumns) => EventColumns | undefined,
): Promise<Amended> {
  await lockLinks(db, act.organization_id, ids)
  await planOnce(db)
  const events: EventColumns[] = []
  const early: string[] = []
  let isEnding = false
  let come = 0
  for (; come < ids.length && !isEnding; come += readAtOnce * at_once) {
    const some = ids.slice(come, come + readAtOnce * at_once)
    const links = await readLinked(db, act.organization_id, some)
    const linked = new Set(links.map(({ id }) => id))
    early.push(...some.filter(id => !linked.has(id)))
    for (let done = 0; done < links.length && !isEnding; done += at_once) {
      events.push(...(await amendFew(db, key, act, links.slice(done, done + at_once), left)))
      isEnding = isOver()
    }
  }
  await planUsually(db)
  const handled = new Set([...early, ...events.map(({ id }) => id)])
  return { events, early, left_over: ids.filter(id => !handled.has(id)) }
}

/** Reading is quick: it takes the events of so many statements that write. */
const readAtOnce = 6

/**
 * All at once and in their order, so that two acts cannot wait for each other in a circle; and before anything is read, so that what
 * another act has left meanwhile is seen.
 */
async function lockLinks(db: Database, organizationId: string, ids: readonly string[]): Promise<void> {
  await db.query(
    `SELECT 1 FROM audit_links WHERE organization_id = $1 AND event_id = ANY($2::text[]) ORDER BY number FOR UPDATE`,
    [organizationId, ids],
  )
}

async function amendFew(
  db: Database,
  key: AuditKey,
  act: Act,
  links: readonly Linked[],
  left: (event: EventColumns) => EventColumns | undefined,
): Promise<EventColumns[]> {
  const changes = await inGaps(amendEach(links, left))
  await destroySalts(
    db,
    act.organization_id,
    links.filter(({ is_amended }) => is_amended),
  )
  await storeChanges(db, key, act, changes)
  await deleteEvents(
    db,
    act.organization_id,
    changes.flatMap(({ before, after }) => (after ? [] : [before])),
  )
  return changes.map(({ before }) => before)
}

/** Replaces events that no link is made of yet. Only for a database that nobody serves: a service may have read them to link them. */
export async function rewriteEvents(
  db: Database,
  organizationId: string,
  ids: readonly string[],
  left: (event: EventColumns) => EventColumns,
): Promise<void> {
  const events = await db.query<EventColumns>(
    `SELECT ${selectList(resources.event)} FROM events t WHERE t.organization_id = $1 AND t.id = ANY($2::text[])`,
    [organizationId, ids],
  )
  await storeEvents(db, organizationId, events.map(left))
}

type Linked = EventColumns & {
  readonly number: string
  readonly digest: Buffer
  /** An act has amended it before. */
  readonly is_amended: boolean
  /** Null of an event that `audit erase` has emptied. */
  readonly salt: Buffer | null
}

interface Change extends Amendment {
  readonly before: EventColumns
  readonly after: EventColumns | undefined
  readonly salt: Buffer | null
}

/**
 * An event that was amended before is read with the salt and digest of its last amendment. OFFSET has each looked up by an index:
 * a plan made for few amendments would read all that there are by now, and one for any times all events between the first and the last.
 */
function readLinked(db: Database, organizationId: string, ids: readonly string[]): Promise<Linked[]> {
  const times = ids.map(id => fromMilliseconds(idMilliseconds(id)))
  const [first, last] = rangeOf(times)
  return db.query<Linked>(
    `SELECT ${selectList(resources.event)}, l.number, coalesce(l.salt, a.salt) AS salt, coalesce(a.digest, l.digest) AS digest, a.salt IS NOT NULL AS is_amended
     FROM unnest($2::text[], $3::text[]::timestamptz[]) AS sought(id, at)
     JOIN audit_links l ON l.organization_id = $1 AND l.event_id = sought.id
     CROSS JOIN LATERAL (
       SELECT * FROM events e WHERE e.organization_id = $1 AND e.id = sought.id
         AND e.recorded_at >= sought.at AND e.recorded_at < sought.at + interval '1 millisecond'
         AND e.recorded_at >= $4 AND e.recorded_at < $5::timestamptz + interval '1 millisecond' OFFSET 0) t
     LEFT JOIN LATERAL (
       SELECT * FROM audit_amendments m WHERE l.salt IS NULL AND m.organization_id = $1 AND m.number = l.number AND m.salt IS NOT NULL OFFSET 0) a ON true
     ORDER BY l.number`,
    [organizationId, ids, times, first, last],
  )
}

/** Says in which months the events are: planning a statement for all of them would take longer than what it does. */
function rangeOf(times: readonly string[]): [first: string, last: string] {
  const sorted = times.toSorted()
  return [sorted[0] ?? 'infinity', sorted.at(-1) ?? '-infinity']
}

const saltSize = 16

function* amendEach(
  links: readonly Linked[],
  left: (event: EventColumns) => EventColumns | undefined,
): Steps<Change[]> {
  const changes: Change[] = []
  // At once: a call for each costs as much as hashing its event.
  const salts = randomBytes(saltSize * links.length)
  for (const [index, link] of links.entries()) {
    changes.push(amendOne(link, left, salts.subarray(index * saltSize, (index + 1) * saltSize)))
    yield
  }
  return changes
}

function amendOne(
  { number, digest: sealed, salt: held, is_amended: _, ...before }: Linked,
  left: (event: EventColumns) => EventColumns | undefined,
  fresh: Buffer,
): Change {
  const after = left(before)
  const salt = after ? fresh : null
  return {
    number: Number(number),
    kind: after ? 'unlinked' : 'deleted',
    was_altered: held !== null && !digestEvent(held, before).equals(sealed),
    before,
    after,
    salt,
    digest: after && salt ? digestEvent(salt, after) : null,
  }
}

type Content = Pick<EventColumns, 'id' | 'recorded_at' | 'subject' | 'object' | 'explanation' | 'is_unlinked'>

function contentOf({ id, recorded_at, subject, object, explanation, is_unlinked }: EventColumns): Content {
  return { id, recorded_at, subject, object, explanation, is_unlinked }
}

const contentColumns =
  'id text, recorded_at timestamptz, subject jsonb, object jsonb, explanation jsonb, is_unlinked boolean'

/** Replaces what events `t` hold by that of `e`. The first parameter is the organization. */
const replaceContent = `UPDATE events t SET subject = e.subject, object = e.object, explanation = nullif(e.explanation, 'null'), is_unlinked = e.is_unlinked`
const isOfContent = 't.organization_id = $1 AND t.id = e.id AND t.recorded_at = e.recorded_at'

async function storeEvents(
  db: Database,
  organizationId: string,
  events: readonly EventColumns[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(contentOf)
  await db.query(
    `${replaceContent} FROM jsonb_to_recordset($2::jsonb) AS e(${contentColumns})
     WHERE ${isOfContent} AND t.recorded_at BETWEEN $3 AND $4`,
    [organizationId, rows, ...rangeOf(rows.map(({ recorded_at }) => recorded_at))],
  )
}

/** For events whose links are amended, or gone. */
export async function deleteEvents(
  db: Database,
  organizationId: string,
  events: readonly Pick<EventColumns, 'id' | 'recorded_at'>[],
): Promise<void> {
  if (events.length === 0) return
  const times = events.map(({ recorded_at }) => recorded_at)
  await db.query(
    `DELETE FROM events t USING unnest($2::text[], $3::text[]::timestamptz[]) AS e(id, recorded_at)
     WHERE t.organization_id = $1 AND t.id = e.id AND t.recorded_at = e.recorded_at AND t.recorded_at BETWEEN $4 AND $5`,
    [organizationId, events.map(({ id }) => id), times, ...rangeOf(times)],
  )
}

/** Those of the amendments before. What is left of the event is proved by the new one. */
async function destroySalts(db: Database, organizationId: string, links: readonly Linked[]): Promise<void> {
  if (links.length === 0) return
  await db.query(
    `UPDATE audit_amendments SET salt = NULL
     WHERE organization_id = $1 AND number = ANY($2::text[]::bigint[]) AND salt IS NOT NULL`,
    [organizationId, links.map(({ number }) => number)],
  )
}

function* sealEach(key: AuditKey, act: Act, changes: readonly Change[]) {
  const rows: ReturnType<typeof sealOne>[] = []
  for (const change of changes) {
    rows.push(sealOne(key, act, change))
    yield
  }
  return rows
}

function sealOne(key: AuditKey, act: Act, { before, after, salt, digest, ...rest }: Change) {
  return {
    ...rest,
    ...contentOf(
      after ?? { ...before, subject: {}, object: { type: before.object.type }, explanation: null },
    ),
    salt: salt?.toString('hex') ?? null,
    digest: digest?.toString('hex') ?? null,
    seal: seal(key, amendmentText(act, { ...rest, digest })).toString('hex'),
  }
}

/** Replaces events, destroys the salts of their links and stores the amendments, in one statement for all of them. */
async function storeChanges(
  db: Database,
  key: AuditKey,
  { organization_id, act }: Act,
  changes: readonly Change[],
): Promise<void> {
  const rows = await inGaps(sealEach(key, { organization_id, act }, changes))
  await db.query(
    `WITH e AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($3::jsonb)
         AS e(number bigint, kind text, was_altered boolean, salt text, digest text, seal text, ${contentColumns})),
       links AS (UPDATE audit_links l SET salt = NULL FROM e WHERE l.organization_id = $1 AND l.number = e.number AND l.salt IS NOT NULL),
       amendments AS (
         INSERT INTO audit_amendments (organization_id, act, number, kind, was_altered, salt, digest, seal)
         SELECT $1, $2, number, kind, was_altered, decode(salt, 'hex'), decode(digest, 'hex'), decode(seal, 'hex') FROM e
         ON CONFLICT (organization_id, act, number) DO UPDATE
         SET kind = excluded.kind, was_altered = excluded.was_altered, salt = excluded.salt, digest = excluded.digest, seal = excluded.seal)
     ${replaceContent} FROM e WHERE ${isOfContent} AND e.kind = 'unlinked' AND t.recorded_at BETWEEN $4 AND $5`,
    [organization_id, act, rows, ...rangeOf(rows.map(({ recorded_at }) => recorded_at))],
  )
}
