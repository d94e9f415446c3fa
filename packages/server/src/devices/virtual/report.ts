import type { JournalEvent } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { serviceCaller } from '../../store/caller.ts'
import { storeReports } from '../../store/reports.ts'
import { followDevice } from '../journal/door-effects.ts'
import { marksOf, tell } from '../journal/drafts.ts'
import { countGuesses, guessOf } from '../journal/guesses.ts'
import { findReferences, type ZoneOffsets } from '../journal/references.ts'
import { noteUnknownCards, unknownCardOf } from '../journal/unknown-cards.ts'
import { storeDoorModes } from '../modes/store-door-modes.ts'
import type { ReportedDoor } from './machine.ts'

export interface Report {
  readonly organization_id: string
  readonly device_id: string
  readonly now: string
}

/** Records events of a virtual device in the caller's transaction, as the gateway does for real devices. */
export async function recordReport(
  context: { readonly db: Database; readonly zones: ZoneOffsets },
  { organization_id, device_id, now }: Report,
  events: readonly JournalEvent[],
): Promise<void> {
  if (events.length === 0) return
  const { db } = context
  const references = await findReferences(context, organization_id, device_id, events, true)
  const told = events.map(event => {
    const created_at = event.occurred_at > now ? now : event.occurred_at
    const clock_adjusted = created_at !== event.occurred_at || event.clock_unsure === true
    const draft = tell(references, event, created_at)
    return {
      timed: { event, at: created_at },
      drafts: draft ? [{ organization_id, recorded_at: now, ...draft, created_at, clock_adjusted }] : [],
      marks: marksOf(references, event, created_at),
      guesses: guessOf(references, event, created_at),
    }
  })
  const write = { db, caller: serviceCaller(organization_id), now }
  await storeReports(
    write,
    told.flatMap(({ drafts }) => drafts),
    {
      used: told.flatMap(({ marks }) => marks.used),
      states: told.flatMap(({ marks }) => marks.states),
    },
  )
  await countGuesses(
    write,
    references.device,
    told.flatMap(({ guesses }) => guesses),
  )
  await noteUnknownCards(
    write,
    references.device,
    told.flatMap(({ timed: { event, at } }) => unknownCardOf(references, event, at)),
  )
  await followDevice(
    write,
    references,
    told.map(({ timed }) => timed),
  )
}

/** Stores what its doors are. Most devices have no doors, or nothing that was ever reported of them. */
export async function recordDoors(
  db: Database,
  { organization_id, device_id, now }: Report,
  doors: readonly ReportedDoor[],
): Promise<void> {
  const by = { organization_id, device_id, connection_id: null, version: 1, at: now }
  await storeDoorModes(
    db,
    doors.map(door => ({ by, door })),
  )
}
