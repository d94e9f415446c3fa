import { epochMilliseconds } from '@gatehouse-access/core'
import { closeAct, receiptOf } from '../../audit/amendments/amendment.ts'
import { deriveAuditKey } from '../../audit/keys.ts'
import type { Database } from '../../database/db.ts'
import { eraseBodies, type FoundBodies, findBodies } from '../../erasing/erase-bodies.ts'
import { countEvents, eraseEvents, Reached } from '../../erasing/erase-events.ts'
import { countRows, eraseRows } from '../../erasing/erase-rows.ts'
import { settling } from '../../erasing/holdings.ts'
import { hasPassed } from '../../events/lag.ts'
import { BatchSize } from '../../flow/batch-size.ts'
import { emptyAnswers } from '../../store/idempotency-keys.ts'
import type { Write } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'
import { type Erasure, moveErasure, noteErasure } from './change-erasure.ts'
import { endImports, findImports } from './end-imports.ts'
import { type FoundAnswers, findAnswers } from './erase-answers.ts'
import { findPending } from './holding-devices.ts'

/** Events of one transaction, and the milliseconds that it should take. */
const eventsAtOnce = { least: 30, first: 60, most: 160, aim: 60 }
/** Milliseconds after which it begins no further statement. */
const longest = 90
/** Events of one statement: few where requests come steadily, since each statement runs between them. */
const inStatement = { steady: 8, idle: 50 }

/** An erasure that there is something to do for. */
export interface Due {
  readonly organization_id: string
  readonly id: string
  readonly member_id: string
  readonly state: 'scheduled' | 'running' | 'waiting' | 'blocked'
  readonly stage: Erasure['stage']
  readonly started_at: string | null
  readonly card_ids: readonly string[]
}

/** What was read before the transaction. */
interface Read {
  readonly receipt: string | null
  readonly has_old_jobs: boolean
  /** Dry runs that have ended since it began. */
  readonly imports: readonly string[]
  readonly answers: FoundAnswers
  readonly bodies: FoundBodies
  /** Whether webhooks have got what happened before the erasure. */
  readonly is_sent: boolean
}

/** Reads what its next stage needs, outside of the transaction. */
export async function readAhead(context: Context, due: Due): Promise<Read> {
  // Nothing amends events for it any more, so this is read outside of the transaction, however many there are.
  const receipt = due.stage === 'receipt' ? await receiptOf(context.db, actOf(due)) : null
  const answers =
    due.state === 'running' && due.stage === 'answers'
      ? await findAnswers(context.db, context.vault, due, answersFrom.get(due.id))
      : noAnswers
  const bodies =
    due.state === 'running' && due.stage === 'deliveries'
      ? await findBodies(context.db, soughtOf(due), bodiesFrom.get(due.id))
      : noBodies
  // Read in this order: a dry run that ends in between is among the jobs.
  const has_old_jobs = due.stage === 'receipt' && (await hasOldJobs(context.db, due))
  const imports =
    due.state === 'running' && due.stage === 'receipt' ? (await findImports(context, due)).imports : []
  const is_sent = await isSent(context, due)
  return { receipt, has_old_jobs, imports, answers, bodies, is_sent }
}

/** Milliseconds after which an erasure waits for webhooks no longer: others may keep them busy. */
const longestWait = 60_000

/**
 * What webhooks are sent of events from before the erasure has to be stored before it is emptied: whoever prepares it may have read an
 * event as it was.
 */
async function isSent(context: Context, due: Due): Promise<boolean> {
  const { organization_id, id, state, stage, started_at } = due
  if (state !== 'running' || stage !== 'events' || started_at === null || searches.has(id)) return true
  if (epochMilliseconds(context.clock.now()) - epochMilliseconds(started_at) > longestWait) return true
  const webhooks = await context.db.query('SELECT 1 FROM webhooks WHERE organization_id = $1 LIMIT 1', [
    organization_id,
  ])
  return webhooks.length === 0 || hasPassed(context, 'webhooks', started_at)
}

interface Search {
  readonly reached: Reached
  readonly size: BatchSize
}

/** How this process looks for the events of each erasure. */
const searches = new Map<string, Search>()

function searchOf({ timers }: Context, { id }: Erasure): Search {
  return searches.getOrInsertComputed(id, () => ({
    reached: new Reached(),
    size: new BatchSize(timers, eventsAtOnce),
  }))
}

/** Where this process goes on to look for stored answers, and for what webhooks were sent. Whoever takes over begins anew. */
const answersFrom = new Map<string, NonNullable<FoundAnswers['next']>>()
const bodiesFrom = new Map<string, NonNullable<FoundBodies['next']>>()
const noAnswers: FoundAnswers = { places: [], next: undefined }
const noBodies: FoundBodies = { places: [], next: undefined }

function remember<Next>(from: Map<string, Next>, { id }: Erasure, next: Next | undefined): void {
  if (next) from.set(id, next)
  else from.delete(id)
}

/** Does a step of a running erasure. Returns whether it came further. */
export async function runStage(
  context: Context,
  write: Write,
  erasure: Erasure,
  { receipt, has_old_jobs, imports, answers, bodies, is_sent }: Read,
): Promise<boolean> {
  const { db, now: worked_at } = write
  const { counts } = erasure
  switch (erasure.stage) {
    case 'rows': {
      const { objects, files, has_more } = await eraseRows(db, erasure, false)
      const after = { ...counts, objects: counts.objects + objects, files: counts.files + files }
      await noteErasure(db, erasure, { counts: after, worked_at, ...(!has_more && { stage: 'answers' }) })
      return true
    }
    case 'answers': {
      const objects = counts.objects + (await emptyAnswers(db, erasure.organization_id, answers.places))
      remember(answersFrom, erasure, answers.next)
      const stage = answers.next ? 'answers' : 'events'
      await noteErasure(db, erasure, { counts: { ...counts, objects }, worked_at, stage })
      return true
    }
    case 'events': {
      if (!is_sent) {
        await touch(write, erasure)
        return false
      }
      await commitSoon(db)
      const key = deriveAuditKey(context.config.secret_keys[0])
      const deletes = erasure.events === 'delete'
      const { card_ids } = erasure
      const { timers, traffic } = context
      const { reached, size } = searchOf(context, erasure)
      const end = timers.elapsed() + longest
      const means = {
        key,
        act: actOf(erasure),
        deletes,
        card_ids,
        reached,
        at_once: traffic.isSteady() ? inStatement.steady : inStatement.idle,
        isOver: () => timers.elapsed() > end,
        now: worked_at,
      }
      const found = await size.measure(most => eraseEvents(db, erasure, { ...means, size: most }))
      const events = counts.events + found.events
      const deliveries = counts.deliveries + found.deliveries
      const isOver = !found.has_more && found.early.length === 0
      await noteErasure(db, erasure, {
        counts: { ...counts, events, deliveries },
        worked_at,
        ...(isOver && { stage: 'deliveries' }),
      })
      if (isOver) searches.delete(erasure.id)
      return found.has_more || isOver
    }
    case 'deliveries': {
      const { organization_id } = erasure
      const deliveries =
        counts.deliveries + (await eraseBodies(db, organization_id, bodies.places, worked_at))
      remember(bodiesFrom, erasure, bodies.next)
      const stage = bodies.next ? 'deliveries' : 'statistics'
      await noteErasure(db, erasure, { counts: { ...counts, deliveries }, worked_at, stage })
      return true
    }
    case 'receipt': {
      await endImports(write, imports)
      if (await eraseWhatCame(db, erasure, worked_at, has_old_jobs)) return false
      const { pending, counts } = await askDevices(db, erasure)
      const changes = { receipt_hash: receipt, stage: 'devices', worked_at, counts } as const
      const event_id =
        pending === 0 ? await finish(write, erasure, changes) : await wait(write, erasure, changes)
      await closeAct(db, actOf(erasure), event_id)
      return true
    }
    default:
      return false
  }
}

/**
 * Erases what was written since, such as the rows of a job that ran meanwhile or one that was being changed, or goes back to the events. Returns whether
 * there may be more: a job that was made before the member was erased can still hold it.
 */
async function eraseWhatCame(
  db: Database,
  erasure: Erasure,
  worked_at: string,
  hasOldJobs: boolean,
): Promise<boolean> {
  const { objects, files, has_more } = await eraseRows(db, erasure, false)
  if (objects + files > 0) {
    const { counts } = erasure
    const after = { ...counts, objects: counts.objects + objects, files: counts.files + files }
    // The statistics were taken with these rows.
    await noteErasure(db, erasure, { counts: after, worked_at, stage: 'statistics' })
    return true
  }
  const isPassedOver = (await countRows(db, erasure, false)).objects > 0
  if (has_more || hasOldJobs || isPassedOver) {
    await noteErasure(db, erasure, { worked_at })
    return true
  }
  // Whoever recorded them had seen the member before it was erased, as an upload of a controller's journal.
  if ((await countEvents(db, erasure)) === 0) return false
  await noteErasure(db, erasure, { worked_at, stage: 'events' })
  return true
}

/** What a crash takes back is erased again, so nobody else's commit has to wait until it is on the disk. */
async function commitSoon(db: Database): Promise<void> {
  await db.query(`SELECT set_config('synchronous_commit', 'off', true)`)
}

async function hasOldJobs(db: Database, { organization_id, started_at }: Due): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM jobs j WHERE organization_id = $1 AND NOT is_deleted AND state IN ('queued', 'running') AND (created_at <= $2::timestamptz + ${settling}
       OR EXISTS (SELECT 1 FROM jobs p WHERE p.organization_id = $1 AND p.id = j.parent_job_id AND p.created_at <= $2::timestamptz + ${settling})) LIMIT 1`,
    [organization_id, started_at],
  )
  return rows.length > 0
}

export async function askDevices(db: Database, erasure: Erasure) {
  const pending = (await findPending(db, erasure, erasure.device_ids)).length
  const devices_done = erasure.device_ids.length - pending
  return { pending, counts: { ...erasure.counts, devices_done } }
}

export function touch({ db, now }: Write, erasure: Erasure): Promise<Erasure> {
  return noteErasure(db, erasure, { worked_at: now })
}

function actOf({ organization_id, id }: Pick<Erasure, 'organization_id' | 'id'>) {
  return { organization_id, act: id }
}

function soughtOf({ organization_id, member_id, card_ids }: Due) {
  return { organization_id, ids: [member_id, ...card_ids] }
}

type Changes = Omit<Parameters<typeof moveErasure>[2], 'state' | 'counts'> & Pick<Erasure, 'counts'>

async function wait(write: Write, erasure: Erasure, changes: Changes): Promise<string> {
  return (await moveErasure(write, erasure, { ...changes, state: 'waiting' })).event_id
}

/** Once every device has forgotten the member, nothing is left by which it could be told. */
export async function finish(write: Write, erasure: Erasure, changes: Changes): Promise<string> {
  const { db, now } = write
  let { objects } = changes.counts
  for (let isMore = true; isMore; ) {
    const erased = await eraseRows(db, erasure, true)
    objects += erased.objects
    // A row that was being changed is passed over.
    isMore = erased.has_more || (await countRows(db, erasure)).objects > 0
  }
  const done = { state: 'done', finished_at: now, worked_at: now } as const
  return (await moveErasure(write, erasure, { ...changes, ...done, counts: { ...changes.counts, objects } }))
    .event_id
}
