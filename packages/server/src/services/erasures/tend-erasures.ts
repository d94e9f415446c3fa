import type { Database } from '../../database/db.ts'
import { aside } from '../../database/gently.ts'
import { lastTables } from '../../erasing/holdings.ts'
import { isMemberHeld } from '../../erasing/holds.ts'
import { serviceCaller } from '../../store/caller.ts'
import type { Write } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'
import { beginErasure, findHeld, type Held } from './begin.ts'
import { type Erasure, findErasure, moveErasure, noteErasure } from './change-erasure.ts'
import { refresh, refreshForAll } from './refresh.ts'
import { askDevices, type Due, finish, readAhead, runStage, touch } from './run-stage.ts'

/**
 *              time has come            rows, answers, events, deliveries, statistics, receipt
 *   scheduled ───────────────▶ running ───────────────────────────────────────────────────────▶ waiting ──▶ done
 *       │  ▲                      ▲                                                     every device has forgotten
 *       │  │ a hold covers        │ the hold has ended; one that is set
 *       ▼  ▼ the member           ▼ meanwhile keeps what is left
 *   canceled  blocked ◀───────────┘
 *
 * Of retention's, also blocked ones are canceled: by the first step, once the member was restored. While a member is due, the next run
 * of retention begins a canceled erasure anew, whoever asked for it.
 *
 * What came meanwhile is erased before the receipt, which takes it back to the statistics or the events.
 *
 * Each step is a transaction of its own that also stores how far it has come: whoever goes on after a crash begins with the
 * next one. Organizations take turns, and so do the erasures of each, so none waits behind a long one or behind many of others.
 */

/** Milliseconds after which a run of the job begins no further step. */
const budget = 20_000
/** Milliseconds until what waits is looked at again. */
const patience = { scheduled: 0, running: 0, blocked: 10_000, waiting: 3000 } as const

export async function tendErasures(context: Context, signal?: AbortSignal): Promise<void> {
  const end = context.timers.elapsed() + budget
  const isOver = () => signal?.aborted || context.timers.elapsed() > end
  for (let isBusy = true; isBusy && !isOver(); ) {
    isBusy = await refreshForAll(context)
    let hasEnded = false
    for (const due of await findDue(context)) {
      const went = await step(context, due).catch(error => {
        context.log.error({ err: error, erasure_id: due.id }, 'erasure failed, and will be tried again')
        return false
      })
      isBusy ||= went
      hasEnded ||= went && (due.stage === 'receipt' || due.state === 'waiting')
      if (isOver()) break
    }
    // The end of an erasure changes tables whose statistics were refreshed before.
    if (hasEnded) await refresh(context, lastTables)
  }
}

const atOnce = 20

async function findDue({ db, clock }: Context): Promise<Due[]> {
  return db.query<Due>(
    `SELECT organization_id, id, member_id, state, stage, started_at, card_ids FROM (
       SELECT e.*, row_number() OVER (PARTITION BY organization_id ORDER BY worked_at NULLS FIRST, scheduled_at) AS place FROM erasures e
       WHERE state NOT IN ('done', 'canceled') AND stage <> 'statistics' AND scheduled_at <= $1
         AND (worked_at IS NULL OR worked_at <= $1::timestamptz - make_interval(secs => ($2::jsonb->>state)::float8 / 1000))
         AND NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = e.organization_id)) due
     ORDER BY place, worked_at NULLS FIRST, scheduled_at LIMIT ${atOnce}`,
    [clock.now(), patience],
  )
}

/** Returns whether it came further. */
async function step(context: Context, due: Due): Promise<boolean> {
  const held = await heldOf(context, due)
  const ahead = await readAhead(context, due)
  return aside(context.db).transaction(async db => {
    const erasure = await hold(db, due)
    if (!erasure || erasure.stage !== due.stage) return false
    const write = { db, caller: serviceCaller(due.organization_id), now: context.clock.now() }
    switch (erasure.state) {
      case 'scheduled':
      case 'blocked': {
        const { state } = await beginErasure(context, write, erasure, held)
        await touch(write, erasure)
        return state !== erasure.state
      }
      case 'running':
        if (await isMemberHeld(db, erasure, write.now)) return block(write, erasure)
        return runStage(context, write, erasure, ahead)
      case 'waiting':
        return lookAfter(write, erasure)
      default:
        return false
    }
  })
}

/** Not for who is covered by a legal hold: there can be thousands, looked at again and again. */
async function heldOf(context: Context, due: Due): Promise<Held | undefined> {
  if (due.state === 'running' || due.state === 'waiting' || due.started_at !== null) return undefined
  if (await isMemberHeld(context.db, due, context.clock.now())) return undefined
  return findHeld(context, due)
}

/** Another process may be working on it. */
async function hold(db: Database, { organization_id, id }: Due): Promise<Erasure | undefined> {
  const rows = await db.query(
    'SELECT 1 FROM erasures WHERE organization_id = $1 AND id = $2 FOR UPDATE SKIP LOCKED',
    [organization_id, id],
  )
  return rows.length === 0 ? undefined : findErasure(db, organization_id, id)
}

/** A hold that is set while an erasure runs keeps what is left. */
async function block(write: Write, erasure: Erasure): Promise<boolean> {
  await moveErasure(write, erasure, { state: 'blocked', worked_at: write.now })
  return true
}

async function lookAfter(write: Write, erasure: Erasure): Promise<boolean> {
  const { pending, counts } = await askDevices(write.db, erasure)
  if (pending === 0) await finish(write, erasure, { counts })
  else await noteErasure(write.db, erasure, { counts, worked_at: write.now })
  return pending === 0
}
